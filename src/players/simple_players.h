/* Players of games where both sides list cells at once. The first two play any such game, the
 * others AI Battleground. */
#ifndef TURF_PLAYERS_SIMPLE_PLAYERS_H
#define TURF_PLAYERS_SIMPLE_PLAYERS_H

#include "players/player_kind.h"

/* No cells at all. */
size_t simple_dummy(const TurfPlayer *player, const void *state, TurfSide side,
                    const TurnContext *turn, TurfCell *cells);
/* Any number of cells within reach, any of them. */
size_t simple_random(const TurfPlayer *player, const void *state, TurfSide side,
                     const TurnContext *turn, TurfCell *cells);
/* Greedy: cell by cell the best for the player's weights after one step, if the opponent does
 * nothing; as many as improve it. */
size_t simple_greedy(const TurfPlayer *player, const void *state, TurfSide side,
                     const TurnContext *turn, TurfCell *cells);
/* The same with the sum over five steps. */
size_t simple_settler(const TurfPlayer *player, const void *state, TurfSide side,
                      const TurnContext *turn, TurfCell *cells);

#endif
