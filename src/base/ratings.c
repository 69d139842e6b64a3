/* Maximum a posteriori fit of the Bradley-Terry-Davidson model (see ratings.h) by Newton's method
 * with a Cholesky factorisation, O(n^3) for n players. Confidence intervals come from the inverse
 * of the information matrix (the Laplace approximation), by the delta method where the Elo scale
 * depends on the draw parameter. */
#include "base/ratings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ELO_PER_NAT 173.71779276130073 /* 400 / ln 10 */

/* Standard deviations of the normal priors, in nats. The one of log nu, the draw parameter, is so
 * wide that it matters only if all games were drawn, or none. */
#define PLAYER_DEVIATION (1000 / ELO_PER_NAT)
#define FIRST_DEVIATION (400 / ELO_PER_NAT)
#define DRAW_DEVIATION 10.0

typedef struct Tally {
    double wins, draws, losses; /* integers below 2^53, so sums are exact */
} Tally;

/* The players who met an opponent, sorted by name, so that the order of the input cannot change
 * the sums. The terms are their n strengths, the first-player term and log nu. */
typedef struct Fit {
    size_t  n, n_terms; /* n + 2 */
    size_t *players;    /* indices in the caller's order */
    Tally  *tallies;    /* n by n: the first player's row, the second's column */
    Tally   self_play;  /* games of players against themselves */
    double *terms, *trial, *gradient, *step;
    double *information; /* n_terms by n_terms; then its Cholesky factor */
    double *inverse;
} Fit;

/* ---- the likelihood ------------------------------------------------------------------------ */

typedef struct Probabilities {
    double win, loss, draw, log_sum;
} Probabilities;

static Probabilities probabilities(double x, double log_nu)
{
    double max = fmax(fabs(x) / 2, log_nu);
    double win = exp(x / 2 - max), loss = exp(-x / 2 - max), draw = exp(log_nu - max),
           sum = win + loss + draw;
    return (Probabilities){win / sum, loss / sum, draw / sum, max + log(sum)};
}

static double log_likelihood(const Tally *tally, double x, double log_nu)
{
    double n = tally->wins + tally->draws + tally->losses;
    if (n == 0)
        return 0;
    return (tally->wins - tally->losses) * x / 2 + tally->draws * log_nu -
           n * probabilities(x, log_nu).log_sum;
}

static double deviation_of(const Fit *fit, size_t term)
{
    if (term < fit->n)
        return PLAYER_DEVIATION;
    return term == fit->n ? FIRST_DEVIATION : DRAW_DEVIATION;
}

static double log_posterior(const Fit *fit, const double *terms)
{
    double first = terms[fit->n], log_nu = terms[fit->n + 1],
           sum = log_likelihood(&fit->self_play, first, log_nu);
    for (size_t i = 0; i < fit->n; i++)
        for (size_t j = 0; j < fit->n; j++)
            sum +=
                log_likelihood(&fit->tallies[i * fit->n + j], terms[i] - terms[j] + first, log_nu);
    for (size_t t = 0; t < fit->n_terms; t++)
        sum -= terms[t] * terms[t] / (2 * deviation_of(fit, t) * deviation_of(fit, t));
    return sum;
}

static double *information_at(const Fit *fit, size_t a, size_t b)
{
    return &fit->information[a * fit->n_terms + b];
}

/* Adds one tally. x depends on `terms`: the first-player term, the first player's strength and,
 * with a minus sign, the second's; in self-play on the first-player term alone. */
static void add_tally(Fit *fit, const Tally *tally, const size_t terms[3], size_t n_x_terms)
{
    static const double signs[3] = {1, 1, -1};
    double              n = tally->wins + tally->draws + tally->losses, x = 0;
    size_t              draws = fit->n + 1;
    if (n == 0)
        return;
    for (size_t a = 0; a < n_x_terms; a++)
        x += signs[a] * fit->terms[terms[a]];
    Probabilities p = probabilities(x, fit->terms[draws]);
    double        lead = p.win - p.loss, slope = (tally->wins - tally->losses - n * lead) / 2;
    double        of_x = n * (p.win + p.loss - lead * lead) / 4, of_both = -n * lead * p.draw / 2;
    for (size_t a = 0; a < n_x_terms; a++) {
        fit->gradient[terms[a]] += signs[a] * slope;
        *information_at(fit, terms[a], draws) += signs[a] * of_both;
        *information_at(fit, draws, terms[a]) += signs[a] * of_both;
        for (size_t b = 0; b < n_x_terms; b++)
            *information_at(fit, terms[a], terms[b]) += signs[a] * signs[b] * of_x;
    }
    fit->gradient[draws] += tally->draws - n * p.draw;
    *information_at(fit, draws, draws) += n * p.draw * (1 - p.draw);
}

