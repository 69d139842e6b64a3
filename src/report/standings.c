/* Totals of each player over all pairings, one joint rating fit (base/ratings.h), and the order
 * that follows: by rating, then score, then name, so that equal input gives equal output. A Swiss
 * tournament is ordered by points, then by Buchholz, and only then by rating. */
#include "report/standings.h"

#include "base/stats.h"
#include "base/checked_json.h"
#include "games/totals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- adding up ----------------------------------------------------------------------------- */

static int by_name(const void *left, const void *right)
{
    const char *a = ((const Standing *)left)->name, *b = ((const Standing *)right)->name;
    return a == b ? 0 : strcmp(a, b);
}

/* Lists every player once, by name. */
static void list_players(Standings *standings, const PairingResult *results, size_t n_results,
                         const SwissEvent *swiss)
{
    size_t n_names = 0;
    for (size_t i = 0; i < 2 * n_results; i++)
        standings->list[n_names++].name = results[i / 2].names[i % 2];
    for (size_t i = 0; swiss && i < swiss->n_entrants; i++)
        standings->list[n_names++].name = swiss->entrants[i].name; /* it may have had byes only */
    for (size_t i = 0; i < n_names; i++)
        standings->list[i].totals = TOTALS_NONE;
    if (n_names > 0)
        qsort(standings->list, n_names, sizeof *standings->list, by_name);
    for (size_t i = 0; i < n_names; i++)
        if (standings->n == 0 || by_name(&standings->list[standings->n - 1], &standings->list[i]))
            standings->list[standings->n++] = standings->list[i];
}

static size_t place_of(const Standings *standings, const char *name)
{
    const Standing  wanted = {.name = name};
    const Standing *found = bsearch(&wanted, standings->list, standings->n, sizeof wanted, by_name);
    return (size_t)(found - standings->list);
}

static RatingCount count_of(size_t first, size_t second, const TurfTotals *totals)
{
    uint64_t forfeits[2] = {stats_forfeits(totals, 0), stats_forfeits(totals, 1)};
    return (RatingCount){.first = first,
                         .second = second,
                         .wins = totals->endings[TURF_WON_BY_FIRST] - forfeits[1],
                         .losses = totals->endings[TURF_WON_BY_SECOND] - forfeits[0],
                         .draws = stats_draws(totals),
                         .forfeits = {forfeits[0], forfeits[1]}};
}

/* Adds a pairing to the totals of both players, and fills in the two counts for the fit. */
static void add_result(Standings *standings, const PairingResult *result, RatingCount counts[2])
{
    size_t first = place_of(standings, result->names[0]),
           second = place_of(standings, result->names[1]);
    TurfTotals other_way = totals_exchanged(&result->totals[1]);
    counts[0] = count_of(first, second, &result->totals[0]);
    counts[1] = count_of(second, first, &other_way);
    totals_add(&standings->all, &result->totals[0]);
    totals_add(&standings->all, &other_way);
    for (int i = 0; i < 2 && first != second; i++) {
        TurfTotals other = totals_exchanged(&result->totals[i]);
        totals_add(&standings->list[first].totals, &result->totals[i]);
        totals_add(&standings->list[second].totals, &other);
    }
}

/* ---- Swiss tournaments ---------------------------------------------------------------------- */

static void count_points(Standing *standing)
{
    const TurfTotals *t = &standing->totals;
    standing->points = (double)t->endings[TURF_WON_BY_FIRST] + (double)stats_draws(t) / 2;
}

/* Counts the byes of the rounds from `from` to `to` (pairings of one round), which score like
 * winning every game. has_played has room for every player. */
static void count_byes(Standings *standings, const SwissEvent *swiss, const size_t *places,
                       size_t from, size_t to, bool *has_played)
{
    memset(has_played, 0, standings->n * sizeof *has_played);
    for (size_t i = from; i < to; i++)
        has_played[places[2 * i]] = has_played[places[2 * i + 1]] = true;
    for (size_t i = 0; i < standings->n; i++)
        if (!has_played[i]) {
            standings->list[i].n_byes++;
            standings->list[i].points += (double)swiss->pairings[from].n_games;
        }
}

