/* Whole Amoeba Wars games between two random players on boards of up to 8x8: what a match of two
 * `random` players plays one by one, without the way through the table. */
#ifndef TURF_GAMES_AW_KERNELS_H
#define TURF_GAMES_AW_KERNELS_H

#include "games/random_games.h"

const RandomKernel *aw_kernel_at(size_t index); /* from the plainest on; NULL past the last */
const RandomKernel *aw_kernel_best(void);

#endif
