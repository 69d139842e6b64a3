/* AI Battleground's strongest player: it guesses what the opponent is about to place, and believes
 * most in the guesses that were right in the turns before. */
#ifndef TURF_PLAYERS_CONQUEROR_PLAYER_H
#define TURF_PLAYERS_CONQUEROR_PLAYER_H

#include "players/player_kind.h"

bool   conqueror_open(TurfPlayer *player, TurfError *error);
void   conqueror_close(TurfPlayer *player);
bool   conqueror_begin_game(TurfPlayer *player, const atomic_bool *stop, TurfError *error);
size_t conqueror_choose_cells(const TurfPlayer *player, const void *state, TurfSide side,
                              const TurnContext *turn, TurfCell *cells);

#endif
