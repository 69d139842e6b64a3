/* The bots' question and its reading, by the game's table or as all games have it. */
#include "games/question.h"

#include "base/checked_json.h"
#include "base/error.h"

#include <string.h>

static json_t *moves_json(const TurfGame *game, const void *state)
{
    TurfMove moves[TURF_MAX_MOVES];
    size_t   n_moves = game->moves(state, moves);
    json_t  *list = json_array();
    for (size_t i = 0; i < n_moves; i++)
        json_add(&list, game->move_to_json(state, moves[i]));
    return list;
}

char *question_text(const TurfGame *game, const void *state, TurfSide side, const BotTime *time)
{
    if (game->question)
        return game->question(state, side, time);
    json_t *json = game->to_json(state);
    /* Not "game": helpers that bot authors have copied set that themselves. */
    json_put(&json, "game_name", json_string(game->name));
    json_put(&json, "you", json_string(game->side_letters[side]));
    if (!game_is_simultaneous(game))
        json_put(&json, "moves", moves_json(game, state));
    if (time->gain_ms > 0)
        json_put(&json, "timeGainPerTurn", json_integer(time->gain_ms));
    json_put(&json, "timeLeftForMove", json_integer(time->left_ms));
    char *text = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    return text;
}

bool question_read(const TurfGame *game, const json_t *question, void *state, TurfSide *side,
                   TurfError *error)
{
    const char *name = json_string_value(json_object_get(question, "game_name"));
    const char *you = json_string_value(json_object_get(question, "you"));
    char        quoted[ERROR_QUOTE_BYTES];
    *side = TURF_FIRST;
    if (game->read_question)
        return game->read_question(question, state, error);
    if (name && strcmp(name, game->name) != 0)
        return error_invalid(error, "the question is about '%s', and this bot plays %s",
                             error_quote(quoted, name), game->name);
    if (!game->from_json(state, question, error))
        return false;
    if (game->to_move(state) == TURF_MOVER_SECOND ||
        (you && strcmp(you, game->side_letters[TURF_SECOND]) == 0))
        *side = TURF_SECOND;
    return true;
}
