/* Players of games where both sides list cells at once. The first two play any such game, the
 * others AI Battleground. */
#ifndef TURF_PLAYERS_SIMPLE_PLAYERS_H
#define TURF_PLAYERS_SIMPLE_PLAYERS_H

#include "players/player_kind.h"

/* Nothing at all. */
size_t simple_dummy(const TurfPlayer *player, const void *state, TurfSide side,
                    const TurnContext *turn, TurfCell *cells);
/* Any number of cells within reach, any of them. */
size_t simple_random(const TurfPlayer *player, const void *state, TurfSide side,
                     const TurnContext *turn, TurfCell *cells);
/* One cell after the other, each the best for the player's measure after the step if the opponent
 * does nothing; as many as improve it. */
size_t simple_greedy(const TurfPlayer *player, const void *state, TurfSide side,
                     const TurnContext *turn, TurfCell *cells);
/* The same, but looking at the boards of several steps to come: what does a cell become? */
size_t simple_settler(const TurfPlayer *player, const void *state, TurfSide side,
                      const TurnContext *turn, TurfCell *cells);

#endif
