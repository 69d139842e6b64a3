/* Whole War of Life games between two random players, by the million: the same games that a match
 * of two `random` players plays one by one, but many at a time. One kernel per kind of processor,
 * all with the same results to the bit; games.c and the bench choose. */
#ifndef TURF_GAMES_WOL_KERNELS_H
#define TURF_GAMES_WOL_KERNELS_H

#include "games/random_games.h"

typedef struct WolKernel {
    const char *name;
    const char *needs; /* what the processor must have, for people */
    bool (*is_supported)(void);
    void (*play)(const RandomGames *batch, TurfTotals *totals); /* adds to the totals */
} WolKernel;

/* From the plainest to the fastest; NULL past the last. */
const WolKernel *wol_kernel_at(size_t index);
/* The fastest that this processor can run. */
const WolKernel *wol_kernel_best(void);

#endif
