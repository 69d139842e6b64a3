/* Players of AI Battleground: what to colonise, both sides choosing at once. */
#ifndef TURF_PLAYERS_COLONIST_H
#define TURF_PLAYERS_COLONIST_H

#include "players/player.h"

/* Nothing at all. */
size_t colonist_dummy(const TurfPlayer *player, const void *state, TurfSide side, const Thinking *thinking,
                      TurfCell *cells);
/* Any number of cells within reach, any of them. */
size_t colonist_random(const TurfPlayer *player, const void *state, TurfSide side, const Thinking *thinking,
                       TurfCell *cells);
/* One cell after the other, each the best for the player's measure after the step if the opponent does nothing;
 * as many as improve it. */
size_t colonist_greedy(const TurfPlayer *player, const void *state, TurfSide side, const Thinking *thinking,
                       TurfCell *cells);
/* The same, but looking at the boards of several steps to come: what does a cell become? */
size_t colonist_settler(const TurfPlayer *player, const void *state, TurfSide side, const Thinking *thinking,
                        TurfCell *cells);

#endif
