/* turf bot: runs a built-in player as a bot on standard input and output, for any arena. */
#include "base/clock.h"
#include "cmd/console.h"
#include "cmd/json_lines.h"
#include "games/cells.h"
#include "games/question.h"
#include "players/player.h"

#include <stdlib.h>

typedef struct BotContext {
    TurfPlayer *player;
    TurfRng    *rng;
} BotContext;

/* The time there is for an answer, if the question says so. */
static TurnContext turn_of(const BotContext *bot, const json_t *question)
{
    enum { MAX_MS = 86400000 };
    TurnContext turn = {.rng = bot->rng, .deadline_ns = INT64_MAX};
    json_int_t  left_ms = json_integer_value(json_object_get(question, "timeLeftForMove"));
    json_int_t  gain_ms = json_integer_value(json_object_get(question, "timeGainPerTurn"));
    if (left_ms > 0 && left_ms <= MAX_MS)
        turn.deadline_ns = clock_ns() + left_ms * 1000000;
    if (gain_ms > 0 && gain_ms <= MAX_MS && turn.deadline_ns < INT64_MAX)
        turn.time_gain_ms = gain_ms;
    return turn;
}

static json_t *answer(const void *context, const TurfGame *game, const json_t *line,
                      TurfError *error)
{
    const BotContext *bot = context;
    TurfState         state;
    TurfSide          side;
    TurfMove          moves[TURF_MAX_MOVES];
    TurfCell          cells[TURF_MAX_CELLS];
    if (json_object_get(line, "error"))
        exit(EXIT_FINE); /* the game is lost, and the arena says why */
    if (json_object_get(line, "new_game"))
        return player_begin_game(bot->player, NULL, error) ? json_null() : NULL;
    if (!question_read(game, line, &state, &side, error))
        return NULL;
    TurnContext turn = turn_of(bot, line);
    if (game_is_simultaneous(game)) {
        size_t n_cells = player_choose_cells(bot->player, &state, side, &turn, cells);
        return json_pack("{s:o}", "cells", cells_to_json(cells, n_cells));
    }
    if (game->to_move(&state) == TURF_MOVER_NONE)
        return json_pack("{s:n}", "move");
    player_choose_move(bot->player, &state, false, &turn, moves);
    return json_pack("{s:o}", "move", game->move_to_json(&state, moves[0]));
}

int cmd_bot(const Arguments *arguments)
{
    const TurfGame *game = read_game(arguments->words[0]);
    TurfPlayer     *player = read_player(game, arguments->words[1]);
    if (player->kind->is_external)
        die("turf bot needs a built-in player, not a bot");
    TurfError error;
    if (!player_begin_game(player, NULL, &error))
        die("%s", error.text);
    TurfRng rng =
        turf_rng(arguments->settings.has_seed ? arguments->settings.seed : (uint64_t)clock_ns());
    int status = json_lines(game, answer, &(BotContext){player, &rng});
    turf_player_free(player);
    return status;
}
