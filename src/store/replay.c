#include "store/replay.h"

#include "base/error.h"
#include "base/checked_json.h"

#include <stdlib.h>
#include <string.h>

/* ---- the line ------------------------------------------------------------------------------ */

/* What is no JSON is null; NULL when memory is short. */
static json_t *parsed(const char *text)
{
    json_error_t why = {.text = ""};
    json_t      *json = text ? json_loads(text, JSON_DECODE_ANY, &why) : json_null();
    bool         is_short = !json && json_was_short(&why);
    return json || is_short ? json : json_null();
}

static json_t *text_or_null(const char *text) { return text ? json_string(text) : json_null(); }

json_t *replay_record_json(const GameRecord *record, const TurfGame *game,
                           const char *const names[2])
{
    const char *players[2] = {names[record->is_swapped], names[!record->is_swapped]};
    bool        is_won = record->ending <= TURF_WON_BY_SECOND, is_forfeit = record->forfeiter >= 0;
    json_t *json = json_pack("{s:I,s:I,s:I,s:I,s:s,s:s,s:s}", "id", (json_int_t)record->id, "run",
                             (json_int_t)record->run, "pairing", (json_int_t)record->pairing + 1,
                             "number", (json_int_t)record->game + 1, "game", game->name, "first",
                             players[0], "second", players[1]);
    if (!json)
        return NULL;
    const char *ending = game->ending_names[record->ending];
    json_put(&json, "winner", is_won ? json_string(players[record->ending]) : json_null());
    json_put(&json, "outcome", text_or_null(ending));
    json_put(&json, "length", json_integer(record->length));
    json_put(&json, "forfeit",
             is_forfeit ? json_string(turf_forfeit_name(record->reason)) : json_null());
    json_put(&json, "explanation", is_forfeit ? text_or_null(record->explanation) : json_null());
    json_put(&json, "last_words", is_forfeit ? text_or_null(record->last_words) : json_null());
    json_put(&json, "sample", json_boolean(record->is_sample));
    json_put(&json, "seconds", json_real(record->seconds));
    json_put(&json, "start", parsed(record->start));
    json_put(&json, "moves", parsed(record->moves));
    json_put(&json, "times", parsed(record->times));
    return json;
}

/* ---- stepping through ---------------------------------------------------------------------- */

static bool apply_move(const Replay *replay, uint32_t index, TurfState *state, TurfError *error)
{
    const TurfGame *game = replay->game;
    const json_t   *json = json_array_get(replay->moves, index);
    if (game_is_simultaneous(game)) {
        TurfCell  *room = malloc(2 * sizeof *room * TURF_MAX_CELLS);
        TurfCell  *cells[2] = {room, room ? room + TURF_MAX_CELLS : NULL};
        TurfAction actions[2];
        bool       is_good = room ? game->actions_from_json(state, json, cells, actions, error) &&
                                  game->is_legal_action(state, TURF_FIRST, &actions[0], error) &&
                                  game->is_legal_action(state, TURF_SECOND, &actions[1], error)
                                  : error_no_memory(error);
        if (is_good)
            game->apply_both(state, actions);
        free(room);
        return is_good;
    }
    TurfMove move;
    if (!game->move_from_json(state, json, &move, error) || !game->is_legal(state, move, error))
        return false;
    game->apply(state, move);
    return true;
}

/* Positions are kept for one in so many moves, so that a long game on a large board fits into
 * memory. */
static bool play_through(Replay *replay, TurfState *state, TurfError *error)
{
    enum { MAX_KEPT = 1000 };
    TurfEnding ending;
    replay->n_moves = (uint32_t)json_array_size(replay->moves);
    replay->kept_every = replay->n_moves / MAX_KEPT + 1;
    replay->kept = calloc(replay->n_moves / replay->kept_every + 1, sizeof *replay->kept);
    if (!replay->kept)
        return error_no_memory(error);
    for (uint32_t i = 0; i <= replay->n_moves; i++) {
        TurfError why;
        if (i % replay->kept_every == 0)
            replay->kept[i / replay->kept_every] = *state;
        if (i == replay->n_moves)
            break;
        if (replay->game->is_over(state, &ending))
            return error_invalid(error, "move %u of the record comes after the end of the game",
                                 i + 1);
        if (!apply_move(replay, i, state, &why))
            return error_set(error, why.code, "move %u of the record is wrong: %.300s", i + 1,
                             why.text);
    }
    return true;
}