/* The gradient of the log posterior and its information matrix (the negated Hessian). */
static void find_derivatives(Fit *fit)
{
    memset(fit->gradient, 0, fit->n_terms * sizeof *fit->gradient);
    memset(fit->information, 0, fit->n_terms * fit->n_terms * sizeof *fit->information);
    add_tally(fit, &fit->self_play, (size_t[3]){fit->n}, 1);
    for (size_t i = 0; i < fit->n; i++)
        for (size_t j = 0; j < fit->n; j++)
            add_tally(fit, &fit->tallies[i * fit->n + j], (size_t[3]){fit->n, i, j}, 3);
    for (size_t t = 0; t < fit->n_terms; t++) {
        double precision = 1 / (deviation_of(fit, t) * deviation_of(fit, t));
        fit->gradient[t] -= precision * fit->terms[t];
        *information_at(fit, t, t) += precision;
    }
}

/* ---- Newton's method ----------------------------------------------------------------------- */

/* Cholesky, in place. The priors keep the information matrix positive definite. */
static void factorise(Fit *fit)
{
    size_t  m = fit->n_terms;
    double *a = fit->information;
    for (size_t j = 0; j < m; j++) {
        for (size_t k = 0; k < j; k++)
            a[j * m + j] -= a[j * m + k] * a[j * m + k];
        a[j * m + j] = sqrt(fmax(a[j * m + j], 1e-12));
        for (size_t i = j + 1; i < m; i++) {
            for (size_t k = 0; k < j; k++)
                a[i * m + j] -= a[i * m + k] * a[j * m + k];
            a[i * m + j] /= a[j * m + j];
        }
    }
}

static void solve(const Fit *fit, double *vector)
{
    size_t        m = fit->n_terms;
    const double *l = fit->information;
    for (size_t i = 0; i < m; i++) {
        for (size_t k = 0; k < i; k++)
            vector[i] -= l[i * m + k] * vector[k];
        vector[i] /= l[i * m + i];
    }
    for (size_t i = m; i-- > 0;) { /* by rows, for locality */
        vector[i] /= l[i * m + i];
        for (size_t k = 0; k < i; k++)
            vector[k] -= l[i * m + k] * vector[i];
    }
}

/* Newton's method with step halving: the log posterior is concave, so it has one maximum. */
static void maximise(Fit *fit)
{
    enum { MAX_STEPS = 200, MAX_HALVINGS = 60 };
    double height = log_posterior(fit, fit->terms);
    for (int round = 0; round < MAX_STEPS; round++) {
        find_derivatives(fit);
        factorise(fit);
        memcpy(fit->step, fit->gradient, fit->n_terms * sizeof *fit->step);
        solve(fit, fit->step);
        double largest = 0, next = height;
        for (int halving = 0; halving < MAX_HALVINGS; halving++) {
            largest = 0;
            for (size_t t = 0; t < fit->n_terms; t++) {
                double move = ldexp(fit->step[t], -halving);
                fit->trial[t] = fit->terms[t] + move;
                largest = fmax(largest, fabs(move));
            }
            next = log_posterior(fit, fit->trial);
            if (next >= height - 1e-12 * fabs(height)) /* up to rounding */
                break;
        }
        memcpy(fit->terms, fit->trial, fit->n_terms * sizeof *fit->terms);
        height = next;
        if (largest < 1e-10)
            break;
    }
    find_derivatives(fit);
    factorise(fit);
    for (size_t column = 0; column < fit->n_terms; column++) {
        memset(fit->step, 0, fit->n_terms * sizeof *fit->step);
        fit->step[column] = 1;
        solve(fit, fit->step);
        memcpy(fit->inverse + column * fit->n_terms, fit->step, fit->n_terms * sizeof *fit->step);
    }
}

/* ---- is a rating bounded? ------------------------------------------------------------------ */

/* Edges between players: scored points against, lost points to, played at all. */
typedef enum Direction { GOT_FROM, GAVE_TO, MET } Direction;

static bool is_edge(const Fit *fit, size_t from, size_t to, Direction direction)
{
    const Tally *there = &fit->tallies[from * fit->n + to],
                *back = &fit->tallies[to * fit->n + from];
    double got = there->wins + back->losses, gave = there->losses + back->wins;
    double drawn = there->draws + back->draws;
    return drawn > 0 || (direction != GAVE_TO && got > 0) || (direction != GOT_FROM && gave > 0);
}

