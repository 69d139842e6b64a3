/* Exact solver for Amoeba Wars and its family on boards of up to 64 cells.
 *
 * Values are final leads under best play, own score minus the opponent's, for the side to move; by
 * end=stuck, 1 for a win and -1 for a loss. 5x5 from the start takes 2 s on two cores; 5x6 and
 * 6x6 were not solved (docs/amoeba-wars.md). */
#ifndef TURF_SEARCH_AMOEBA_SOLVER_H
#define TURF_SEARCH_AMOEBA_SOLVER_H

#include "games/amoeba_wars.h"

#include <stdatomic.h>
#include <stddef.h>

typedef struct AsSolver AsSolver;

typedef struct AsProgress {
    int      lower, upper; /* proved so far */
    uint64_t nodes;
} AsProgress;

/* All zero: no limits, no reports. */
typedef struct AsOptions {
    const atomic_bool *stop;        /* set to stop the search; may be NULL */
    int64_t            deadline_ns; /* 0: none */
    bool               skip_line;   /* of the line, find the first turn only */
    /* Called from the calling thread when a bound has improved. */
    void (*progress)(void *context, const AsProgress *progress);
    void *context;
} AsOptions;

enum { AS_MAX_LINE = 128 };

typedef struct AsSolution {
    int      lower, upper; /* lower == upper if exact */
    bool     is_exact;
    TurfMove line[AS_MAX_LINE]; /* a best line, to the end of the game unless stopped */
    int      line_length;
    uint64_t nodes;
    double   seconds;
} AsSolution;

/* NULL if out of memory. */
AsSolver *as_solver_new(size_t hash_bytes, int n_threads);
void      as_solver_free(AsSolver *solver);

/* Can it hold such a board? Fills the error if not. */
bool as_solver_takes(const AwState *state, TurfError *error);

/* Returns true if the value is exact. A stopped search gives bounds. The table is kept for the next
 * position of the same board and rules. */
bool as_solver_solve(AsSolver *solver, const AwState *state, const AsOptions *options,
                     AsSolution *solution);

#endif
