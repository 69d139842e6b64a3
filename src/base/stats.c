/* Intervals and tests: Wilson score interval, binomial sign test, variance components (ANOVA). */
#include "base/stats.h"

#include <math.h>

static Estimate wilson(double p, double n)
{
    double z2 = STATS_Z_95 * STATS_Z_95;
    double middle = (p + z2 / (2 * n)) / (1 + z2 / n);
    double half = STATS_Z_95 * sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n);
    /* Rounding must not put p itself outside the interval. */
    return (Estimate){p, fmin(p, fmax(0, middle - half)), fmax(p, fmin(1, middle + half))};
}

double stats_normal(double z) { return 0.5 * erfc(-z / sqrt(2)); }

Estimate stats_proportion(uint64_t successes, uint64_t trials)
{
    return trials ? wilson((double)successes / (double)trials, (double)trials)
                  : (Estimate){0, 0, 1};
}

Estimate stats_mean(double sum, double square_sum, uint64_t n_values)
{
    if (n_values == 0)
        return (Estimate){0, 0, 0};
    double n = (double)n_values, mean = sum / n;
    double variance = n > 1 ? fmax(0, (square_sum - n * mean * mean) / (n - 1)) : 0;
    double half = STATS_Z_95 * sqrt(variance / n);
    return (Estimate){mean, mean - half, mean + half};
}

double stats_sign_test(uint64_t a, uint64_t b)
{
    enum { MAX_EXACT = 2000 };
    uint64_t n = a + b, less = a < b ? a : b;
    if (n == 0 || a == b)
        return 1;
    if (n > MAX_EXACT) {
        double z = ((double)(n - 2 * less) - 1) / sqrt((double)n);
        return erfc(z / sqrt(2));
    }
    double sum = 0;
    for (uint64_t k = 0; k <= less; k++)
        sum += exp(lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1) -
                   (double)n * log(2));
    return fmin(1, 2 * sum);
}

uint64_t stats_draws(const TurfTotals *totals)
{
    return totals->n_games - totals->endings[TURF_WON_BY_FIRST] -
           totals->endings[TURF_WON_BY_SECOND];
}

uint64_t stats_forfeits(const TurfTotals *totals, int player)
{
    uint64_t sum = 0;
    for (int f = 0; f < TURF_N_FORFEITS; f++)
        sum += totals->forfeits[player][f];
    return sum;
}

Estimate stats_score(const TurfTotals *totals)
{
    double wins = (double)totals->endings[TURF_WON_BY_FIRST], draws = (double)stats_draws(totals);
    double n = (double)totals->n_games;
    return totals->n_games ? wilson((wins + draws / 2) / n, n) : (Estimate){0, 0, 1};
}

/* `left_out` is a group that does not count, or n_groups. */
static double share_without(const double *means, const double *variances, size_t n_groups,
                            double group_size, size_t left_out)
{
    double n = (double)(left_out < n_groups ? n_groups - 1 : n_groups);
    double sum = 0, square_sum = 0, within = 0;
    for (size_t i = 0; i < n_groups; i++) {
        if (i == left_out)
            continue;
        sum += means[i];
        square_sum += means[i] * means[i];
        within += variances[i] / n;
    }
    double of_means = n > 1 ? (square_sum - sum * sum / n) / (n - 1) : 0;
    double between = fmax(0, of_means - within / group_size);
    return between > 0 ? between / (between + within) : 0;
}

double stats_share_between(const double *means, const double *variances, size_t n_groups,
                           double group_size)
{
    return share_without(means, variances, n_groups, group_size, n_groups);
}

Estimate stats_share_interval(const double *means, const double *variances, size_t n_groups,
                              double group_size)
{
    double n = (double)n_groups, sum = 0, square_sum = 0,
           share = stats_share_between(means, variances, n_groups, group_size);
    for (size_t i = 0; i < n_groups; i++) {
        double without = share_without(means, variances, n_groups, group_size, i);
        sum += without;
        square_sum += (without - share) * (without - share);
    }
    if (n_groups < 2)
        return (Estimate){share, 0, 1};
    double bias = sum / n - share, variance = (n - 1) / n * (square_sum - n * bias * bias);
    double half = STATS_Z_95 * sqrt(fmax(0, variance));
    return (Estimate){share, fmax(0, share - half), fmin(1, share + half)};
}

double stats_shown(double value, int n_decimals)
{
    return fabs(value) * pow(10, n_decimals) <= 0.5 ? 0 : value;
}