/* Points, byes and Buchholz. A bye counts for Buchholz as an opponent with as many points as the
 * player itself, as FIDE's rules on tie-breaks have it. */
static bool score_swiss(Standings *standings, const PairingResult *results, size_t n_results,
                        const SwissEvent *swiss)
{
    size_t *places = calloc(2 * n_results + 1, sizeof *places);
    bool   *has_played = calloc(standings->n + 1, sizeof *has_played);
    bool    is_good = places && has_played;
    for (size_t i = 0; is_good && i < 2 * n_results; i++)
        places[i] = place_of(standings, results[i / 2].names[i % 2]);
    for (size_t from = 0, to; is_good && from < n_results; from = to) {
        for (to = from + 1;
             to < n_results && swiss->pairings[to].round == swiss->pairings[from].round;)
            to++;
        count_byes(standings, swiss, places, from, to, has_played);
    }
    for (size_t i = 0; is_good && i < n_results; i++) {
        Standing *one = &standings->list[places[2 * i]],
                 *other = &standings->list[places[2 * i + 1]];
        one->buchholz += other->points;
        other->buchholz += one->points;
    }
    for (size_t i = 0; is_good && i < standings->n; i++)
        standings->list[i].buchholz +=
            (double)standings->list[i].n_byes * standings->list[i].points;
    free(places);
    free(has_played);
    return is_good;
}

/* ---- the order ----------------------------------------------------------------------------- */

typedef struct Placed {
    const Standing *standing;
    size_t          player; /* in the fit */
} Placed;

/* By rating, with unrated players last; then by score and by name. */
static int by_rating(const void *left, const void *right)
{
    const Standing *a = ((const Placed *)left)->standing, *b = ((const Placed *)right)->standing;
    bool            has_a = a->rating.status == RATED, has_b = b->rating.status == RATED;
    if (has_a != has_b)
        return has_a ? -1 : 1;
    double elos[2] = {has_a ? a->rating.elo.value : 0, has_b ? b->rating.elo.value : 0};
    double scores[2] = {stats_score(&a->totals).value, stats_score(&b->totals).value};
    if (fabs(elos[0] - elos[1]) > 1e-6)
        return elos[0] > elos[1] ? -1 : 1;
    if (scores[0] != scores[1])
        return scores[0] > scores[1] ? -1 : 1;
    return strcmp(a->name, b->name);
}

static int by_points(const void *left, const void *right)
{
    const Standing *a = ((const Placed *)left)->standing, *b = ((const Placed *)right)->standing;
    if (a->points != b->points)
        return a->points > b->points ? -1 : 1;
    if (a->buchholz != b->buchholz)
        return a->buchholz > b->buchholz ? -1 : 1;
    return by_rating(left, right);
}

/* Which players are listed? */
typedef struct Filter {
    PlayerFilter *is_listed; /* NULL: all */
    const void   *context;
} Filter;

static bool put_in_order(Standings *standings, const Ratings *ratings, const Filter *filter)
{
    size_t    n = standings->n;
    Placed   *places = calloc(n + 1, sizeof *places);
    Standing *ordered = calloc(n + 1, sizeof *ordered);
    bool      is_good = places && ordered;
    n = 0;
    for (size_t i = 0; is_good && i < standings->n; i++) {
        standings->list[i].rating = ratings->players[i];
        if (!filter->is_listed || filter->is_listed(filter->context, standings->list[i].name))
            places[n++] = (Placed){&standings->list[i], i};
    }
    if (is_good && n > 0)
        qsort(places, n, sizeof *places, standings->is_swiss ? by_points : by_rating);
    for (size_t i = 0; is_good && i < n; i++) {
        ordered[i] = *places[i].standing;
        ordered[i].superiority =
            i + 1 < n ? ratings_superiority(ratings, places[i].player, places[i + 1].player) : 0.5;
    }
    free(places);
    if (!is_good) {
        free(ordered);
        return false;
    }
    free(standings->list);
    standings->list = ordered;
    standings->n = n;
    return true;
}

