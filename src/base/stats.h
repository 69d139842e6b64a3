/* The statistics that a table needs: intervals and tests for counts of games. */
#ifndef TURF_BASE_STATS_H
#define TURF_BASE_STATS_H

#include "turf.h"

typedef struct Estimate {
    double value, low, high; /* with its 95 % interval */
} Estimate;

#define STATS_Z_95 1.959963984540054

/* The normal distribution: how often a value is below z. */
double stats_normal(double z);

/* A proportion, with Wilson's interval, which stays inside 0..1 and is right for small counts too.
 * No trials: 0, from 0 to 1. */
Estimate stats_proportion(uint64_t successes, uint64_t trials);

/* A mean from sums over n values. */
Estimate stats_mean(double sum, double square_sum, uint64_t n);

/* The chance of a split at least as uneven as a : b if both were equally likely (two-sided,
 * binomial; exact while it is quick, then normal with continuity correction). 1 if there is
 * nothing to compare. */
double stats_sign_test(uint64_t a, uint64_t b);

/* Score of the first player, a draw counting half. The interval is Wilson's for a share of so many
 * games, which is a little too wide where there are draws, and never leaves 0 to 1. */
Estimate stats_score(const TurfTotals *totals);

/* Games won by neither side, of all kinds. */
uint64_t stats_draws(const TurfTotals *totals);

/* Games that one of the two players forfeited, for any reason. */
uint64_t stats_forfeits(const TurfTotals *totals, int player);

/* How much of the variance of a value lies between groups, by a one-way analysis of variance with
 * the usual estimate of the variance component: for n groups of k values each, given each group's
 * mean and the variance within it. 0 if nothing does. */
double stats_share_between(const double *means, const double *variances, size_t n_groups,
                           double group_size);

#endif
