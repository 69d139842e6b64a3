/* Intervals and tests, checked by simulation and by exact sums. */
#include "support.h"

#include "base/stats.h"

#include <math.h>
#include <stdlib.h>

static void wilson_interval_has_its_nominal_coverage(void **state)
{
    (void)state;
    static const double shares[] = {0.02, 0.2, 0.5, 0.9};
    TurfRng             rng = turf_rng(1);
    for (size_t s = 0; s < 4; s++) {
        enum { EXPERIMENTS = 4000, TRIALS = 400 };
        int n_covered = 0;
        for (int e = 0; e < EXPERIMENTS; e++) {
            uint64_t successes = 0;
            for (int t = 0; t < TRIALS; t++)
                successes += (double)(rng_next(&rng) >> 11) / 9007199254740992.0 < shares[s];
            Estimate estimate = stats_proportion(successes, TRIALS);
            n_covered += estimate.low <= shares[s] && shares[s] <= estimate.high;
        }
        double coverage = (double)n_covered / EXPERIMENTS;
        print_message("# share %.2f: covered %.3f\n", shares[s], coverage);
        assert_true(coverage > 0.93 && coverage < 0.975);
    }
}

static void interval_of_a_mean_has_its_nominal_coverage(void **state)
{
    (void)state;
    enum { EXPERIMENTS = 4000, VALUES = 200 };
    TurfRng rng = turf_rng(2);
    int     n_covered = 0;
    for (int e = 0; e < EXPERIMENTS; e++) {
        double sum = 0, squares = 0;
        for (int i = 0; i < VALUES; i++) {
            double value = rng_below(&rng, 11); /* mean 5 */
            sum += value;
            squares += value * value;
        }
        Estimate estimate = stats_mean(sum, squares, VALUES);
        n_covered += estimate.low <= 5 && 5 <= estimate.high;
    }
    assert_true(n_covered > 0.935 * EXPERIMENTS && n_covered < 0.965 * EXPERIMENTS);
}

static void extreme_counts_stay_within_0_and_1_and_are_not_nan(void **state)
{
    (void)state;
    static const uint64_t counts[][2] = {
        {0, 0}, {0, 1}, {1, 1}, {0, 1000000000}, {1000000000, 1000000000}};
    for (size_t i = 0; i < 5; i++) {
        Estimate estimate = stats_proportion(counts[i][0], counts[i][1]);
        assert_true(estimate.low >= 0 && estimate.high <= 1 && estimate.low <= estimate.high);
        assert_true(estimate.low <= estimate.value && estimate.value <= estimate.high);
    }
    Estimate none = stats_mean(0, 0, 0), one = stats_mean(7, 49, 1);
    assert_true(isfinite(none.value) && isfinite(none.low) && isfinite(none.high));
    assert_true(one.value == 7 && one.low == 7 && one.high == 7);
}

/* The exact p-value, from Pascal's triangle. */
static double exact_p(int a, int b)
{
    int    n = a + b, less = a < b ? a : b;
    double row[64] = {1}, sum = 0;
    for (int i = 1; i <= n; i++)
        for (int k = i; k > 0; k--)
            row[k] += row[k - 1];
    for (int k = 0; k <= less; k++)
        sum += row[k];
    return fmin(1, 2 * sum / pow(2, n));
}

static void sign_test_is_exact_for_small_counts(void **state)
{
    (void)state;
    for (int a = 0; a < 25; a++)
        for (int b = 0; b < 25; b++)
            assert_true(fabs(stats_sign_test((uint64_t)a, (uint64_t)b) -
                             (a == b ? 1 : exact_p(a, b))) < 1e-9);
}

static void sign_test_is_continuous_where_the_approximation_begins(void **state)
{
    (void)state;
    for (uint64_t lead = 10; lead < 200; lead += 10) {
        double exact = stats_sign_test(1000 - lead / 2, 1000 + lead / 2);
        double approximate = stats_sign_test(1001 - lead / 2, 1001 + lead / 2);
        assert_true(fabs(exact - approximate) < 0.002);
    }
    assert_true(stats_sign_test(0, UINT64_C(1) << 40) == 0);
}

/* Groups whose means are drawn with one variance, and values within them with another. */
static void intraclass_correlation_is_recovered(void **state)
{
    (void)state;
    enum { GROUPS = 4000, SIZE = 10 };
    static double means[GROUPS], variances[GROUPS];
    TurfRng       rng = turf_rng(3);
    for (int i = 0; i < GROUPS; i++) {
        double centre = rng_below(&rng, 2), sum = 0, squares = 0; /* variance 1/4 between */
        for (int k = 0; k < SIZE; k++) {
            double value = centre + rng_below(&rng, 3); /* variance 2/3 within */
            sum += value;
            squares += value * value;
        }
        means[i] = sum / SIZE;
        variances[i] = (squares - sum * sum / SIZE) / (SIZE - 1);
    }
    double share = stats_share_between(means, variances, GROUPS, SIZE);
    assert_true(fabs(share - 0.25 / (0.25 + 2.0 / 3)) < 0.02);
    for (int i = 0; i < GROUPS; i++)
        means[i] = 1;
    assert_true(stats_share_between(means, variances, GROUPS, SIZE) == 0);
}

static void scores_have_intervals_within_0_and_1(void **state)
{
    (void)state;
    for (uint64_t wins = 0; wins <= 20; wins++) {
        TurfTotals totals = {.n_games = 20, .endings = {wins, 20 - wins}};
        Estimate   score = stats_score(&totals);
        assert_true(score.low >= 0 && score.high <= 1 && score.low < score.high);
        assert_true(score.low <= score.value && score.value <= score.high);
    }
}

static void a_figure_is_never_minus_zero(void **state)
{
    (void)state;
    static const double values[] = {-0.0, -1e-15, 9.4e-15, -0.3, -0.5, -0.04, -0.05};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        for (int n_decimals = 0; n_decimals < 3; n_decimals++) {
            char text[32];
            (void)snprintf(text, sizeof text, "%.*f", n_decimals,
                           stats_shown(values[i], n_decimals));
            assert_false(text[0] == '-' && strtod(text, NULL) == 0);
        }
    assert_true(stats_shown(-0.6, 0) == -0.6 && stats_shown(-0.06, 1) == -0.06);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wilson_interval_has_its_nominal_coverage),
        cmocka_unit_test(interval_of_a_mean_has_its_nominal_coverage),
        cmocka_unit_test(extreme_counts_stay_within_0_and_1_and_are_not_nan),
        cmocka_unit_test(intraclass_correlation_is_recovered),
        cmocka_unit_test(scores_have_intervals_within_0_and_1),
        cmocka_unit_test(a_figure_is_never_minus_zero),
        cmocka_unit_test(sign_test_is_exact_for_small_counts),
        cmocka_unit_test(sign_test_is_continuous_where_the_approximation_begins),
    };
    return cmocka_run_group_tests_name("statistics", tests, NULL, NULL);
}
