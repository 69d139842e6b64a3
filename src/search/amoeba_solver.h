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
    uint64_t           nodes;       /* so many for each thread, about; 0: no limit */
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

/* Forgets the table, so that what it costs to solve a position depends on the position alone. */
void as_solver_forget(AsSolver *solver);

/* Can it hold such a board? Fills the error if not. */
bool as_solver_takes(const AwState *state, TurfError *error);

/* Returns true if the value is exact. A stopped search gives bounds. The table is kept for the next
 * position of the same board and rules. */
bool as_solver_solve(AsSolver *solver, const AwState *state, const AsOptions *options,
                     AsSolution *solution);

/* Of a board that it can hold: the cells to be filled, which say best how long solving takes. */
int as_n_open(const AwState *state);
/* How many open cells can probably be solved in a time on one core; each takes 1.8 times as long
 * as the one before. */
int as_reach_in_time(int64_t time_ms);

#endif
