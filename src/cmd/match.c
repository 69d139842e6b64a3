/* turf match: the coursework's test_strategy, for any two players. */
#include "cmd/bot_terms.h"
#include "cmd/console.h"
#include "cmd/run.h"

int cmd_match(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    const TurfGame *game = read_game(arguments->words[0]);
    TurfPlayer     *players[2] = {read_player(game, arguments->words[1]), read_player(game, arguments->words[2])};
    TurfPairing     pairing = {.players = {players[0], players[1]},
                               .n_games = settings->has_n_games ? settings->n_games : 1000,
                               .swap_sides = settings->wants_swap};
    set_bot_terms(players, 2, settings);
    int status = run_match(game, &pairing, settings);
    turf_player_free(players[0]);
    turf_player_free(players[1]);
    return status;
}
