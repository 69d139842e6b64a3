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

/* log nu of a forfeit: a draw is impossible. */
#define NO_DRAWS (-INFINITY)

typedef struct Tally {
    double wins, draws, losses; /* integers below 2^53, so sums are exact */
} Tally;

/* Some of the players, sorted by name, so that the order of the input cannot change
 * the sums. The terms are their n strengths, the first-player term and log nu. */
typedef struct Fit {
    size_t  n, n_terms; /* n + 2 */
    size_t *players;    /* indices in the caller's order */
    bool   *is_centre;  /* the mean of these ratings is 0 */
    Tally  *tallies;    /* n by n: the first player's row, the second's column */
    Tally  *forfeits;   /* n by n: `wins` of the row's player because the column's forfeited */
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
    double of_draws = tally->draws > 0 ? tally->draws * log_nu : 0;
    return (tally->wins - tally->losses) * x / 2 + of_draws - n * probabilities(x, log_nu).log_sum;
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
        for (size_t j = 0; j < fit->n; j++) {
            double lead = terms[i] - terms[j];
            sum += log_likelihood(&fit->tallies[i * fit->n + j], lead + first, log_nu);
            sum += log_likelihood(&fit->forfeits[i * fit->n + j], lead, NO_DRAWS);
        }
    for (size_t t = 0; t < fit->n_terms; t++)
        sum -= terms[t] * terms[t] / (2 * deviation_of(fit, t) * deviation_of(fit, t));
    return sum;
}

static double *information_at(const Fit *fit, size_t a, size_t b)
{
    return &fit->information[a * fit->n_terms + b];
}

typedef enum TallyKind { PLAYED, SELF_PLAY, FORFEITED } TallyKind;

/* Adds the games of player i, moving first, against j. x depends on the first-player term and the
 * two strengths; in self-play on the first alone, in forfeits on the strengths alone. */