static bool rate(Standings *standings, const RatingCount *counts, size_t n_counts,
                 const Filter *filter)
{
    const char **names = calloc(standings->n + 1, sizeof *names);
    for (size_t i = 0; names && i < standings->n; i++)
        names[i] = standings->list[i].name;
    Ratings *ratings = names ? ratings_fit(names, standings->n, counts, n_counts) : NULL;
    bool     is_good = ratings && put_in_order(standings, ratings, filter);
    if (is_good) {
        standings->first_player = ratings->first_player;
        standings->knows_first = ratings->knows_first;
        standings->is_connected = ratings->is_connected;
        standings->draw_share = ratings->draw_share;
    }
    ratings_free(ratings);
    free(names);
    return is_good;
}

static Standings *new_standings(const PairingResult *results, size_t n_results,
                                const SwissEvent *swiss, const Filter *filter)
{
    size_t       n_names = 2 * n_results + (swiss ? swiss->n_entrants : 0);
    Standings   *standings = calloc(1, sizeof *standings);
    RatingCount *counts = calloc(2 * n_results + 1, sizeof *counts);
    if (standings)
        *standings = (Standings){.list = calloc(n_names + 1, sizeof *standings->list),
                                 .is_swiss = swiss != NULL,
                                 .all = TOTALS_NONE};
    bool is_good = standings && standings->list && counts;
    if (is_good)
        list_players(standings, results, n_results, swiss);
    for (size_t i = 0; is_good && i < n_results; i++)
        add_result(standings, &results[i], &counts[2 * i]);
    for (size_t i = 0; is_good && i < standings->n; i++)
        count_points(&standings->list[i]);
    is_good = is_good && (!swiss || score_swiss(standings, results, n_results, swiss)) &&
              rate(standings, counts, 2 * n_results, filter);
    free(counts);
    if (is_good)
        return standings;
    standings_free(standings);
    return NULL;
}

Standings *standings_new(const PairingResult *results, size_t n_results, const SwissEvent *swiss)
{
    return new_standings(results, n_results, swiss, &(Filter){NULL, NULL});
}

Standings *standings_new_of(const PairingResult *results, size_t n_results, PlayerFilter *is_listed,
                            const void *context)
{
    return new_standings(results, n_results, NULL, &(Filter){is_listed, context});
}

void standings_free(Standings *standings)
{
    if (!standings)
        return;
    free(standings->list);
    free(standings);
}

/* ---- text ---------------------------------------------------------------------------------- */

const char *standings_unrated_text(const Rating *rating)
{
    switch (rating->status) {
    case RATED: return NULL;
    case UNRATED_FORFEITS: return "only forfeits";
    case UNRATED_LOST_EVERY: return "lost every game";
    default: return "no games";
    }
}

void standings_interval_text(const Rating *rating, char text[48])
{
    double low = stats_shown(rating->elo.low, 0), high = stats_shown(rating->elo.high, 0);
    if (rating->status != RATED)
        (void)snprintf(text, 48, "%s", standings_unrated_text(rating));
    else if (rating->has_low && rating->has_high)
        (void)snprintf(text, 48, "%+.0f to %+.0f", low, high);
    else if (rating->has_low)
        (void)snprintf(text, 48, "%+.0f or more", low);
    else if (rating->has_high)
        (void)snprintf(text, 48, "%+.0f or less", high);
    else
        (void)snprintf(text, 48, "no bounds");
}

void standings_likelihood_text(double likelihood, char text[16])
{
    if (likelihood > 0.9995 || likelihood < 0.0005)
        (void)snprintf(text, 16, likelihood > 0.5 ? "> 99.9 %%" : "< 0.1 %%");
    else
        (void)snprintf(text, 16, "%.1f %%", 100 * likelihood);
}

