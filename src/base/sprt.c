/* The generalised SPRT of Van den Bergh: the log-likelihood ratio of two mean scores, each with the
 * most likely distribution of results that has that mean (Owen's empirical likelihood). */
#include "base/sprt.h"

#include "base/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double score_of_elo(double elo) { return 1 / (1 + pow(10, -elo / 400)); }

/* 0 - ..., because -400 * log10(1) would be -0. */
static double elo_of_score(double score) { return 0 - 400 * log10(1 / score - 1); }

/* ---- reading ------------------------------------------------------------------------------- */

/* Reads the next number of a list; *at then points behind its comma, or is NULL at the end. */
static bool next_number(const char **at, double *number)
{
    char *end = NULL;
    if (!*at)
        return false;
    *number = strtod(*at, &end);
    if (end == *at || (*end && *end != ',') || !isfinite(*number))
        return false;
    *at = *end ? end + 1 : NULL;
    return true;
}

bool sprt_parse(const char *text, Sprt *sprt, TurfError *error)
{
    char        quoted[ERROR_QUOTE_BYTES];
    const char *at = text;
    *sprt = (Sprt){.alpha = 0.05, .beta = 0.05};
    bool is_good = next_number(&at, &sprt->elo0) && next_number(&at, &sprt->elo1);
    if (is_good && at)
        is_good = next_number(&at, &sprt->alpha) && next_number(&at, &sprt->beta) && !at;
    if (!is_good)
        return error_invalid(error,
                             "an SPRT is elo0,elo1 or elo0,elo1,alpha,beta, like 0,10 or "
                             "0,10,0.05,0.05, not '%s'",
                             error_quote(quoted, text));
    sprt->elo0 += 0.0; /* -0 is 0 */
    sprt->elo1 += 0.0;
    if (!(sprt->elo0 < sprt->elo1) || fabs(sprt->elo0) > 1000 || fabs(sprt->elo1) > 1000)
        return error_invalid(error,
                             "elo0 of an SPRT must be below elo1, and both from -1000 to 1000, "
                             "not '%s'",
                             error_quote(quoted, text));
    if (!(sprt->alpha >= 1e-6 && sprt->alpha < 0.5 && sprt->beta >= 1e-6 && sprt->beta < 0.5))
        return error_invalid(error,
                             "alpha and beta of an SPRT must be at least 0.000001 and below 0.5, "
                             "not '%s'",
                             error_quote(quoted, text));
    return true;
}

void sprt_to_text(const Sprt *sprt, char text[96])
{
    (void)snprintf(text, 96, "%.15g,%.15g,%.15g,%.15g", sprt->elo0, sprt->elo1, sprt->alpha,
                   sprt->beta);
}

/* ---- log-likelihood ratio ------------------------------------------------------------------ */

/* The relative frequency of each score. A score that has not occurred counts as a thousandth of a
 * game; otherwise a few lucky games would settle the test. */
typedef struct Distribution {
    double share[SPRT_PAIR_KINDS], score[SPRT_PAIR_KINDS];
    double n;
    size_t n_kinds;
} Distribution;

static Distribution distribution_of(const ScoreCounts *scores)
{
    Distribution shares = {.n_kinds = scores->n_kinds};
    for (size_t k = 0; k < scores->n_kinds; k++) {
        shares.share[k] = scores->counts[k] ? (double)scores->counts[k] : 1e-3;
        shares.score[k] = (double)k / (double)(scores->n_kinds - 1);
        shares.n += shares.share[k];
    }
    for (size_t k = 0; k < scores->n_kinds; k++)
        shares.share[k] /= shares.n;
    return shares;
}

/* The most likely distribution with a given mean is share / (1 + x (score - mean)), for the one x
 * that gives it that mean. The sum below decreases in x, so x is found by bisection. */
static double find_tilt(const Distribution *shares, double mean)
{
    double low = -1 / (1 - mean), high = 1 / mean;
    for (int i = 0; i < 64; i++) { /* to the precision of a double */
        double x = (low + high) / 2, sum = 0;
        for (size_t k = 0; k < shares->n_kinds; k++)
            sum +=
                shares->share[k] * (shares->score[k] - mean) / (1 + x * (shares->score[k] - mean));
        if (sum > 0)
            low = x;
        else
            high = x;
    }
    return (low + high) / 2;
}

static double log_likelihood_of_mean(const Distribution *shares, double mean)
{
    double x = find_tilt(shares, mean), sum = 0;
    for (size_t k = 0; k < shares->n_kinds; k++)
        sum -= shares->share[k] * log1p(x * (shares->score[k] - mean));
    return shares->n * sum;
}

SprtStatus sprt_status(const Sprt *sprt, const ScoreCounts *scores)
{
    SprtStatus status = {.low = log(sprt->beta / (1 - sprt->alpha)),
                         .high = log((1 - sprt->beta) / sprt->alpha)};
    uint64_t   n = 0;
    for (size_t k = 0; k < scores->n_kinds; k++)
        n += scores->counts[k];
    if (n == 0)
        return status;
    Distribution shares = distribution_of(scores);
    status.llr = log_likelihood_of_mean(&shares, score_of_elo(sprt->elo1)) -
                 log_likelihood_of_mean(&shares, score_of_elo(sprt->elo0));
    if (status.llr >= status.high)
        status.state = SPRT_ACCEPT_1;
    else if (status.llr <= status.low)
        status.state = SPRT_ACCEPT_0;
    return status;
}

enum { FIRST_LOOK = 64 };

uint64_t sprt_look(uint64_t n_played, uint64_t n_max)
{
    uint64_t look = FIRST_LOOK;
    while (look < n_played && look < n_max) {
        uint64_t more = look / 8 / 2 * 2; /* whole pairs */
        look += more > FIRST_LOOK ? more : FIRST_LOOK;
    }
    return look < n_max ? look : n_max;
}

/* ---- Elo difference ------------------------------------------------------------------------ */

/* The interval is Agresti-Coull's, for scores: two wins and two losses are added. Unlike the plain
 * (Wald) interval it does not shrink to nothing when ten of ten games were won. */
EloDifference elo_difference(const ScoreCounts *scores)
{
    enum { ADDED = 2 };
    double n = 2 * ADDED, sum = ADDED, squares = ADDED, plain_n = 0, plain_sum = 0;
    for (size_t k = 0; k < scores->n_kinds; k++) {
        double count = (double)scores->counts[k], score = (double)k / (double)(scores->n_kinds - 1);
        n += count;
        sum += count * score;
        squares += count * score * score;
        plain_n += count;
        plain_sum += count * score;
    }
    double        mean = sum / n, deviation = sqrt(fmax(0, squares / n - mean * mean) / n);
    double        low = mean - STATS_Z_95 * deviation, high = mean + STATS_Z_95 * deviation;
    bool          is_all_won = plain_sum >= plain_n, is_all_lost = plain_sum <= 0;
    EloDifference difference = {.superiority = stats_normal((mean - 0.5) / deviation)};
    difference.has_value = plain_n > 0 && !is_all_won && !is_all_lost;
    difference.has_low = plain_n > 0 && !is_all_lost && low > 0;
    difference.has_high = plain_n > 0 && !is_all_won && high < 1;
    if (difference.has_value)
        difference.elo.value = elo_of_score(plain_sum / plain_n);
    if (difference.has_low)
        difference.elo.low = elo_of_score(low);
    if (difference.has_high)
        difference.elo.high = elo_of_score(high);
    return difference;
}