static void add_tally(Fit *fit, const Tally *tally, TallyKind kind, size_t i, size_t j)
{
    static const double signs[3] = {1, 1, -1};
    const size_t        terms[3] = {fit->n, i, j}, draws = fit->n + 1;
    size_t              from = kind == FORFEITED, to = kind == SELF_PLAY ? 1 : 3;
    double              n = tally->wins + tally->draws + tally->losses, x = 0;
    if (n == 0)
        return;
    for (size_t a = from; a < to; a++)
        x += signs[a] * fit->terms[terms[a]];
    Probabilities p = probabilities(x, kind == FORFEITED ? NO_DRAWS : fit->terms[draws]);
    double        lead = p.win - p.loss, slope = (tally->wins - tally->losses - n * lead) / 2;
    double        of_x = n * (p.win + p.loss - lead * lead) / 4, of_both = -n * lead * p.draw / 2;
    for (size_t a = from; a < to; a++) {
        fit->gradient[terms[a]] += signs[a] * slope;
        *information_at(fit, terms[a], draws) += signs[a] * of_both;
        *information_at(fit, draws, terms[a]) += signs[a] * of_both;
        for (size_t b = from; b < to; b++)
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
    add_tally(fit, &fit->self_play, SELF_PLAY, 0, 0);
    for (size_t i = 0; i < fit->n; i++)
        for (size_t j = 0; j < fit->n; j++) {
            add_tally(fit, &fit->tallies[i * fit->n + j], PLAYED, i, j);
            add_tally(fit, &fit->forfeits[i * fit->n + j], FORFEITED, i, j);
        }
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

/* ---- groups -------------------------------------------------------------------------------- */

/* Edges between players: scored points against, lost points to, played at all. */
typedef enum Direction { GOT_FROM, GAVE_TO, MET } Direction;

static bool is_edge(const Fit *fit, size_t from, size_t to, Direction direction)
{
    size_t       there = from * fit->n + to, back = to * fit->n + from;
    const Tally *away = &fit->tallies[there], *home = &fit->tallies[back];
    double       got = away->wins + home->losses + fit->forfeits[there].wins;
    double       gave = away->losses + home->wins + fit->forfeits[back].wins;
    double       drawn = away->draws + home->draws;
    return drawn > 0 || (direction != GAVE_TO && got > 0) || (direction != GOT_FROM && gave > 0);
}

/* Breadth-first search: marks the players that can be reached, and returns how many there are. */
static size_t search_from(const Fit *fit, size_t from, Direction direction, bool *is_reached,
                          size_t *queue)
{
    size_t n_queued = 0, n_done = 0;
    memset(is_reached, 0, fit->n);
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

/* How the players of a fit hang together. The arrays have an entry for each of them. */
typedef struct Groups {
    bool   *is_main;             /* in the largest group, where each scored on the way to each */
    bool   *is_below, *is_above; /* someone in the group scored on the way to it; the reverse */
    bool   *is_seen;             /* in a group already looked at */
    size_t *queue, n_main;
} Groups;

static bool groups_new(Groups *groups, size_t n)
{
    *groups = (Groups){.is_main = calloc(4 * n + 4, sizeof(bool)),
                       .queue = calloc(n + 1, sizeof(size_t))};
    if (!groups->is_main || !groups->queue)
        return false;
    groups->is_below = groups->is_main + n + 1;
    groups->is_above = groups->is_below + n + 1;
    groups->is_seen = groups->is_above + n + 1;
    return true;
}

static void groups_free(Groups *groups)
{
    free(groups->is_main);
    free(groups->queue);
}

/* Finds the group of a player: those it can reach who can reach it. Returns its size. */
static size_t group_of(const Fit *fit, Groups *groups, size_t player)
{
    size_t n_group = 0;
    search_from(fit, player, GOT_FROM, groups->is_below, groups->queue);
    search_from(fit, player, GAVE_TO, groups->is_above, groups->queue);
    for (size_t i = 0; i < fit->n; i++) {
        bool is_member = groups->is_below[i] && groups->is_above[i];
        groups->is_seen[i] |= is_member;
        n_group += is_member;
    }
    return n_group;
}

/* Finds the largest group; of several, that with the first name. */
static void find_main_group(const Fit *fit, Groups *groups)
{
    size_t member = 0, n_left = fit->n;
    for (size_t i = 0; i < fit->n && n_left > groups->n_main; i++) {
        if (groups->is_seen[i])
            continue;
        size_t n_group = group_of(fit, groups, i);
        n_left -= n_group;
        if (n_group > groups->n_main) {
            groups->n_main = n_group;
            member = i;
        }
    }
    if (fit->n == 0)
        return;
    (void)group_of(fit, groups, member);
    for (size_t i = 0; i < fit->n; i++)
        groups->is_main[i] = groups->is_below[i] && groups->is_above[i];
}

static bool has_scored(const Fit *fit, size_t player)
{
    for (size_t i = 0; i < fit->n; i++)
        if (is_edge(fit, player, i, GOT_FROM))
            return true;
    return false;
}

/* ---- Elo ----------------------------------------------------------------------------------- */

static Estimate estimate(double value, double deviation)
{
    return (Estimate){value, value - STATS_Z_95 * deviation, value + STATS_Z_95 * deviation};
}

/* The mean over the players of the group, to whom all others are compared. */
static double group_mean(const Fit *fit, const double *values)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < fit->n; i++)
        if (fit->is_centre[i]) {
            sum += values[i];
            n++;
        }
    return n > 0 ? sum / n : 0;
}

/* Ratings are centred at 0 and scaled by 2 / (2 + nu). Their covariance is that of the centred
 * strengths, plus the part due to the scale (delta method). */
static void write_ratings(const Fit *fit, Ratings *ratings, double *row_means)
{
    size_t        n = fit->n, m = fit->n_terms;
    const double *sigma = fit->inverse, *draws_row = sigma + (n + 1) * m;
    double        nu = exp(fit->terms[n + 1]), scale = ELO_PER_NAT * 2 / (2 + nu),
           scale_slope = -scale * nu / (2 + nu);
    for (size_t i = 0; i < n; i++)
        row_means[i] = group_mean(fit, sigma + i * m);
    double mean = group_mean(fit, fit->terms), all_mean = group_mean(fit, row_means),
           draws_mean = group_mean(fit, draws_row);
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
}

/* The terms that belong to no player. */
static void write_other_terms(const Fit *fit, Ratings *ratings)
{
    size_t        n = fit->n, m = fit->n_terms;
    const double *sigma = fit->inverse, *draws_row = sigma + (n + 1) * m;
    double        nu = exp(fit->terms[n + 1]), scale = ELO_PER_NAT * 2 / (2 + nu),
           scale_slope = -scale * nu / (2 + nu);
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

/* What is fitted, and to whom. */
typedef struct Input {
    const char *const *names;
    size_t             n_players;
    const RatingCount *counts;
    size_t             n_counts;
    const bool        *is_included; /* by the caller's indices */
} Input;

/* Sorts the included players by name; `places` maps the caller's indices to the fit's. */
static void order_players(Fit *fit, const Input *input, Named *named, size_t *places)
{
    for (size_t i = 0; i < input->n_players; i++)
        if (input->is_included[i])
            named[fit->n++] = (Named){input->names[i], i};
    if (fit->n > 0)
        qsort(named, fit->n, sizeof *named, by_name);
    for (size_t i = 0; i < fit->n; i++) {
        fit->players[i] = named[i].player;
        fit->is_centre[i] = true;
        places[named[i].player] = i;
    }
    fit->n_terms = fit->n + 2;
}

static void add_counts(Fit *fit, const Input *input, const size_t *places)
{
    for (size_t c = 0; c < input->n_counts; c++) {
        const RatingCount *count = &input->counts[c];
        bool               is_self_play = count->first == count->second;
        bool is_in = input->is_included[count->first] && input->is_included[count->second];
        if (!is_in && !(is_self_play && fit->n == 0)) /* all that there is to know */
            continue;
        size_t row = places[count->first], column = places[count->second];
        Tally *tally = is_self_play ? &fit->self_play : &fit->tallies[row * fit->n + column];
        tally->wins += (double)count->wins;
        tally->draws += (double)count->draws;
        tally->losses += (double)count->losses;
        if (is_self_play)
            continue;
        fit->forfeits[row * fit->n + column].wins += (double)count->forfeits[1];
        fit->forfeits[column * fit->n + row].wins += (double)count->forfeits[0];
    }
}

static void fit_release(Fit *fit)
{
    free(fit->players);
    free(fit->is_centre);
    free(fit->tallies);
    free(fit->terms);
    free(fit->information);
}

/* Reads the games of the included players. False when out of memory. */
static bool fit_read(Fit *fit, const Input *input)
{
    size_t  room = input->n_players + 1;
    Named  *named = calloc(room, sizeof *named);
    size_t *places = calloc(room, sizeof *places);
    *fit = (Fit){.players = calloc(room, sizeof *fit->players),
                 .is_centre = calloc(room, sizeof *fit->is_centre)};
    bool is_good = named && places && fit->players && fit->is_centre;
    if (is_good) {
        order_players(fit, input, named, places);
        size_t m = fit->n_terms, n_pairs = fit->n * fit->n;
        fit->tallies = calloc(2 * n_pairs + 1, sizeof *fit->tallies);
        fit->terms = calloc(4 * m, sizeof *fit->terms);
        fit->information = calloc(2 * m * m, sizeof *fit->information);
        is_good = fit->tallies && fit->terms && fit->information;
        if (is_good) {
            fit->forfeits = fit->tallies + n_pairs;
            fit->trial = fit->terms + m;
            fit->gradient = fit->trial + m;
            fit->step = fit->gradient + m;
            fit->inverse = fit->information + m * m;
            add_counts(fit, input, places);
        }
    }
    free(named);
    free(places);
    return is_good;
}

/* ---- who is rated -------------------------------------------------------------------------- */

/* Leaves out the players without games and those without a game played to its end. */
static void find_unrated(const Input *input, Ratings *ratings)
{
    for (size_t i = 0; i < input->n_players; i++)
        ratings->players[i].status = UNRATED_NO_GAMES;
    for (size_t c = 0; c < input->n_counts; c++) {
        const RatingCount *count = &input->counts[c];
        RatingStatus      *of[2] = {&ratings->players[count->first].status,
                                    &ratings->players[count->second].status};
        bool               is_played = count->wins + count->draws + count->losses > 0,
             is_forfeited = count->forfeits[0] + count->forfeits[1] > 0;
        for (int i = 0; i < 2 && count->first != count->second; i++)
            if (is_played)
                *of[i] = RATED;
            else if (is_forfeited && *of[i] == UNRATED_NO_GAMES)
                *of[i] = UNRATED_FORFEITS;
    }
}

/* Bounds where all are fitted together: the group's, and no group of more than one has none. */
static void write_bounds(const Fit *fit, const Groups *groups, Ratings *ratings)
{
    for (size_t i = 0; i < fit->n; i++) {
        Rating *rating = &ratings->players[fit->players[i]];
        rating->has_low = groups->is_above[i];
        rating->has_high = groups->is_below[i];
        if (groups->n_main > 1 && !groups->is_main[i] && !has_scored(fit, i))
            rating->status = UNRATED_LOST_EVERY;
    }
}

/* Without a group of more than one: a rating is bounded below if a chain in which each scored
 * against the next leads from it to all others, and above if chains lead from all others to it. */
static void write_bounds_of_a_ladder(const Fit *fit, Groups *groups, Ratings *ratings)
{
    for (size_t i = 0; i < fit->n; i++) {
        Rating *rating = &ratings->players[fit->players[i]];
        rating->has_low = search_from(fit, i, GOT_FROM, groups->is_seen, groups->queue) == fit->n;
        rating->has_high = search_from(fit, i, GAVE_TO, groups->is_seen, groups->queue) == fit->n;
    }
}

/* Fits the included players. With `is_group`, by caller's indices, ratings are relative to those.
 */
static bool fit_players(const Input *input, const bool *is_group, Ratings *ratings)
{
    Fit  fit;
    bool is_good = fit_read(&fit, input);
    if (is_good) {
        for (size_t i = 0; i < fit.n && is_group; i++)
            fit.is_centre[i] = is_group[fit.players[i]];
        maximise(&fit);
        write_ratings(&fit, ratings, fit.step);
        write_other_terms(&fit, ratings);
    }
    fit_release(&fit);
    return is_good;
}

/* Fits everybody for the sake of those outside of the group, and then the group by itself. */
static bool fit_group_apart(const Fit *all, const Groups *groups, Input input, Ratings *ratings,
                            bool *is_included)
{
    size_t room = input.n_players + 1, n_rated = 0;
    bool  *is_group = calloc(room, sizeof *is_group);
    if (!is_group)
        return false;
    for (size_t i = 0; i < all->n; i++) {
        size_t player = all->players[i];
        is_group[player] = groups->is_main[i];
        is_included[player] = ratings->players[player].status == RATED;
        n_rated += is_included[player];
    }
    bool is_good = n_rated == groups->n_main || fit_players(&input, is_group, ratings);
    input.is_included = is_group;
    is_good = is_good && fit_players(&input, NULL, ratings);
    free(is_group);
    return is_good;
}

static bool fit_all(const Input *input, Ratings *ratings, bool *is_included)
{
    Fit    all;
    Groups groups = {0};
    bool   is_good = fit_read(&all, input) && groups_new(&groups, all.n);
    if (is_good) {
        find_main_group(&all, &groups);
        bool is_ladder = groups.n_main < 2;
        write_bounds(&all, &groups, ratings);
        if (is_ladder)
            write_bounds_of_a_ladder(&all, &groups, ratings);
        if (is_ladder || groups.n_main == all.n)
            is_good = fit_players(input, NULL, ratings);
        else
            is_good = fit_group_apart(&all, &groups, *input, ratings, is_included);
        if (all.n > 0)
            ratings->is_connected =
                search_from(&all, 0, MET, groups.is_seen, groups.queue) == all.n;
    }
    groups_free(&groups);
    fit_release(&all);
    return is_good;
}

Ratings *ratings_fit(const char *const *names, size_t n_players, const RatingCount *counts,
                     size_t n_counts)
{
    Ratings *ratings = calloc(1, sizeof *ratings);
    bool    *is_included = calloc(n_players + 1, sizeof *is_included);
    Input    input = {names, n_players, counts, n_counts, is_included};
    if (ratings)
        *ratings =
            (Ratings){.n_players = n_players,
                      .players = calloc(n_players + 1, sizeof *ratings->players),
                      .covariance = calloc(n_players * n_players + 1, sizeof *ratings->covariance),
                      .is_connected = true};
    bool is_good = is_included && ratings && ratings->players && ratings->covariance;
    if (is_good) {
        find_unrated(&input, ratings);
        for (size_t i = 0; i < n_players; i++)
            is_included[i] = ratings->players[i].status == RATED;
        is_good = fit_all(&input, ratings, is_included);
    }
    free(is_included);
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
