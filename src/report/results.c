#include "report/results.h"

#include "base/stats.h"

#include <stdlib.h>
#include <string.h>

void results_format_seconds(double seconds, char text[32])
{
    if (seconds < 1e-3)
        snprintf(text, 32, "%.2f us", seconds * 1e6);
    else if (seconds < 1)
        snprintf(text, 32, "%.2f ms", seconds * 1e3);
    else
        snprintf(text, 32, "%.2f s", seconds);
}

static double average_seconds(const TurfTotals *totals)
{
    return totals->n_games ? totals->seconds / (double)totals->n_games : 0;
}

static double average_length(const TurfTotals *totals)
{
    return totals->n_games ? (double)totals->length_sum / (double)totals->n_games : 0;
}

static Estimate length_estimate(const TurfTotals *totals)
{
    return stats_mean((double)totals->length_sum, (double)totals->length_square_sum, totals->n_games);
}

static bool has_longest(const TurfTotals *totals) { return totals->n_games > totals->endings[TURF_EXHAUSTED]; }

static void add_count(Table *table, const char *label, uint64_t count, uint64_t n_games)
{
    Estimate share = stats_proportion(count, n_games);
    table_add(table, "%s", label);
    table_add(table, "%llu", (unsigned long long)count);
    table_add(table, "%.2f %%", 100 * share.value);
    table_add(table, "%.2f to %.2f %%", 100 * share.low, 100 * share.high);
}

/* "3 timeout, 1 crash", or nothing. */
static void forfeit_words(const TurfTotals *totals, int player, char *text, size_t room)
{
    size_t used = 0;
    text[0] = '\0';
    for (int f = 0; f < TURF_N_FORFEITS; f++)
        if (totals->forfeits[player][f] > 0 && used < room)
            used +=
                (size_t)snprintf(text + used, room - used, "%s%llu %s", used ? ", " : "",
                                 (unsigned long long)totals->forfeits[player][f], turf_forfeit_name((TurfForfeit)f));
}

static void add_figure(Table *table, const char *label, const char *figure, const char *interval)
{
    table_add(table, "%s", label);
    table_add(table, "%s", figure);
    table_add(table, "%s", "");
    table_add(table, "%s", interval);
}

Table *results_match_table(const TurfGame *game, const TurfPairing *pairing, const TurfTotals *totals,
                           const ResultStyle *style)
{
    static const char *const titles[] = {"", "", "share", "95 % interval"};
    Table                   *table = table_new("lrrl", titles);
    char                     label[96], figure[32], interval[64];

    snprintf(label, sizeof label, "Games played");
    snprintf(figure, sizeof figure, "%llu", (unsigned long long)totals->n_games);
    add_figure(table, label, figure, "");
    add_count(table, "Draws", stats_draws(totals), totals->n_games);
    for (int ending = TURF_DRAWN; ending < TURF_N_ENDINGS; ending++) {
        if (!game->ending_names[ending] || !game->ending_names[TURF_STALEMATE])
            continue; /* one kind of draw needs no list of kinds */
        snprintf(label, sizeof label, "  of them: %s", game->ending_names[ending]);
        add_count(table, label, totals->endings[ending], totals->n_games);
    }
    for (int side = 0; side < 2; side++) {
        const char *played = pairing->swap_sides ? "both sides" : game->side_names[side];
        snprintf(label, sizeof label, "Wins for player %d (%.40s, %s)", side + 1,
                 turf_player_name(pairing->players[side]), played);
        add_count(table, label, totals->endings[side], totals->n_games);
    }
    for (int side = 0; side < 2; side++) {
        char words[128];
        forfeit_words(totals, side, words, sizeof words);
        if (!*words)
            continue;
        snprintf(label, sizeof label, "Forfeits of player %d", side + 1);
        add_count(table, label, stats_forfeits(totals, side), totals->n_games);
        snprintf(figure, sizeof figure, "%s", "");
        add_figure(table, "  of them", figure, words);
    }
    snprintf(figure, sizeof figure, has_longest(totals) ? "%u moves" : "none", totals->longest);
    bool can_exhaust = game->ending_names[TURF_EXHAUSTED] != NULL;
    add_figure(table, can_exhaust ? "Longest game (not exhausted)" : "Longest game", figure, "");
    snprintf(figure, sizeof figure, totals->n_games ? "%u moves" : "none", totals->shortest);
    add_figure(table, "Shortest game", figure, "");
    Estimate length = length_estimate(totals);
    snprintf(figure, sizeof figure, "%.3f moves", length.value);
    snprintf(interval, sizeof interval, "%.3f to %.3f moves", length.low, length.high);
    add_figure(table, can_exhaust ? "Average game length (with exhausted)" : "Average game length", figure, interval);
    if (!style->hides_times) {
        results_format_seconds(average_seconds(totals), figure);
        add_figure(table, "Average game time", figure, "");
    }
    return table;
}

