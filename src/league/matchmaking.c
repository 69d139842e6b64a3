/* Matchmaking by A-optimal design. With S the covariance of the ratings, u = S (e_i - e_j) and
 * s2 = u_i - u_j the variance of the difference of i and j, games with information t change S by
 * - t u u' / (1 + t s2), and its trace by - t |u|^2 / (1 + t s2). |u|^2 follows from Q = S S, which
 * is updated with S, so that a pair costs O(n^2) and a round O(n^3).
 *
 * Ratings of newcomers are guesses, so the information of a game is its mean over what the
 * difference may be: the logistic curve averaged over a normal distribution, by MacKay's
 * approximation. */
#include "league/matchmaking.h"

#include <math.h>
#include <stdlib.h>

#define NATS_PER_ELO 0.005756462732485115 /* ln 10 / 400 */
#define PRIOR_DEVIATION 400.0             /* of a rating, in Elo */
#define EIGHTH_OF_PI 0.39269908169872414

typedef struct Matchmaking {
    size_t           n;
    const Candidate *candidates;
    double          *covariance, *square; /* n by n: S, and S S */
    double          *change, *image;      /* u, and S u */
    unsigned        *n_left;              /* how many pairs a candidate may still have */
    bool            *is_paired;           /* n by n: in this round */
    double           n_pair_games;
} Matchmaking;

/* p (1 - p) of the logistic curve at x is 1 / (2 cosh(x/2))^2. The hyperbolic cosine is a sum of
 * its first terms, because the exponential function is not the same in every C library. */
double matchmaking_information(double elo_difference)
{
    double half = NATS_PER_ELO * elo_difference / 2, square = half * half;
    double cosh_half = 1 + square / 2 * (1 + square / 12 * (1 + square / 30 * (1 + square / 56)));
    return NATS_PER_ELO * NATS_PER_ELO / (4 * cosh_half * cosh_half);
}

/* The same where the difference has a variance. */
static double mean_information(double elo_difference, double variance)
{
    double flatter = 1 / sqrt(1 + EIGHTH_OF_PI * NATS_PER_ELO * NATS_PER_ELO * variance);
    return matchmaking_information(elo_difference * flatter);
}

/* ---- the covariance ------------------------------------------------------------------------ */

/* The information matrix of the games played, and the prior. */
static void fill_information(Matchmaking *making, const uint32_t *played)
{
    size_t  n = making->n;
    double *matrix = making->covariance;
    for (size_t i = 0; i < n; i++) {
        double own = 1 / (PRIOR_DEVIATION * PRIOR_DEVIATION) + making->candidates[i].precision;
        for (size_t j = 0; j < n; j++) {
            double told = 0;
            if (i != j && played[i * n + j] > 0)
                told = played[i * n + j] * matchmaking_information(making->candidates[i].elo -
                                                                   making->candidates[j].elo);
            matrix[i * n + j] = -told;
            own += told;
        }
        matrix[i * n + i] = own;
    }
}

/* Inverts a positive definite matrix in place, by Gauss-Jordan sweeps of its diagonal. */
static void invert(double *matrix, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        double pivot = matrix[k * n + k];
        for (size_t i = 0; i < n; i++) {
            if (i == k)
                continue;
            double factor = matrix[i * n + k] / pivot;
            for (size_t j = 0; j < n; j++)
                if (j != k)
                    matrix[i * n + j] -= factor * matrix[k * n + j];
            matrix[i * n + k] = -factor;
        }
        for (size_t j = 0; j < n; j++)
            if (j != k)
                matrix[k * n + j] /= pivot;
        matrix[k * n + k] = 1 / pivot;
    }
}

static void fill_square(Matchmaking *making)
{
    size_t        n = making->n;
    const double *s = making->covariance;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) {
            double sum = 0;
            for (size_t k = 0; k < n; k++)
                sum += s[i * n + k] * s[j * n + k];
            making->square[i * n + j] = making->square[j * n + i] = sum;
        }
}

/* ---- pairs --------------------------------------------------------------------------------- */

/* v' M v for v = e_i - e_j. */
static double between(const double *matrix, size_t n, size_t i, size_t j)
{
    return matrix[i * n + i] + matrix[j * n + j] - matrix[i * n + j] - matrix[j * n + i];
}

