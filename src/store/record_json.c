/* Recorded games as lines of JSON. */
#include "store/record_json.h"

#include "base/checked_json.h"

/* Text that is not JSON becomes null; NULL without memory. */
static json_t *parsed(const char *text)
{
    TurfError why;
    if (!text)
        return json_null();
    json_t *json = json_read(text, JSON_DECODE_ANY, &why);
    return json || why.code == TURF_ERROR_NO_MEMORY ? json : json_null();
}

static json_t *text_or_null(const char *text) { return text ? json_string(text) : json_null(); }

json_t *record_to_json(const GameRecord *record, const TurfGame *game, const char *const names[2])
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
