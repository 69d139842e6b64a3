/* The tables and the JSON of a match or tournament that was just played, from totals in memory. */
#include "report/results.h"

#include "base/sprt.h"
#include "base/stats.h"
#include "base/checked_json.h"
#include "games/totals.h"

#include <stdlib.h>

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
    return stats_mean((double)totals->length_sum, (double)totals->length_square_sum,
                      totals->n_games);
}

static bool has_longest(const TurfTotals *totals)
{
    return totals->n_games > totals->endings[TURF_EXHAUSTED];
}

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
            used += (size_t)snprintf(text + used, room - used, "%s%llu %s", used ? ", " : "",
                                     (unsigned long long)totals->forfeits[player][f],
                                     turf_forfeit_name((TurfForfeit)f));
}

static void add_figure(Table *table, const char *label, const char *figure, const char *interval)
{
    table_add(table, "%s", label);
    table_add(table, "%s", figure);
    table_add(table, "%s", "");
    table_add(table, "%s", interval);
}

/* The first player's scores, by pairs of games if they are known. */
static ScoreCounts scores_of(const TurfTotals *totals, const ResultStyle *style)
{
    if (style->scores)
        return *style->scores;
    return (ScoreCounts){.n_kinds = SPRT_GAME_KINDS,
                         .counts = {totals->endings[TURF_WON_BY_SECOND], stats_draws(totals),
                                    totals->endings[TURF_WON_BY_FIRST]}};
}

static Rating rating_of(const EloDifference *difference, const TurfTotals *totals)
{
    return (Rating){.elo = difference->elo,
                    .has_low = difference->has_low,
                    .has_high = difference->has_high,
                    .status = totals->n_games > 0 ? RATED : UNRATED_NO_GAMES};
}

/* Without swapped sides, the Elo difference includes the advantage of the side. */
static const char *difference_label(const TurfGame *game, bool has_swapped)
{
    if (has_swapped)
        return "Elo difference";
    return game_is_simultaneous(game) ? "Elo difference, as player 1"
                                      : "Elo difference, moving first";
}

/* Score and Elo difference of player 1, and the likelihood of superiority. */
static void add_difference(Table *table, const TurfGame *game, const TurfTotals *totals,
                           bool has_swapped, const ResultStyle *style)
{
    ScoreCounts   scores = scores_of(totals, style);
    EloDifference difference = elo_difference(&scores);
    Estimate      score = stats_score(totals);
    char          figure[32], interval[48];
    table_add(table, "Score of player 1");
    table_add(table, "%s", "");
    table_add(table, "%.2f %%", 100 * score.value);
    table_add(table, "%.2f to %.2f %%", 100 * score.low, 100 * score.high);
    snprintf(figure, sizeof figure, difference.has_value ? "%+.1f" : "unknown",
             stats_shown(difference.elo.value, 1));
    Rating rating = rating_of(&difference, totals);
    standings_interval_text(&rating, interval);
    add_figure(table, difference_label(game, has_swapped), figure, interval);
    standings_likelihood_text(difference.superiority, figure);
    table_add(table, has_swapped ? "Likelihood that player 1 is stronger"
                                 : "Likelihood of scoring above one half");
    table_add(table, "%s", "");
    table_add(table, "%s", figure);
    table_add(table, "%s", "");
}

static const char *const test_words[] = {"not settled", "settled", "settled"};

/* The SPRT: log-likelihood ratio with its bounds, and the decision. */
static void add_test(Table *table, const Sprt *sprt, const SprtStatus *test)
{
    char label[96], figure[32], interval[64];
    snprintf(label, sizeof label, "Test of %g against %g Elo: log-likelihood ratio", sprt->elo0,
             sprt->elo1);
    snprintf(figure, sizeof figure, "%+.2f", stats_shown(test->llr, 2));
    snprintf(interval, sizeof interval, "settled at %.2f or %+.2f", test->low, test->high);
    add_figure(table, label, figure, interval);
    if (test->state == SPRT_CONTINUE)
        snprintf(interval, sizeof interval, "it may be either (interim)");
    else if (test->state == SPRT_ACCEPT_1)
        snprintf(interval, sizeof interval, "%g Elo, and not %g", sprt->elo1, sprt->elo0);
    else
        snprintf(interval, sizeof interval, "%g Elo, and not %g", sprt->elo0, sprt->elo1);
    add_figure(table, "  the test is", test_words[test->state], interval);
}

