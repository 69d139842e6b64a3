/* A batch of games between two random players, to be played in one go, and the code that can:
 * builds of the same thing for several kinds of processor, all with the same results to the bit. */
#ifndef TURF_GAMES_RANDOM_GAMES_H
#define TURF_GAMES_RANDOM_GAMES_H

#include "turf.h"

typedef struct RandomGames {
    uint64_t first_game, n_games;
    /* Where all of them begin; NULL if game i makes its start from stream i of start_streams. */
    const void *start;
    uint64_t    start_streams;
    uint64_t    side_streams[2]; /* each side draws its moves in game i from stream i of its own */
} RandomGames;

typedef struct RandomKernel {
    const char *name, *needs; /* the second: what the processor must have, for people */
    bool (*is_supported)(void);
    void (*play)(const RandomGames *games, TurfTotals *totals); /* adds to the totals */
} RandomKernel;

/* The last of a list, which goes from the plainest to the fastest, that this processor can run. The
 * first is for all. */
static inline const RandomKernel *random_kernel_best(const RandomKernel *kernels, size_t n_kernels)
{
    size_t best = n_kernels - 1;
    while (best > 0 && !kernels[best].is_supported())
        best--;
    return &kernels[best];
}

static inline bool random_kernel_is_for_all(void) { return true; }

#endif
