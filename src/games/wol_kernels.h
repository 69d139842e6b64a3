/* Whole War of Life games between two random players, by the million: the same games that a match
 * of two `random` players plays one by one, but many at a time. One kernel per kind of processor,
 * all with the same results to the bit; war_of_life.c and the bench choose. */
#ifndef TURF_GAMES_WOL_KERNELS_H
#define TURF_GAMES_WOL_KERNELS_H

#include "games/random_games.h"

/* From the plainest to the fastest; NULL past the last. */
const RandomKernel *wol_kernel_at(size_t index);
/* The fastest that this processor can run. */
const RandomKernel *wol_kernel_best(void);

#endif