static json_t *test_json(const Sprt *sprt, const SprtStatus *test)
{
    static const char *const states[] = {"open", "elo0", "elo1"};
    return json_pack("{s:f,s:f,s:f,s:f,s:o,s:[f,f],s:s}", "elo0", sprt->elo0, "elo1", sprt->elo1,
                     "alpha", sprt->alpha, "beta", sprt->beta, "llr", json_figure(test->llr),
                     "bounds", test->low, test->high, "state", states[test->state]);
}

static void add_draws(Table *table, const TurfGame *game, const TurfTotals *totals)
{
    char label[96];
    add_count(table, "Draws", stats_draws(totals), totals->n_games);
    for (int ending = TURF_DRAWN; ending < TURF_N_ENDINGS; ending++) {
        if (!game->ending_names[ending] || !game->ending_names[TURF_STALEMATE])
            continue; /* one kind of draw needs no list of kinds */
        snprintf(label, sizeof label, "  of them: %s", game->ending_names[ending]);
        add_count(table, label, totals->endings[ending], totals->n_games);
    }
}

/* By player, and also by side if sides are swapped. */
static void add_wins(Table *table, const TurfGame *game, const TurfPairing *pairing,
                     const TurfTotals sides[2], const TurfTotals *totals)
{
    char label[256];
    for (int side = 0; side < 2; side++) {
        const char *played = pairing->swap_sides ? "both sides" : game->side_names[side];
        snprintf(label, sizeof label, "Wins for player %d (%s, %s)", side + 1,
                 turf_player_name(pairing->players[side]), played);
        add_count(table, label, totals->endings[side], totals->n_games);
    }
    for (int side = 0; side < 2 && pairing->swap_sides; side++) {
        snprintf(label, sizeof label, "Wins for %s (either player)", game->side_names[side]);
        add_count(table, label, totals_won_by_side(sides, side), totals->n_games);
    }
}

static void add_forfeits(Table *table, const TurfTotals *totals)
{
    char label[96], words[128];
    for (int side = 0; side < 2; side++) {
        forfeit_words(totals, side, words, sizeof words);
        if (!*words)
            continue;
        snprintf(label, sizeof label, "Forfeits of player %d", side + 1);
        add_count(table, label, stats_forfeits(totals, side), totals->n_games);
        add_figure(table, "  of them", "", words);
    }
}

static void moves_text(bool is_known, uint32_t n_moves, char text[32])
{
    if (is_known)
        snprintf(text, 32, n_moves == 1 ? "%u move" : "%u moves", n_moves);
    else
        snprintf(text, 32, "none");
}

static void add_lengths(Table *table, const TurfGame *game, const TurfTotals *totals)
{
    bool     can_exhaust = game->ending_names[TURF_EXHAUSTED] != NULL;
    Estimate length = length_estimate(totals);
    char     figure[32], interval[64];
    moves_text(has_longest(totals), totals->longest, figure);
    add_figure(table, can_exhaust ? "Longest game (not exhausted)" : "Longest game", figure, "");
    moves_text(totals->n_games > 0, totals->shortest, figure);
    add_figure(table, "Shortest game", figure, "");
    snprintf(figure, sizeof figure, "%.3f moves", length.value);
    snprintf(interval, sizeof interval, "%.3f to %.3f moves", length.low, length.high);
    add_figure(table, can_exhaust ? "Average game length (with exhausted)" : "Average game length",
               figure, interval);
}

