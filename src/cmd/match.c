/* turf match: the coursework's test_strategy, for any two players. */
#include "cmd/console.h"
#include "cmd/run.h"
#include "report/results.h"

#include <stdlib.h>

int cmd_match(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    const TurfGame *game = read_game(arguments->words[0]);
    TurfPlayer     *players[2] = {read_player(game, arguments->words[1]), read_player(game, arguments->words[2])};
    TurfPairing     pairing = {.players = {players[0], players[1]},
                               .n_games = settings->has_n_games ? settings->n_games : 1000,
                               .swap_sides = settings->wants_swap};
    sandbox_bots(players, 2, settings);
    ResultStyle style = {.hides_times = settings->hides_times};
    TurfTotals  totals;
    bool        is_whole = run_pairings(game, &pairing, 1, settings, &totals);

    if (settings->wants_json) {
        json_t *json = results_json(game, &pairing, &totals, &style);
        json_object_set_new(json, "seed", json_integer((json_int_t)settings->seed));
        json_dumpf(json, stdout, JSON_COMPACT);
        putchar('\n');
        json_decref(json);
    } else {
        printf("%s: %s against %s, seed %llu%s\n\n", game->title, turf_player_name(players[0]),
               turf_player_name(players[1]), (unsigned long long)settings->seed,
               settings->wants_swap ? ", each start from both sides" : "");
        Table *table = results_match_table(game, &pairing, &totals, &style);
        table_print(table, TABLE_TEXT, stdout);
        table_free(table);
    }
    turf_player_free(players[0]);
    turf_player_free(players[1]);
    return run_status(settings, is_whole, &totals, 1);
}