/* Is the player at `i` to be compared with the next one? Both must have a rating. */
static bool has_superiority(const Standings *standings, size_t i)
{
    return i + 1 < standings->n && standings->list[i].rating.status == RATED &&
           standings->list[i + 1].rating.status == RATED;
}

static void add_standing(Table *table, const Standings *standings, size_t i)
{
    const Standing   *standing = &standings->list[i];
    const TurfTotals *t = &standing->totals;
    char              interval[48], superiority[16];
    bool              is_rated = standing->rating.status == RATED;
    standings_interval_text(&standing->rating, interval);
    standings_likelihood_text(standing->superiority, superiority);
    if (is_rated || standings->is_swiss)
        table_add(table, "%zu", i + 1);
    else
        table_add(table, "%s", ""); /* listed apart, below those who are rated */
    table_add(table, "%s", standing->name);
    if (standings->is_swiss) {
        table_add(table, "%.1f", standing->points);
        table_add(table, "%.1f", standing->buchholz);
    }
    table_add(table, "%llu", (unsigned long long)t->n_games);
    table_add(table, "%llu", (unsigned long long)t->endings[TURF_WON_BY_FIRST]);
    table_add(table, "%llu", (unsigned long long)t->endings[TURF_WON_BY_SECOND]);
    table_add(table, "%llu", (unsigned long long)stats_draws(t));
    table_add(table, "%.2f %%", 100 * stats_score(t).value);
    if (is_rated)
        table_add(table, "%+.0f", stats_shown(standing->rating.elo.value, 0));
    else
        table_add(table, "%s", "");
    table_add(table, "%s", interval);
    table_add(table, "%s", has_superiority(standings, i) ? superiority : "");
}

Table *standings_table(const Standings *standings)
{
    static const char *const titles[] = {"",      "player", "games", "won",           "lost",
                                         "drawn", "score",  "Elo",   "95 % interval", "LOS"};
    static const char *const swiss_titles[] = {"",      "player", "points",        "Buchholz",
                                               "games", "won",    "lost",          "drawn",
                                               "score", "Elo",    "95 % interval", "LOS"};
    if (!standings)
        return NULL;
    Table *table = standings->is_swiss ? table_new("rlrrrrrrrrrr", swiss_titles)
                                       : table_new("rlrrrrrrrr", titles);
    for (size_t i = 0; i < standings->n; i++)
        add_standing(table, standings, i);
    return table;
}

/* Lists the players whose rating is unbounded on one side. */
static void print_unbounded(const Standings *standings, bool is_above, FILE *out)
{
    bool is_more = false;
    for (size_t i = 0; i < standings->n; i++) {
        const Rating *rating = &standings->list[i].rating;
        if (rating->status != RATED || (is_above ? rating->has_high : rating->has_low))
            continue;
        if (is_more)
            fputs(", ", out);
        else
            fprintf(out, "Too few games to bound from %s: ", is_above ? "above" : "below");
        fputs(standings->list[i].name, out);
        is_more = true;
    }
    if (is_more)
        fputs(is_above ? " (some players never got a point off them).\n"
                       : " (never got a point off some players).\n",
              out);
}

/* Lists the players who have no rating for a reason that is not obvious. */
static void print_unrated(const Standings *standings, RatingStatus status, const char *why,
                          FILE *out)
{
    bool is_more = false;
    for (size_t i = 0; i < standings->n; i++) {
        if (standings->list[i].rating.status != status)
            continue;
        fprintf(out, "%s%s", is_more ? ", " : "Not rated: ", standings->list[i].name);
        is_more = true;
    }
    if (is_more)
        fprintf(out, " (%s). The others are rated as if without them.\n", why);
}