Table *results_match_table(const TurfGame *game, const TurfPairing *pairing,
                           const TurfTotals sides[2], const ResultStyle *style)
{
    static const char *const titles[] = {"", "", "share", "95 % interval"};
    const TurfTotals         totals = totals_of_sides(sides);
    Table                   *table = table_new("lrrl", titles);
    char                     figure[32];
    snprintf(figure, sizeof figure, "%llu", (unsigned long long)totals.n_games);
    add_figure(table, "Games played", figure, "");
    add_draws(table, game, &totals);
    add_wins(table, game, pairing, sides, &totals);
    add_forfeits(table, &totals);
    add_difference(table, game, &totals, pairing->swap_sides, style);
    if (style->sprt)
        add_test(table, style->sprt, style->test);
    add_lengths(table, game, &totals);
    if (!style->hides_times) {
        results_format_seconds(average_seconds(&totals), figure);
        add_figure(table, "Average game time", figure, "");
    }
    return table;
}

/* Adds the forfeits of a player in all its games, as the first of the sums. */
static TurfTotals forfeits_of(const TurfPlayer *player, const TurfPairing *pairings,
                              const TurfTotals *totals, size_t n_pairings)
{
    TurfTotals sum = TOTALS_NONE;
    for (size_t i = 0; i < n_pairings; i++)
        for (int side = 0; side < 2; side++) {
            if (pairings[i].players[side] != player)
                continue;
            for (int reason = 0; reason < TURF_N_FORFEITS; reason++)
                sum.forfeits[0][reason] += totals[i].forfeits[side][reason];
            bool is_self_play = pairings[i].players[0] == pairings[i].players[1];
            if (side == 0 || !is_self_play)
                sum.n_games += totals[i].n_games;
        }
    return sum;
}

static bool is_first_mention(const TurfPairing *pairings, size_t at, int side)
{
    const TurfPlayer *player = pairings[at].players[side];
    for (size_t i = 0; i <= at; i++)
        for (int s = 0; s < 2 && (i < at || s < side); s++)
            if (pairings[i].players[s] == player)
                return false;
    return true;
}

void results_print_forfeits(const TurfPairing *pairings, const TurfTotals *totals,
                            size_t n_pairings, FILE *out)
{
    for (size_t i = 0; i < n_pairings; i++)
        for (int side = 0; side < 2; side++) {
            const TurfPlayer *player = pairings[i].players[side];
            char              words[128];
            if (!is_first_mention(pairings, i, side))
                continue;
            TurfTotals sum = forfeits_of(player, pairings, totals, n_pairings);
            forfeit_words(&sum, 0, words, sizeof words);
            if (*words)
                fprintf(out, "%s forfeited %llu of its %llu games: %s\n", turf_player_name(player),
                        (unsigned long long)stats_forfeits(&sum, 0),
                        (unsigned long long)sum.n_games, words);
        }
}

