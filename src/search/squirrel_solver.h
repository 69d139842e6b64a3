/* Exact solver for SquirrelWar.
 *
 * All values are final scores under best play, own total minus opponent's, for
 * the side to move in the given position. */
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

/* All zero: no limits, no reports. */
typedef struct {
    const atomic_bool *stop;        /* set to stop the search; may be NULL */
    int64_t            deadline_ns; /* CLOCK_MONOTONIC; 0 = none */
    bool               skip_pv;     /* find no PV; best_square may be any best square */
    /* Called from the calling thread when a bound has improved. */
    void (*progress)(void *context, const SwProgress *progress);
    void *context;
} SwSolveOptions;

typedef struct {
    int      lower, upper; /* lower == upper if exact */
    bool     exact;
    int      best_square;    /* -1 if the game is over; unproved if stopped early */
    int      pv[SW_SQUARES]; /* principal variation, the lowest best square at each */
    int      pv_length;      /* ply; to the end of the game unless stopped */
    uint64_t nodes;
    double   seconds;
} SwSolution;

/* Creates a solver whose table is the largest power of two that is at most
 * hash_bytes, and at least 64 bytes. NULL if out of memory. */
SwSolver *sw_solver_new(size_t hash_bytes, int n_threads);
void      sw_solver_free(SwSolver *solver);

/* Fills *out and returns true if the value is exact; a stopped search gives
 * bounds. The table is kept for the next call if that is about a later
 * position of the same game. Value, best_square and PV of a search that was
 * not stopped depend on the position alone, not on the number of threads or
 * the size of the table. options may be NULL. */
bool sw_solver_solve(SwSolver *solver, const SwValues *values, const SwState *state,
                     const SwSolveOptions *options, SwSolution *out);

/* A square that is proved to win; -1 if there is none or the limits were reached first. This is a
 * single null-window test, much cheaper than solving. */
int sw_solver_winning_square(SwSolver *solver, const SwValues *values, const SwState *state,
                             const SwSolveOptions *options);

/* A good square and its estimated value, without proof: iterative deepening until a limit in the
 * options, which must set one. */
int sw_solver_advise(const SwValues *values, const SwState *state, const SwSolveOptions *options,
                     int *value);

#endif