void standings_print_notes(const Standings *standings, const TurfGame *game, FILE *out)
{
    const TurfTotals *all = &standings->all;
    if (all->n_games == 0)
        return;
    if (standings->is_swiss)
        fputs("Buchholz: the points of all opponents, which orders players with equal points; a "
              "bye counts as an opponent with the player's own points.\n",
              out);
    fputs("LOS: how likely it is that a player is stronger than the next one.\n", out);
    const char *first = game_is_simultaneous(game) ? "Being player 1" : "Moving first";
    if (standings->knows_first)
        fprintf(out, "%s is worth %+.0f Elo (%+.0f to %+.0f).\n", first,
                stats_shown(standings->first_player.value, 0),
                stats_shown(standings->first_player.low, 0),
                stats_shown(standings->first_player.high, 0));
    else
        fprintf(out, "%s cannot be told from being stronger: too few games with sides changed.\n",
                first);
    if (stats_draws(all) > 0) {
        fputs("Draws:", out);
        bool is_more = false;
        for (int ending = TURF_DRAWN; ending < TURF_N_ENDINGS; ending++)
            if (game->ending_names[ending] &&
                (all->endings[ending] > 0 || game->ending_names[TURF_STALEMATE])) {
                fprintf(out, "%s %llu %s", is_more ? "," : "",
                        (unsigned long long)all->endings[ending], game->ending_names[ending]);
                is_more = true;
            }
        fprintf(out, " of %llu games.\n", (unsigned long long)all->n_games);
    }
    if (!standings->is_connected)
        fputs("Some players share no opponents, not even through others: their ratings cannot "
              "be compared.\n",
              out);
    print_unbounded(standings, true, out);
    print_unbounded(standings, false, out);
    print_unrated(standings, UNRATED_LOST_EVERY, "lost every game", out);
    print_unrated(standings, UNRATED_FORFEITS, "every game ended by a forfeit", out);
}

/* ---- the cross table ----------------------------------------------------------------------- */

static void add_to_cell(CrossCell *cell, const TurfTotals *totals)
{
    cell->wins += totals->endings[TURF_WON_BY_FIRST];
    cell->losses += totals->endings[TURF_WON_BY_SECOND];
    cell->draws += stats_draws(totals);
}

static size_t find_place(const Standings *standings, const char *name)
{
    size_t i = 0;
    while (i < standings->n && strcmp(standings->list[i].name, name))
        i++;
    return i;
}

CrossCell *standings_cross_cells(const Standings *standings, const PairingResult *results,
                                 size_t n_results)
{
    size_t     n = standings->n;
    CrossCell *cells = calloc(n * n + 1, sizeof *cells);
    for (size_t r = 0; cells && r < n_results; r++) {
        size_t first = find_place(standings, results[r].names[0]),
               second = find_place(standings, results[r].names[1]);
        for (int side = 0; side < 2 && first != second; side++) {
            TurfTotals other = totals_exchanged(&results[r].totals[side]);
            add_to_cell(&cells[first * n + second], &results[r].totals[side]);
            add_to_cell(&cells[second * n + first], &other);
        }
    }
    return cells;
}

double cross_cell_score(const CrossCell *cell)
{
    double n = (double)(cell->wins + cell->draws + cell->losses);
    return n > 0 ? ((double)cell->wins + (double)cell->draws / 2) / n : -1;
}

