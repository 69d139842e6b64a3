/* Kernels: code of a game that plays many games between two random players at once. A game has
 * builds for several instruction sets, all with the same results to the bit. */
#ifndef TURF_GAMES_RANDOM_GAMES_H
#define TURF_GAMES_RANDOM_GAMES_H

#include "turf.h"

typedef struct RandomGames {
    uint64_t first_game, n_games;
    /* The start of all games; NULL: game i draws its start from stream i of start_streams. */
    const void *start;
    uint64_t    start_streams;
    uint64_t    side_streams[2]; /* each side draws its moves of game i from its stream i */
} RandomGames;

typedef struct RandomKernel {
    const char *name, *needs; /* `needs`: the instruction set, for messages */
    bool (*is_supported)(void);
    void (*play)(const RandomGames *games, TurfTotals *totals); /* adds to the totals */
} RandomKernel;

/* The fastest kernel that this processor supports. The list is sorted by speed, and the first runs
 * everywhere. */
static inline const RandomKernel *random_kernel_best(const RandomKernel *kernels, size_t n_kernels)
{
    size_t best = n_kernels - 1;
    while (best > 0 && !kernels[best].is_supported())
        best--;
    return &kernels[best];
}

static inline bool random_kernel_is_for_all(void) { return true; }

#endif