/* Breadth-first search: marks the players that can be reached, and returns how many there are. */
static size_t search_from(const Fit *fit, size_t from, Direction direction, bool *is_reached,
                          size_t *queue)
{
    size_t n_queued = 0, n_done = 0;
    queue[n_queued++] = from;
    is_reached[from] = true;
    while (n_done < n_queued) {
        size_t at = queue[n_done++];
        for (size_t to = 0; to < fit->n; to++)
            if (!is_reached[to] && is_edge(fit, at, to, direction)) {
                is_reached[to] = true;
                queue[n_queued++] = to;
            }
    }
    return n_queued;
}

/* Marks the players from whom all others can be reached. If there are any, the last one from which
 * a sweep had to start anew is one of them ("mother vertex"), and the others are those that reach
 * it. */
static void mark_roots(const Fit *fit, Direction direction, bool *is_root, size_t *queue)
{
    size_t last = 0;
    memset(is_root, 0, fit->n);
    for (size_t i = 0; i < fit->n; i++)
        if (!is_root[i]) {
            search_from(fit, i, direction, is_root, queue);
            last = i;
        }
    memset(is_root, 0, fit->n);
    bool reaches_all = search_from(fit, last, direction, is_root, queue) == fit->n;
    memset(is_root, 0, fit->n);
    if (reaches_all)
        search_from(fit, last, direction == GOT_FROM ? GAVE_TO : GOT_FROM, is_root, queue);
}

/* A rating is bounded below if a chain of results in which each player scored against the next
 * leads from it to every other player, and above if such chains lead from every other player to it.
 */
static bool find_bounds(const Fit *fit, Ratings *ratings)
{
    bool   *marks = calloc(fit->n + 1, sizeof *marks);
    size_t *queue = calloc(fit->n + 1, sizeof *queue);
    bool    is_good = marks && queue;
    if (is_good && fit->n > 0) {
        mark_roots(fit, GOT_FROM, marks, queue);
        for (size_t i = 0; i < fit->n; i++)
            ratings->players[fit->players[i]].has_low = marks[i];
        mark_roots(fit, GAVE_TO, marks, queue);
        for (size_t i = 0; i < fit->n; i++)
            ratings->players[fit->players[i]].has_high = marks[i];
        memset(marks, 0, fit->n);
        ratings->is_connected = search_from(fit, 0, MET, marks, queue) == fit->n;
    }
    free(marks);
    free(queue);
    return is_good;
}

/* ---- Elo ----------------------------------------------------------------------------------- */

static Estimate estimate(double value, double deviation)
{
    return (Estimate){value, value - STATS_Z_95 * deviation, value + STATS_Z_95 * deviation};
}

/* Ratings are centred at 0 and scaled by 2 / (2 + nu). Their covariance is that of the centred
 * strengths, plus the part due to the scale (delta method). */