static double information_of(const Matchmaking *making, size_t i, size_t j, double variance)
{
    double difference = making->candidates[i].elo - making->candidates[j].elo;
    return making->n_pair_games * mean_information(difference, variance);
}

/* By how much the sum of all variances falls. */
static double gain_of(const Matchmaking *making, size_t i, size_t j)
{
    double variance = between(making->covariance, making->n, i, j);
    double told = information_of(making, i, j, variance);
    return told * between(making->square, making->n, i, j) / (1 + told * variance);
}

static bool find_best(const Matchmaking *making, PlanPair *best)
{
    size_t n = making->n;
    double best_gain = -1;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n && making->n_left[i] > 0; j++) {
            if (making->n_left[j] == 0 || making->is_paired[i * n + j])
                continue;
            double gain = gain_of(making, i, j);
            if (gain > best_gain) {
                best_gain = gain;
                *best = (PlanPair){i, j};
            }
        }
    return best_gain >= 0;
}

/* Counts the games of a pair as played. */
static void take_pair(Matchmaking *making, PlanPair pair)
{
    size_t  n = making->n, i = pair.first, j = pair.second;
    double *s = making->covariance, *q = making->square, *u = making->change, *w = making->image;
    double  variance = between(s, n, i, j), told = information_of(making, i, j, variance),
           share = told / (1 + told * variance), length = between(q, n, i, j);
    for (size_t a = 0; a < n; a++) {
        u[a] = s[a * n + i] - s[a * n + j];
        w[a] = q[a * n + i] - q[a * n + j]; /* S u = S S v */
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) {
            s[a * n + b] -= share * u[a] * u[b];
            q[a * n + b] += share * (share * length * u[a] * u[b] - w[a] * u[b] - u[a] * w[b]);
        }
    making->n_left[i]--;
    making->n_left[j]--;
    making->is_paired[i * n + j] = making->is_paired[j * n + i] = true;
}

static int by_count(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* The median of the games that candidates have played; 0 when out of memory. */
static uint64_t median_games(const Candidate *candidates, size_t n)
{
    uint64_t *counts = calloc(n + 1, sizeof *counts);
    size_t    n_counts = 0;
    for (size_t i = 0; counts && i < n; i++)
        if (!candidates[i].is_resting)
            counts[n_counts++] = candidates[i].n_games;
    if (n_counts > 0)
        qsort(counts, n_counts, sizeof *counts, by_count);
    uint64_t median = n_counts > 0 ? counts[n_counts / 2] : 0;
    free(counts);
    return median;
}

static void allow_pairs(Matchmaking *making)
{
    uint64_t median = median_games(making->candidates, making->n);
    for (size_t i = 0; i < making->n; i++) {
        const Candidate *candidate = &making->candidates[i];
        bool is_newcomer = candidate->n_games < PLACEMENT_GAMES && candidate->n_games < median / 2;
        if (!candidate->is_resting)
            making->n_left[i] = is_newcomer ? MAX_NEWCOMER_PAIRS : 1;
    }
}

bool matchmaking_pairs(const Candidate *candidates, size_t n, const uint32_t *played,
                       uint64_t n_pair_games, PlanPair *pairs, size_t *n_pairs)
{
    Matchmaking making = {.n = n,
                          .candidates = candidates,
                          .covariance = calloc(n * n + 1, sizeof(double)),
                          .square = calloc(n * n + 1, sizeof(double)),
                          .change = calloc(n + 1, sizeof(double)),
                          .image = calloc(n + 1, sizeof(double)),
                          .n_left = calloc(n + 1, sizeof(unsigned)),
                          .is_paired = calloc(n * n + 1, sizeof(bool)),
                          .n_pair_games = (double)n_pair_games};
    bool        is_good = making.covariance && making.square && making.change && making.image &&
                   making.n_left && making.is_paired;
    *n_pairs = 0;
    if (is_good) {
        fill_information(&making, played);
        invert(making.covariance, n);
        fill_square(&making);
        allow_pairs(&making);
        for (PlanPair pair; find_best(&making, &pair);) {
            take_pair(&making, pair);
            pairs[(*n_pairs)++] = pair;
        }
    }
    free(making.covariance);
    free(making.square);
    free(making.change);
    free(making.image);
    free(making.n_left);
    free(making.is_paired);
    return is_good;
}