void results_print_forfeits(const TurfPairing *pairings, const TurfTotals *totals, size_t n_pairings, FILE *out)
{
    for (size_t i = 0; i < n_pairings; i++)
        for (int side = 0; side < 2; side++) {
            char words[128];
            forfeit_words(&totals[i], side, words, sizeof words);
            if (*words)
                fprintf(out, "%s forfeited %llu of its games against %s: %s\n",
                        turf_player_name(pairings[i].players[side]),
                        (unsigned long long)stats_forfeits(&totals[i], side),
                        turf_player_name(pairings[i].players[!side]), words);
        }
}

Table *results_tournament_table(const TurfPairing *pairings, const TurfTotals *totals, size_t n_pairings,
                                const ResultStyle *style)
{
    static const char *const titles[] = {"P1 strategy", "P2 strategy", "Games played",       "P1 wins",
                                         "P2 wins",     "Draws",       "Av. length (moves)", "Av. time (seconds)"};
    Table                   *table = table_new(style->hides_times ? "llrrrrr" : "llrrrrrr", titles);
    for (size_t i = 0; i < n_pairings; i++) {
        const TurfTotals *t = &totals[i];
        table_add(table, "%s", turf_player_name(pairings[i].players[0]));
        table_add(table, "%s", turf_player_name(pairings[i].players[1]));
        table_add(table, "%llu", (unsigned long long)t->n_games);
        table_add(table, "%llu", (unsigned long long)t->endings[TURF_WON_BY_FIRST]);
        table_add(table, "%llu", (unsigned long long)t->endings[TURF_WON_BY_SECOND]);
        table_add(table, "%llu", (unsigned long long)stats_draws(t));
        table_add(table, "%.2f", average_length(t));
        if (!style->hides_times)
            table_add(table, "%.7f", average_seconds(t));
    }
    return table;
}

/* ---- standings ---------------------------------------------------------------------------- */

typedef struct Standing {
    const char *name;
    TurfTotals  totals; /* "first" is this player */
} Standing;

static int by_score(const void *left, const void *right)
{
    double a = stats_score(&((const Standing *)left)->totals).value;
    double b = stats_score(&((const Standing *)right)->totals).value;
    return (a < b) - (a > b);
}

static void credit(Standing *standings, size_t *n_standings, const char *name, uint64_t wins, uint64_t losses,
                   uint64_t draws)
{
    size_t i = 0;
    while (i < *n_standings && strcmp(standings[i].name, name))
        i++;
    if (i == *n_standings)
        standings[(*n_standings)++] = (Standing){.name = name};
    standings[i].totals.endings[TURF_WON_BY_FIRST] += wins;
    standings[i].totals.endings[TURF_WON_BY_SECOND] += losses;
    standings[i].totals.n_games += wins + losses + draws;
}

/* The standings, best first; freed by the caller. NULL when memory is short. */
static Standing *find_standings(const TurfPairing *pairings, const TurfTotals *totals, size_t n_pairings,
                                size_t *n_found)
{
    Standing *standings = calloc(2 * n_pairings + 1, sizeof *standings);
    *n_found = 0;
    if (!standings)
        return NULL;
    for (size_t i = 0; i < n_pairings; i++) {
        const char *first = turf_player_name(pairings[i].players[0]),
                   *second = turf_player_name(pairings[i].players[1]);
        uint64_t won = totals[i].endings[TURF_WON_BY_FIRST], lost = totals[i].endings[TURF_WON_BY_SECOND];
        if (!strcmp(first, second))
            continue;
        credit(standings, n_found, first, won, lost, stats_draws(&totals[i]));
        credit(standings, n_found, second, lost, won, stats_draws(&totals[i]));
    }
    qsort(standings, *n_found, sizeof *standings, by_score);
    return standings;
}