static void write_ratings(const Fit *fit, Ratings *ratings, double *row_means)
{
    size_t        n = fit->n, m = fit->n_terms;
    const double *sigma = fit->inverse, *draws_row = sigma + (n + 1) * m;
    double        nu = exp(fit->terms[n + 1]), scale = ELO_PER_NAT * 2 / (2 + nu),
           scale_slope = -scale * nu / (2 + nu);
    double mean = 0, all_mean = 0, draws_mean = 0;
    for (size_t i = 0; i < n; i++) {
        row_means[i] = 0;
        for (size_t j = 0; j < n; j++)
            row_means[i] += sigma[i * m + j] / (double)n;
        all_mean += row_means[i] / (double)n;
        draws_mean += draws_row[i] / (double)n;
        mean += fit->terms[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double by_scale[2] = {scale_slope * (fit->terms[i] - mean),
                                  scale_slope * (fit->terms[j] - mean)};
            double covariance =
                scale * scale * (sigma[i * m + j] - row_means[i] - row_means[j] + all_mean) +
                scale * (by_scale[1] * (draws_row[i] - draws_mean) +
                         by_scale[0] * (draws_row[j] - draws_mean)) +
                by_scale[0] * by_scale[1] * draws_row[n + 1];
            ratings->covariance[fit->players[i] * ratings->n_players + fit->players[j]] =
                covariance;
            if (i == j)
                ratings->players[fit->players[i]].elo =
                    estimate(scale * (fit->terms[i] - mean), sqrt(fmax(0, covariance)));
        }
    double first = fit->terms[n],
           first_variance = scale * scale * sigma[n * m + n] +
                            2 * scale * scale_slope * first * draws_row[n] +
                            scale_slope * scale_slope * first * first * draws_row[n + 1];
    ratings->first_player = estimate(scale * first, sqrt(fmax(0, first_variance)));
    ratings->knows_first = sqrt(sigma[n * m + n]) < FIRST_DEVIATION / 2;
    double log_nu = fit->terms[n + 1], half = STATS_Z_95 * sqrt(draws_row[n + 1]);
    ratings->draw_share = (Estimate){nu / (2 + nu), 1 / (1 + 2 * exp(half - log_nu)),
                                     1 / (1 + 2 * exp(-half - log_nu))};
}

double ratings_superiority(const Ratings *ratings, size_t a, size_t b)
{
    const double *covariance = ratings->covariance;
    size_t        n = ratings->n_players;
    double variance = covariance[a * n + a] + covariance[b * n + b] - 2 * covariance[a * n + b];
    double lead = ratings->players[a].elo.value - ratings->players[b].elo.value;
    return variance > 1e-9 ? stats_normal(lead / sqrt(variance)) : 0.5;
}

/* ---- input --------------------------------------------------------------------------------- */

typedef struct Named {
    const char *name;
    size_t      player;
} Named;

static int by_name(const void *left, const void *right)
{
    return strcmp(((const Named *)left)->name, ((const Named *)right)->name);
}

/* Sorts the players who met an opponent by name; `places` maps the caller's indices to the fit's.
 */
static void order_players(Fit *fit, const Ratings *ratings, const char *const *names, Named *named,
                          size_t *places)
{
    for (size_t i = 0; i < ratings->n_players; i++)
        if (ratings->players[i].n_games > 0)
            named[fit->n++] = (Named){names[i], i};
    if (fit->n > 0)
        qsort(named, fit->n, sizeof *named, by_name);
    for (size_t i = 0; i < fit->n; i++) {
        fit->players[i] = named[i].player;
        places[named[i].player] = i;
    }
    fit->n_terms = fit->n + 2;
}

static void add_counts(Fit *fit, const RatingCount *counts, size_t n_counts, const size_t *places)
{
    for (size_t c = 0; c < n_counts; c++) {
        bool   is_self_play = counts[c].first == counts[c].second;
        size_t row = places[counts[c].first], column = places[counts[c].second];
        Tally *tally = is_self_play ? &fit->self_play : &fit->tallies[row * fit->n + column];
        if (counts[c].wins + counts[c].draws + counts[c].losses == 0)
            continue;
        tally->wins += (double)counts[c].wins;
        tally->draws += (double)counts[c].draws;
        tally->losses += (double)counts[c].losses;
    }
}

static bool fit_all(Fit *fit, Ratings *ratings, const char *const *names, const RatingCount *counts,
                    size_t n_counts)
{
    size_t  room = ratings->n_players + 1;
    Named  *named = calloc(room, sizeof *named);
    size_t *places = calloc(room, sizeof *places);
    fit->players = calloc(room, sizeof *fit->players);
    bool is_good = named && places && fit->players;
    if (is_good) {
        order_players(fit, ratings, names, named, places);
        size_t m = fit->n_terms;
        fit->tallies = calloc(fit->n * fit->n + 1, sizeof *fit->tallies);
        fit->terms = calloc(4 * m, sizeof *fit->terms);
        fit->information = calloc(2 * m * m, sizeof *fit->information);
        is_good = fit->tallies && fit->terms && fit->information;
        if (is_good) {
            fit->trial = fit->terms + m;
            fit->gradient = fit->trial + m;
            fit->step = fit->gradient + m;
            fit->inverse = fit->information + m * m;
            add_counts(fit, counts, n_counts, places);
            maximise(fit);
            write_ratings(fit, ratings, fit->step);
            is_good = find_bounds(fit, ratings);
        }
    }
    free(named);
    free(places);
    return is_good;
}

Ratings *ratings_fit(const char *const *names, size_t n_players, const RatingCount *counts,
                     size_t n_counts)
{
    Ratings *ratings = calloc(1, sizeof *ratings);
    if (!ratings)
        return NULL;
    *ratings =
        (Ratings){.n_players = n_players,
                  .players = calloc(n_players + 1, sizeof *ratings->players),
                  .covariance = calloc(n_players * n_players + 1, sizeof *ratings->covariance),
                  .is_connected = true};
    Fit  fit = {0};
    bool is_good = ratings->players && ratings->covariance;
    for (size_t c = 0; is_good && c < n_counts; c++)
        if (counts[c].first != counts[c].second) {
            uint64_t n = counts[c].wins + counts[c].draws + counts[c].losses;
            ratings->players[counts[c].first].n_games += n;
            ratings->players[counts[c].second].n_games += n;
        }
    is_good = is_good && fit_all(&fit, ratings, names, counts, n_counts);
    free(fit.players);
    free(fit.tallies);
    free(fit.terms);
    free(fit.information);
    if (is_good)
        return ratings;
    ratings_free(ratings);
    return NULL;
}

void ratings_free(Ratings *ratings)
{
    if (!ratings)
        return;
    free(ratings->players);
    free(ratings->covariance);
    free(ratings);
}
