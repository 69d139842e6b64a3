/* The statistics that a table needs: intervals and tests for counts of games. */
#ifndef TURF_ARENA_STATS_H
#define TURF_ARENA_STATS_H

#include "turf.h"

typedef struct Estimate {
    double value, low, high; /* with its 95 % interval */
} Estimate;

/* A proportion, with Wilson's interval, which stays inside 0..1 and is right for small counts too.
 * No trials: 0, from 0 to 1. */
Estimate stats_proportion(uint64_t successes, uint64_t trials);

/* A mean from sums over n values. */
Estimate stats_mean(double sum, double square_sum, uint64_t n);

/* The chance of a split at least as uneven as a : b if both were equally likely (two-sided,
 * binomial; exact while it is quick, then normal with continuity correction). 1 if there is
 * nothing to compare. */
double stats_sign_test(uint64_t a, uint64_t b);

/* Score of the first player, a draw counting half, as a mean over games. */
Estimate stats_score(const TurfTotals *totals);

uint64_t totals_draws(const TurfTotals *totals); /* of all kinds */

#endif
