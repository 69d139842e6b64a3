/* Exact solver for SquirrelWar.
 *
 * All values are final scores seen from the side to move of the position that
 * was asked about: own total minus opponent's total under best play. */
#ifndef TURF_SEARCH_SQUIRREL_SOLVER_H
#define TURF_SEARCH_SQUIRREL_SOLVER_H

#include "games/squirrel_war.h"

#include <stdatomic.h>
#include <stddef.h>

typedef struct SwSolver SwSolver;

typedef struct {
    int      lower, upper; /* proved so far */
    uint64_t nodes;
    double   seconds;
} SwProgress;

/* A zeroed struct means: no limits, no reports. */
typedef struct {
    const atomic_bool *stop;        /* ends the search soon after it becomes true */
    int64_t            deadline_ns; /* CLOCK_MONOTONIC; 0 = none */
    bool               skip_pv;     /* no line is wanted, and any best square will do */
    /* Called in the calling thread whenever a bound has improved. */
    void (*progress)(void *context, const SwProgress *progress);
    void *context;
} SwSolveOptions;

typedef struct {
    int      lower, upper; /* lower == upper if exact */
    bool     exact;
    int      best_square;    /* -1 if the game is over; a mere guess if stopped early */
    int      pv[SW_SQUARES]; /* best play from here, the lowest square at each */
    int      pv_length;      /* step; all of it unless the search was stopped */
    uint64_t nodes;
    double   seconds;
} SwSolution;

/* A solver with a table of the largest power of two of bytes that is not more
 * than hash_bytes (at least 64). NULL if there is not enough memory. */
SwSolver *sw_solver_new(size_t hash_bytes, int n_threads);
void      sw_solver_free(SwSolver *solver);

/* Fills *out and returns true if the value is exact; with a stop flag or a
 * deadline it may be only a pair of bounds. What was learnt is kept for the
 * next call with the same values if it is about a later position. Value,
 * best_square and line of a search that was not stopped depend on the position
 * alone, not on the number of threads or the size of the table. options may be
 * NULL. */
bool sw_solver_solve(SwSolver *solver, const SwValues *values, const SwState *state,
                     const SwSolveOptions *options, SwSolution *out);

/* Is there a square that surely wins? One test, so it can be asked some squares before the value
 * can be found. -1 if there is none, or if the limits were reached first. */
int sw_solver_winning_square(SwSolver *solver, const SwValues *values, const SwState *state,
                             const SwSolveOptions *options);

/* A good square without proof, and what it seems to be worth: looks ever deeper until the options'
 * limits, one of which there must be. */
int sw_solver_advise(const SwValues *values, const SwState *state, const SwSolveOptions *options,
                     int *value);

#endif
