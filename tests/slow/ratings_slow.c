#include "ratings_slow.h"

#include <math.h>
#include <string.h>

enum { MAX_TERMS = SLOW_MAX_PLAYERS + 2 };

typedef struct Problem {
    const SlowGame *games;
    size_t          n_games;
    int             n_players;
} Problem;

/* What a result happens with, by the model's definition; `terms` are the players' strengths in
 * nats, then the first-player term, then log nu. */
static double chance(const Problem *problem, const double *terms, const SlowGame *game)
{
    double head_start = game->is_forfeit ? 0 : terms[problem->n_players];
    double first = exp((terms[game->first] + head_start) / 2),
           second = exp(terms[game->second] / 2);
    double win = first / second, loss = second / first,
           draw = game->is_forfeit ? 0 : exp(terms[problem->n_players + 1]);
    double wanted = game->points == 2 ? win : game->points == 0 ? loss : draw;
    return wanted / (win + loss + draw);
}

static double log_posterior(const Problem *problem, const double *terms)
{
    double sum = 0, elo = 400 / log(10);
    for (size_t g = 0; g < problem->n_games; g++)
        sum += log(chance(problem, terms, &problem->games[g]));
    for (int i = 0; i < problem->n_players; i++)
        sum -= pow(terms[i] / (1000 / elo), 2) / 2;
    sum -= pow(terms[problem->n_players] / (400 / elo), 2) / 2;
    sum -= pow(terms[problem->n_players + 1] / 10, 2) / 2;
    return sum;
}

/* The best value of one term with the others as they are, by thirds. */
static void climb_one(const Problem *problem, double *terms, int term)
{
    double low = terms[term] - 1, high = terms[term] + 1;
    while (high - low > 1e-6) {
        double third = (high - low) / 3;
        terms[term] = low + third;
        double left = log_posterior(problem, terms);
        terms[term] = high - third;
        double right = log_posterior(problem, terms);
        if (left < right)
            low += third;
        else
            high -= third;
    }
    terms[term] = (low + high) / 2;
}

static double second_difference(const Problem *problem, const double *terms, int a, int b)
{
    const double h = 1e-3;
    double       sum = 0;
    for (int corner = 0; corner < 4; corner++) {
        double moved[MAX_TERMS];
        int    up_a = corner & 1, up_b = corner >> 1;
        memcpy(moved, terms, sizeof moved);
        moved[a] += up_a ? h : -h;
        moved[b] += up_b ? h : -h;
        sum += (up_a == up_b ? 1 : -1) * log_posterior(problem, moved);
    }
    return sum / (4 * h * h);
}

/* Gauss and Jordan. */
static void invert(double matrix[MAX_TERMS][2 * MAX_TERMS], int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            matrix[i][n + j] = i == j;
    for (int pivot = 0; pivot < n; pivot++) {
        double scale = matrix[pivot][pivot];
        for (int j = 0; j < 2 * n; j++)
            matrix[pivot][j] /= scale;
        for (int i = 0; i < n; i++) {
            double factor = matrix[i][pivot];
            for (int j = 0; i != pivot && j < 2 * n; j++)
                matrix[i][j] -= factor * matrix[pivot][j];
        }
    }
}

/* What is wanted of the terms: a player's rating, or, past the last, the first-player term in Elo
 * points. */
static double in_elo(const double *terms, int n_players, int which)
{
    double mean = 0, scale = 400 / log(10) * 2 / (2 + exp(terms[n_players + 1]));
    for (int i = 0; i < n_players; i++)
        mean += terms[i] / n_players;
    return scale * (which < n_players ? terms[which] - mean : terms[n_players]);
}

static double deviation_of(const double *terms, int n_players, int which,
                           double information[MAX_TERMS][2 * MAX_TERMS])
{
    int    n = n_players + 2;
    double slopes[MAX_TERMS], variance = 0;
    for (int t = 0; t < n; t++) {
        double moved[MAX_TERMS];
        memcpy(moved, terms, sizeof moved);
        moved[t] += 1e-5;
        slopes[t] = in_elo(moved, n_players, which);
        moved[t] -= 2e-5;
        slopes[t] = (slopes[t] - in_elo(moved, n_players, which)) / 2e-5;
    }
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            variance += slopes[a] * information[a][n + b] * slopes[b];
    return sqrt(variance);
}

SlowRatings slow_ratings(const SlowGame *games, size_t n_games, int n_players)
{
    Problem     problem = {games, n_games, n_players};
    double      terms[MAX_TERMS] = {0}, information[MAX_TERMS][2 * MAX_TERMS];
    int         n = n_players + 2;
    SlowRatings ratings = {0};
    for (double before = -HUGE_VAL, now = log_posterior(&problem, terms); now > before + 1e-8;) {
        for (int t = 0; t < n; t++)
            climb_one(&problem, terms, t);
        before = now;
        now = log_posterior(&problem, terms);
    }
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            information[a][b] = -second_difference(&problem, terms, a, b);
    invert(information, n);
    for (int i = 0; i < n_players; i++) {
        ratings.elo[i] = in_elo(terms, n_players, i);
        ratings.deviation[i] = deviation_of(terms, n_players, i, information);
    }
    ratings.first_player = in_elo(terms, n_players, n_players);
    ratings.first_deviation = deviation_of(terms, n_players, n_players, information);
    ratings.draw_share = exp(terms[n_players + 1]) / (2 + exp(terms[n_players + 1]));
    return ratings;
}