Table *results_tournament_table(const TurfPairing *pairings, const TurfTotals *totals,
                                size_t n_pairings, const ResultStyle *style)
{
    static const char *const titles[] = {
        "P1 strategy", "P2 strategy", "Games played",       "P1 wins",
        "P2 wins",     "Draws",       "Av. length (moves)", "Av. time (seconds)"};
    Table *table = table_new(style->hides_times ? "llrrrrr" : "llrrrrrr", titles);
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

PairingResult *results_by_side(const TurfPairing *pairings, TurfTotals (*totals)[2],
                               size_t             n_pairings)
{
    PairingResult *results = calloc(n_pairings + 1, sizeof *results);
    for (size_t i = 0; results && i < n_pairings; i++)
        results[i] = (PairingResult){.names = {turf_player_name(pairings[i].players[0]),
                                               turf_player_name(pairings[i].players[1])},
                                     .totals = {totals[i][0], totals[i][1]}};
    return results;
}

Standings *results_standings(const TurfPairing *pairings, const TurfTotals *totals,
                             size_t n_pairings, const SwissEvent *swiss)
{
    PairingResult *results = calloc(n_pairings + 1, sizeof *results);
    for (size_t i = 0; results && i < n_pairings; i++)
        results[i] = (PairingResult){.names = {turf_player_name(pairings[i].players[0]),
                                               turf_player_name(pairings[i].players[1])},
                                     .totals = {totals[i], TOTALS_NONE}};
    Standings *standings = results ? standings_new(results, n_pairings, swiss) : NULL;
    free(results);
    return standings;
}

/* ---- JSON --------------------------------------------------------------------------------- */

/* Wins and draws, with their intervals. */
static void put_endings(json_t **json, json_t **intervals, const TurfGame *game,
                        const TurfTotals sides[2], const TurfTotals *totals)
{
    json_t *endings = json_object(), *wins = json_array(), *win_intervals = json_array();
    for (int ending = 0; ending < TURF_N_ENDINGS; ending++) {
        const char *name = game->ending_names[ending];
        uint64_t    count = totals->endings[ending];
        if (ending <= TURF_WON_BY_SECOND) {
            json_add(&wins, json_integer((json_int_t)count));
            json_add(&win_intervals, json_interval(stats_proportion(count, totals->n_games)));
            count = totals_won_by_side(sides, ending); /* the names are those of the sides */
        }
        if (!name)
            continue;
        json_put(&endings, name, json_integer((json_int_t)count));
        json_put(intervals, name, json_interval(stats_proportion(count, totals->n_games)));
    }
    json_put(json, "wins", wins);
    json_put(json, "draws", json_integer((json_int_t)stats_draws(totals)));
    json_put(json, "outcomes", endings);
    json_put(intervals, "wins", win_intervals);
    json_put(intervals, "draws",
             json_interval(stats_proportion(stats_draws(totals), totals->n_games)));
    json_put(intervals, "average_length", json_interval(length_estimate(totals)));
}

/* Score and Elo difference of player 1. */
static void put_difference(json_t **json, json_t **intervals, const TurfTotals *totals,
                           const ResultStyle *style)
{
    ScoreCounts   scores = scores_of(totals, style);
    EloDifference difference = elo_difference(&scores);
    json_put(json, "score", json_real(stats_score(totals).value));
    Rating rating = rating_of(&difference, totals);
    json_put(json, "elo", json_real_or_null(difference.has_value, difference.elo.value));
    json_put(json, "superiority", json_figure(difference.superiority));
    json_put(intervals, "score", json_interval(stats_score(totals)));
    json_put(intervals, "elo", json_elo_interval(&rating));
}

json_t *results_json(const TurfGame *game, const TurfPairing *pairing, const TurfTotals sides[2],
                     const ResultStyle *style)
{
    const TurfTotals totals = totals_of_sides(sides);
    json_t          *intervals = json_object();
    json_t          *json =
        json_pack("{s:s,s:[s,s],s:b,s:I}", "game", game->name, "players",
                  turf_player_name(pairing->players[0]), turf_player_name(pairing->players[1]),
                  "swap", (int)pairing->swap_sides, "games", (json_int_t)totals.n_games);
    put_endings(&json, &intervals, game, sides, &totals);
    json_put(&json, "forfeits",
             json_pack("[o,o]", json_forfeits(&totals, 0), json_forfeits(&totals, 1)));
    put_difference(&json, &intervals, &totals, style);
    if (style->sprt)
        json_put(&json, "sprt", test_json(style->sprt, style->test));
    json_put(&json, "longest", has_longest(&totals) ? json_integer(totals.longest) : json_null());
    json_put(&json, "shortest", totals.n_games ? json_integer(totals.shortest) : json_null());
    json_put(&json, "average_length", json_real(average_length(&totals)));
    if (!style->hides_times)
        json_put(&json, "average_seconds", json_real(average_seconds(&totals)));
    json_put(&json, "intervals", intervals);
    return json;
}
