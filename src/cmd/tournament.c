/* turf tournament: every ordered pair, as in the coursework's table. */
#include "base/error.h"
#include "cmd/bot_terms.h"
#include "cmd/console.h"
#include "cmd/run.h"
#include "players/player.h"
#include "report/results.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PLAYERS = 64 };

/* The players named on the command line, or else all strategies. */
static size_t read_entrants(const TurfGame *game, const Arguments *arguments, TurfPlayer **players)
{
    size_t n_players = 0;
    for (int i = 1; i < arguments->n_words; i++)
        players[n_players++] = read_player(game, arguments->words[i]);
    if (arguments->n_words == 1)
        n_players = open_strategies(game, players, MOST_PLAYERS);
    for (size_t i = 0; i < n_players; i++)
        for (size_t j = 0; j < i; j++)
            if (!strcmp(turf_player_name(players[i]), turf_player_name(players[j])))
                die("two players are called %s; give one a name of its own, like other=%s", players[i]->name,
                    players[i]->spec);
    return n_players;
}

static void print_json(const TurfGame *game, const TurfPairing *pairings, const TurfTotals *totals, size_t n_pairings,
                       const Settings *settings)
{
    ResultStyle style = {.hides_times = settings->hides_times};
    json_t     *results = json_array();
    for (size_t i = 0; i < n_pairings; i++)
        json_array_append_new(results, results_json(game, &pairings[i], &totals[i], &style));
    json_t *json = json_pack("{s:s,s:I,s:o,s:o}", "game", game->name, "seed", (json_int_t)settings->seed, "pairings",
                             results, "standings", results_standings_json(pairings, totals, n_pairings));
    json_dumpf(json, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(json);
}

static void print_tables(const TurfGame *game, const TurfPairing *pairings, const TurfTotals *totals, size_t n_pairings,
                         const Settings *settings)
{
    ResultStyle style = {.hides_times = settings->hides_times};
    Table      *table = results_tournament_table(pairings, totals, n_pairings, &style);
    Table      *standings = results_standings(pairings, totals, n_pairings);
    printf("%s, seed %llu. P1 is %s and moves first.\n\n", game->title, (unsigned long long)settings->seed,
           game->side_names[0]);
    table_print(table, TABLE_TEXT, stdout);
    results_print_forfeits(pairings, totals, n_pairings, stdout);
    if (n_pairings > 1) {
        printf("\nScores against the others, a draw counting half:\n\n");
        table_print(standings, TABLE_TEXT, stdout);
    }
    table_free(table);
    table_free(standings);
}

int cmd_tournament(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    const TurfGame *game = read_game(arguments->words[0]);
    TurfPlayer     *players[MOST_PLAYERS];
    size_t          n_players = read_entrants(game, arguments, players), n_pairings = n_players * n_players;
    set_bot_terms(players, n_players, settings);
    TurfPairing *pairings = all_ordered_pairs(players, n_players, settings->has_n_games ? settings->n_games : 1000);
    TurfTotals  *totals = calloc(n_pairings, sizeof *totals);
    if (!totals)
        die("out of memory");
    bool is_whole = run_pairings(game, pairings, n_pairings, settings, totals);
    if (settings->wants_json)
        print_json(game, pairings, totals, n_pairings, settings);
    else
        print_tables(game, pairings, totals, n_pairings, settings);

    int status = run_status(settings, is_whole, totals, n_pairings);
    free(totals);
    free(pairings);
    for (size_t i = 0; i < n_players; i++)
        turf_player_free(players[i]);
    return status;
}
