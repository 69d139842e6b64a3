/* Intervals and tests for counts of games. */
#ifndef TURF_BASE_STATS_H
#define TURF_BASE_STATS_H

#include "turf.h"

typedef struct Estimate {
    double value, low, high; /* with its 95 % confidence interval */
} Estimate;

#define STATS_Z_95 1.959963984540054

/* The standard normal distribution function. */
double stats_normal(double z);

/* A proportion with its Wilson score interval, which stays within 0..1 and is good for small counts
 * too. Without trials: 0, from 0 to 1. */
Estimate stats_proportion(uint64_t successes, uint64_t trials);

/* A mean from sums over n values. */
Estimate stats_mean(double sum, double square_sum, uint64_t n);

/* The p-value of the two-sided sign test for a : b: exact binomial up to 2,000 trials, then the
 * normal approximation with continuity correction. 1 without trials. */
double stats_sign_test(uint64_t a, uint64_t b);

/* Score of the first player, a draw counting half, with a Wilson interval, which is a little too
 * wide where there are draws. */
Estimate stats_score(const TurfTotals *totals);

/* Games won by neither side: draws, stalemates and exhausted games. */
uint64_t stats_draws(const TurfTotals *totals);

/* Games that one of the two players forfeited, for any reason. */
uint64_t stats_forfeits(const TurfTotals *totals, int player);

/* Intraclass correlation: the share of the variance that lies between groups, by a one-way analysis
 * of variance of n groups with the given means and variances within. Never below 0. */
double stats_share_between(const double *means, const double *variances, size_t n_groups,
                           double group_size);

/* The same with its 95 % interval: the jackknife over groups. */
Estimate stats_share_interval(const double *means, const double *variances, size_t n_groups,
                              double group_size);

/* The value as it is printed with n_decimals: what would be "-0" is 0. */
double stats_shown(double value, int n_decimals);

#endif