static bool read_record(Replay *replay, const json_t *record, TurfError *error)
{
    const char *game = json_string_value(json_object_get(record, "game"));
    const char *first = json_string_value(json_object_get(record, "first"));
    const char *second = json_string_value(json_object_get(record, "second"));
    TurfState   state;
    TurfError   why;
    if (!game || !first || !second || !json_is_array(json_object_get(record, "moves")))
        return error_invalid(
            error,
            "this is no record of a game: it wants game, first, second, start and moves, as 'turf "
            "export' writes them");
    replay->game = turf_game_find(game, error);
    if (!replay->game)
        return false;
    replay->names[0] = strdup(first);
    replay->names[1] = strdup(second);
    replay->record = json_deep_copy(record);
    if (!replay->names[0] || !replay->names[1] || !replay->record)
        return error_no_memory(error);
    error_flatten(
        replay->names[0]); /* a record may come from anywhere, and is shown on terminals */
    error_flatten(replay->names[1]);
    replay->moves = json_object_get(replay->record, "moves");
    if (!replay->game->from_json(&state, json_object_get(record, "start"), &why))
        return error_set(error, why.code, "the start of the record is wrong: %.300s", why.text);
    return play_through(replay, &state, error);
}

bool replay_init(Replay *replay, const json_t *record, TurfError *error)
{
    *replay = (Replay){0};
    if (read_record(replay, record, error))
        return true;
    replay_release(replay);
    return false;
}

void replay_release(Replay *replay)
{
    free(replay->names[0]);
    free(replay->names[1]);
    free(replay->kept);
    json_decref(replay->record);
    *replay = (Replay){0};
}

void replay_at(const Replay *replay, uint32_t n_moves, TurfState *state)
{
    TurfError error;
    uint32_t  from = n_moves / replay->kept_every;
    *state = replay->kept[from];
    for (uint32_t i = from * replay->kept_every; i < n_moves; i++)
        (void)apply_move(replay, i, state, &error); /* they were all played before */
}

TurfMove replay_move(const Replay *replay, uint32_t index, const TurfState *before)
{
    TurfMove  move = 0;
    TurfError error;
    (void)replay->game->move_from_json(before, json_array_get(replay->moves, index), &move, &error);
    return move;
}

void replay_ending_text(const Replay *replay, char *text, size_t room)
{
    const char *winner = json_string_value(json_object_get(replay->record, "winner"));
    const char *outcome = json_string_value(json_object_get(replay->record, "outcome"));
    const char *forfeit = json_string_value(json_object_get(replay->record, "forfeit"));
    const char *explanation = json_string_value(json_object_get(replay->record, "explanation"));
    int         side = winner && outcome && replay->game->ending_names[TURF_WON_BY_SECOND] &&
               !strcmp(outcome, replay->game->ending_names[TURF_WON_BY_SECOND]);
    if (!winner && !outcome)
        (void)snprintf(text, room, "The record ends here, before the end of the game");
    else if (!winner)
        (void)snprintf(text, room, "The game is over: nobody wins (%s)", outcome);
    else if (forfeit)
        (void)snprintf(
            text, room, "The game is over: %s (%s) wins, since %s (%s) forfeited: %s%s%s",
            replay->game->side_names[side], winner, replay->game->side_names[!side],
            replay->names[!side], forfeit, explanation ? ", " : "", explanation ? explanation : "");
    else
        (void)snprintf(text, room, "The game is over: %s (%s) wins", replay->game->side_names[side],
                       winner);
    error_flatten(text);
}
