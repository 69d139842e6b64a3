/* Positions as planes, for programs that learn: sets of cells, one bit to a cell. */
#ifndef TURF_GAMES_PLANES_H
#define TURF_GAMES_PLANES_H

#include "games/game.h"

enum { MAX_PLANES = 16 };

/* Words in a plane: the cells row by row, from the lowest bit. */
size_t game_plane_words(const TurfGame *game, const void *state);
size_t game_n_planes(const TurfGame *game);
/* Writes all planes, one after the other: the first side's cells, the second side's, then the
 * game's own. */
void game_planes(const TurfGame *game, const void *state, uint64_t *words);

#endif
