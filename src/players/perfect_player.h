/* SquirrelWar's perfect player, and what other players borrow from it. */
#ifndef TURF_PLAYERS_PERFECT_PLAYER_H
#define TURF_PLAYERS_PERFECT_PLAYER_H

#include "games/squirrel_war.h"
#include "players/player_kind.h"
#include "search/squirrel_solver.h"

bool   perfect_open(TurfPlayer *player, TurfError *error);
void   perfect_close(TurfPlayer *player);
Choice perfect_choose_move(const TurfPlayer *player, const void *state, bool want_all,
                           const TurnContext *turn, TurfMove *moves);

/* How many empty squares can surely be solved in a time. */
int perfect_reach(int64_t time_ms);

/* Solves a position by the deadline, which 0 puts off for ever; false, with nothing changed, if
 * that was too short. All the best moves take as long as they take. */
bool perfect_solve(SwSolver *solver, const SwPosition *position, bool want_all,
                   const TurnContext *turn, int64_t deadline_ns, Choice *choice, TurfMove *moves);

#endif
