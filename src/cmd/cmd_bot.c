/* turf bot: a built-in player as a bot on standard input and output, for anybody's arena. */
#include "base/clock.h"
#include "cmd/bot_question.h"
#include "cmd/console.h"
#include "cmd/json_lines.h"
#include "players/player.h"

#include <stdlib.h>

typedef struct Sitter {
    TurfPlayer *player;
    TurfRng    *rng;
} Sitter;

/* The time there is for an answer, if the question says so. */
static TurnContext think(const Sitter *sitter, const json_t *line)
{
    const json_t *left = json_object_get(line, "timeLeftForMove"),
                 *gain = json_object_get(line, "timeGainPerTurn");
    TurnContext turn = {.rng = sitter->rng, .deadline_ns = INT64_MAX};
    json_int_t  left_ms = json_integer_value(left), gain_ms = json_integer_value(gain);
    enum { MAX_MS = 86400000 };
    if (left_ms > 0 && left_ms <= MAX_MS)
        turn.deadline_ns = clock_ns() + left_ms * 1000000;
    if (gain_ms > 0 && gain_ms <= MAX_MS && turn.deadline_ns < INT64_MAX)
        turn.time_gain_ms = gain_ms;
    return turn;
}

static json_t *answer_turn(const Sitter *sitter, const TurfGame *game, const json_t *line,
                           TurfError *error)
{
    TurfState state;
    TurfMove  moves[TURF_MAX_MOVES];
    if (!game->from_json(&state, line, error))
        return NULL;
    if (game->to_move(&state) == TURF_MOVER_NONE)
        return json_pack("{s:n}", "move");
    TurnContext turn = think(sitter, line);
    player_choose_move(sitter->player, &state, false, &turn, moves);
    return json_pack("{s:o}", "move", game->move_to_json(&state, moves[0]));
}

static json_t *answer_action(const Sitter *sitter, const json_t *line, TurfError *error)
{
    BgState  state;
    TurfCell cells[TURF_MAX_CELLS];
    if (!bot_question_read(line, &state, error))
        return NULL;
    TurnContext turn = think(sitter, line);
    size_t      n_cells = player_choose_cells(sitter->player, &state, TURF_FIRST, &turn, cells);
    json_t     *list = json_array();
    for (size_t i = 0; i < n_cells; i++)
        json_array_append_new(list, json_pack("[i,i]", cells[i].row, cells[i].col));
    return json_pack("{s:o}", "cells", list);
}

static json_t *answer(const void *context, const TurfGame *game, const json_t *line,
                      TurfError *error)
{
    if (json_object_get(line, "error"))
        exit(EXIT_FINE); /* the game is lost, and the arena says why */
    if (json_object_get(line, "new_game"))
        return player_begin_game(((const Sitter *)context)->player, NULL, error) ? json_null()
                                                                                 : NULL;
    return game_is_simultaneous(game) ? answer_action(context, line, error)
                                      : answer_turn(context, game, line, error);
}

int cmd_bot(const Arguments *arguments)
{
    const TurfGame *game = read_game(arguments->words[0]);
    TurfPlayer     *player = read_player(game, arguments->words[1]);
    if (player->kind->is_external)
        die("a bot cannot sit in for a bot");
    TurfError error;
    if (!player_begin_game(player, NULL, &error))
        die("%s", error.text);
    TurfRng rng =
        turf_rng(arguments->settings.has_seed ? arguments->settings.seed : (uint64_t)clock_ns());
    int status = json_lines(game, answer, &(Sitter){player, &rng});
    turf_player_free(player);
    return status;
}
