/* SquirrelWar's perfect player, and its solving for other players. */
#ifndef TURF_PLAYERS_PERFECT_PLAYER_H
#define TURF_PLAYERS_PERFECT_PLAYER_H

#include "games/squirrel_war.h"
#include "players/player_kind.h"
#include "search/squirrel_solver.h"

bool   perfect_open(TurfPlayer *player, TurfError *error);
void   perfect_close(TurfPlayer *player);
Choice perfect_choose_move(const TurfPlayer *player, const void *state, bool want_all,
                           const TurnContext *turn, TurfMove *moves);

/* The number of empty squares that can be solved in a time, on the safe side. */
int perfect_reach(int64_t time_ms);

/* Solves a position before the deadline; 0: none. False if that was too short, with nothing
 * changed. With `want_all` the deadline does not count. */
bool perfect_solve(SwSolver *solver, const SwPosition *position, bool want_all,
                   const TurnContext *turn, int64_t deadline_ns, Choice *choice, TurfMove *moves);

#endif