Table *results_standings(const TurfPairing *pairings, const TurfTotals *totals, size_t n_pairings)
{
    static const char *const titles[] = {"", "player", "games", "won", "lost", "drawn", "score", "95 % interval"};
    size_t                   n_standings;
    Standing                *standings = find_standings(pairings, totals, n_pairings, &n_standings);
    Table                   *table = standings ? table_new("rlrrrrrl", titles) : NULL;
    for (size_t i = 0; i < n_standings; i++) {
        const TurfTotals *t = &standings[i].totals;
        Estimate          score = stats_score(t);
        table_add(table, "%zu", i + 1);
        table_add(table, "%s", standings[i].name);
        table_add(table, "%llu", (unsigned long long)t->n_games);
        table_add(table, "%llu", (unsigned long long)t->endings[TURF_WON_BY_FIRST]);
        table_add(table, "%llu", (unsigned long long)t->endings[TURF_WON_BY_SECOND]);
        table_add(table, "%llu", (unsigned long long)stats_draws(t));
        table_add(table, "%.2f %%", 100 * score.value);
        table_add(table, "%.2f to %.2f %%", 100 * score.low, 100 * score.high);
    }
    free(standings);
    return table;
}

/* ---- JSON --------------------------------------------------------------------------------- */

static json_t *json_interval(Estimate estimate) { return json_pack("[f,f]", estimate.low, estimate.high); }

json_t *results_standings_json(const TurfPairing *pairings, const TurfTotals *totals, size_t n_pairings)
{
    size_t    n_standings;
    Standing *standings = find_standings(pairings, totals, n_pairings, &n_standings);
    json_t   *list = json_array();
    for (size_t i = 0; i < n_standings; i++) {
        const TurfTotals *t = &standings[i].totals;
        Estimate          score = stats_score(t);
        json_array_append_new(list, json_pack("{s:s,s:I,s:I,s:I,s:I,s:f,s:o}", "player", standings[i].name, "games",
                                              (json_int_t)t->n_games, "won", (json_int_t)t->endings[TURF_WON_BY_FIRST],
                                              "lost", (json_int_t)t->endings[TURF_WON_BY_SECOND], "drawn",
                                              (json_int_t)stats_draws(t), "score", score.value, "interval",
                                              json_interval(score)));
    }
    free(standings);
    return list;
}

json_t *results_json(const TurfGame *game, const TurfPairing *pairing, const TurfTotals *totals,
                     const ResultStyle *style)
{
    json_t *endings = json_object(), *intervals = json_object(), *wins = json_array(), *win_intervals = json_array();
    for (int ending = 0; ending < TURF_N_ENDINGS; ending++) {
        const char *name = game->ending_names[ending];
        Estimate    share = stats_proportion(totals->endings[ending], totals->n_games);
        if (ending <= TURF_WON_BY_SECOND) {
            json_array_append_new(wins, json_integer((json_int_t)totals->endings[ending]));
            json_array_append_new(win_intervals, json_interval(share));
        }
        if (!name || (pairing->swap_sides && ending <= TURF_WON_BY_SECOND))
            continue;
        json_object_set_new(endings, name, json_integer((json_int_t)totals->endings[ending]));
        json_object_set_new(intervals, name, json_interval(share));
    }
    json_object_set_new(intervals, "wins", win_intervals);
    json_object_set_new(intervals, "draws", json_interval(stats_proportion(stats_draws(totals), totals->n_games)));
    json_object_set_new(intervals, "average_length", json_interval(length_estimate(totals)));

    json_t *json = json_pack("{s:s,s:[s,s],s:b,s:I,s:o,s:I,s:o}", "game", game->name, "players",
                             turf_player_name(pairing->players[0]), turf_player_name(pairing->players[1]), "swap",
                             (int)pairing->swap_sides, "games", (json_int_t)totals->n_games, "wins", wins, "draws",
                             (json_int_t)stats_draws(totals), "outcomes", endings);
    json_t *forfeits = json_array();
    for (int player = 0; player < 2; player++) {
        json_t *reasons = json_object();
        for (int f = 0; f < TURF_N_FORFEITS; f++)
            if (totals->forfeits[player][f] > 0)
                json_object_set_new(reasons, turf_forfeit_name((TurfForfeit)f),
                                    json_integer((json_int_t)totals->forfeits[player][f]));
        json_array_append_new(forfeits, reasons);
    }
    json_object_set_new(json, "forfeits", forfeits);
    json_object_set_new(json, "longest", has_longest(totals) ? json_integer(totals->longest) : json_null());
    json_object_set_new(json, "shortest", totals->n_games ? json_integer(totals->shortest) : json_null());
    json_object_set_new(json, "average_length", json_real(average_length(totals)));
    if (!style->hides_times)
        json_object_set_new(json, "average_seconds", json_real(average_seconds(totals)));
    json_object_set_new(json, "intervals", intervals);
    return json;
}