Table *standings_cross_table(const Standings *standings, const PairingResult *results,
                             size_t n_results)
{
    enum { MAX_PLAYERS = 16 };
    const char *titles[MAX_PLAYERS + 2] = {"", "player"};
    char        numbers[MAX_PLAYERS][8], alignment[MAX_PLAYERS + 3] = "rl";
    size_t      n = standings->n;
    if (n < 3 || n > MAX_PLAYERS)
        return NULL;
    CrossCell *cells = standings_cross_cells(standings, results, n_results);
    for (size_t i = 0; i < n; i++) {
        (void)snprintf(numbers[i], sizeof numbers[i], "%zu", i + 1);
        titles[i + 2] = numbers[i];
        alignment[i + 2] = 'r';
    }
    Table *table = cells ? table_new(alignment, titles) : NULL;
    for (size_t i = 0; i < n; i++) {
        table_add(table, "%zu", i + 1);
        table_add(table, "%s", standings->list[i].name);
        for (size_t j = 0; cells && j < n; j++) {
            double score = cross_cell_score(&cells[i * n + j]);
            if (i == j || score < 0)
                table_add(table, "%s", i == j ? "-" : "");
            else
                table_add(table, "%.1f", 100 * score);
        }
    }
    free(cells);
    return table;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

json_t *json_real_or_null(bool is_known, double value)
{
    return is_known ? json_figure(value) : json_null();
}

json_t *json_interval(Estimate estimate)
{
    return json_pack("[o,o]", json_figure(estimate.low), json_figure(estimate.high));
}

json_t *json_elo_interval(const Rating *rating)
{
    bool is_rated = rating->status == RATED;
    return json_pack("[o,o]", json_real_or_null(is_rated && rating->has_low, rating->elo.low),
                     json_real_or_null(is_rated && rating->has_high, rating->elo.high));
}

static json_t *json_counts_of_draws(const TurfTotals *totals, const TurfGame *game)
{
    json_t *draws = json_object();
    for (int ending = TURF_DRAWN; ending < TURF_N_ENDINGS; ending++)
        if (game->ending_names[ending])
            json_put(&draws, game->ending_names[ending],
                     json_integer((json_int_t)totals->endings[ending]));
    return draws;
}

json_t *json_forfeits(const TurfTotals *totals, int player)
{
    json_t *reasons = json_object();
    for (int f = 0; f < TURF_N_FORFEITS; f++)
        if (totals->forfeits[player][f] > 0)
            json_put(&reasons, turf_forfeit_name((TurfForfeit)f),
                     json_integer((json_int_t)totals->forfeits[player][f]));
    return reasons;
}

static json_t *standing_json(const Standings *standings, size_t i, const TurfGame *game)
{
    const Standing   *standing = &standings->list[i];
    const TurfTotals *t = &standing->totals;
    Estimate          score = stats_score(t);
    bool              is_rated = standing->rating.status == RATED;
    json_t           *row =
        json_pack("{s:s,s:I,s:I,s:I,s:I,s:f,s:o}", "player", standing->name, "games",
                  (json_int_t)t->n_games, "won", (json_int_t)t->endings[TURF_WON_BY_FIRST], "lost",
                  (json_int_t)t->endings[TURF_WON_BY_SECOND], "drawn", (json_int_t)stats_draws(t),
                  "score", score.value, "interval", json_interval(score));
    json_put(&row, "elo", json_real_or_null(is_rated, standing->rating.elo.value));
    json_put(&row, "elo_interval", json_elo_interval(&standing->rating));
    const char *unrated = standings_unrated_text(&standing->rating);
    json_put(&row, "unrated", unrated ? json_string(unrated) : json_null());
    json_put(&row, "superiority",
             json_real_or_null(has_superiority(standings, i), standing->superiority));
    json_put(&row, "draws", json_counts_of_draws(t, game));
    json_put(&row, "forfeits", json_forfeits(t, 0));
    if (standings->is_swiss) {
        json_put(&row, "points", json_real(standing->points));
        json_put(&row, "buchholz", json_real(standing->buchholz));
        json_put(&row, "byes", json_integer((json_int_t)standing->n_byes));
    }
    return row;
}

json_t *standings_json(const Standings *standings, const TurfGame *game)
{
    json_t *list = json_array();
    for (size_t i = 0; standings && i < standings->n; i++)
        json_add(&list, standing_json(standings, i, game));
    return list;
}

json_t *standings_fit_json(const Standings *standings)
{
    if (!standings)
        return json_null();
    const Estimate *first = &standings->first_player;
    bool            knows_first = standings->knows_first;
    return json_pack(
        "{s:o,s:o,s:f,s:o,s:b}", "first_player_elo", json_real_or_null(knows_first, first->value),
        "first_player_interval", knows_first ? json_interval(*first) : json_null(), "draw_share",
        standings->draw_share.value, "draw_share_interval", json_interval(standings->draw_share),
        "connected", (int)standings->is_connected);
}
