/* The solving of SquirrelWar's perfect player, for other players too. */
#ifndef TURF_PLAYERS_PERFECT_PLAYER_H
#define TURF_PLAYERS_PERFECT_PLAYER_H

#include "games/squirrel_war.h"
#include "players/player_kind.h"
#include "search/squirrel_solver.h"

/* The number of empty squares that can be solved in a time, on the safe side. */
int perfect_reach(int64_t time_ms);

/* Solves a position before the deadline; 0: none. False if that was too short, with nothing
 * changed. With `want_all` the deadline does not count. */
bool perfect_solve(SwSolver *solver, const SwPosition *position, bool want_all,
                   const TurnContext *turn, int64_t deadline_ns, Choice *choice, TurfMove *moves);

#endif
