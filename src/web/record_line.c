/* Finished games as lines of JSON that stand on their own, as `turf export` writes them. A line may
 * come from anywhere: its moves are played again, and its texts made printable. */
#include "web/record.h"

#include "base/checked_json.h"
#include "base/error.h"
#include "base/utf8.h"
#include "live/replay.h"
#include "players/player.h"
#include "web/moment.h"
#include "web/public_names.h"

#include <string.h>

static const char UNFINISHED[] = "unfinished";

/* ---- writing ------------------------------------------------------------------------------ */

static json_t *times_of(const MoveHistory *history)
{
    json_t *list = json_array();
    for (size_t i = 0; i < history->n_plies; i++)
        json_add(&list, json_integer(history->plies[i].ms * 1000));
    return list;
}

json_t *record_to_line(const Record *record)
{
    const MoveHistory *history = &record->history;
    const Finish      *finish = &record->finish;
    bool               is_over = strcmp(finish->reason, UNFINISHED) != 0;
    bool               is_by_rules = !is_over || !strcmp(finish->reason, "rules");
    const char        *winner = finish->winner >= 0 ? record->names[finish->winner] : NULL;
    json_t            *json =
        json_pack("{s:s,s:s,s:s,s:s?,s:s?,s:I}", "game", history->game->name, "first",
                  record->names[0], "second", record->names[1], "winner", winner, "outcome",
                  is_over ? finish->outcome : NULL, "length", (json_int_t)history->n_plies);
    json_put(&json, "forfeit", is_by_rules ? json_null() : json_string(finish->reason));
    json_put(&json, "explanation", is_by_rules ? json_null() : json_string(finish->text));
    json_put(&json, "finished_at", moment_json(record->finished_ms));
    json_put(&json, "start", history->game->to_json(&history->start));
    json_put(&json, "moves", history_moves_json(history));
    json_put(&json, "times", times_of(history));
    return json;
}

/* ---- reading ------------------------------------------------------------------------------ */

static const char *text_of(const json_t *line, const char *key)
{
    return json_string_value(json_object_get(line, key));
}

/* The side that an outcome names as the winner; -1: nobody. */
static int winner_of(const TurfGame *game, const char *outcome)
{
    for (int side = 0; side < 2; side++)
        if (outcome && game->ending_names[side] && !strcmp(outcome, game->ending_names[side]))
            return side;
    return -1;
}

static bool read_forfeit(const json_t *line, Record *record, const char *reason, TurfError *error)
{
    const char *outcome = text_of(line, "outcome"), *text = text_of(line, "explanation");
    Finish     *finish = &record->finish;
    size_t      length = strlen(reason);
    if (length == 0 || length >= sizeof finish->reason || !utf8_is_printable(reason, length) ||
        !strcmp(reason, "rules") || !strcmp(reason, UNFINISHED))
        return error_invalid(error, "'forfeit' must be a reason of one word, like resigned");
    if (!outcome || strlen(outcome) >= sizeof finish->outcome || !*outcome)
        return error_invalid(error, "the record says '%s', and not who won ('outcome')", reason);
    *finish = finish_without_winner(reason, text ? text : reason);
    finish->winner = winner_of(record->history.game, outcome);
    snprintf(finish->outcome, sizeof finish->outcome, "%s", outcome);
    utf8_make_printable(finish->outcome);
    utf8_make_printable(finish->text);
    return true;
}

static bool read_finish(const json_t *line, Record *record, TurfError *error)
{
    const MoveHistory *history = &record->history;
    const char        *reason = text_of(line, "forfeit"), *outcome = text_of(line, "outcome");
    if (reason)
        return read_forfeit(line, record, reason, error);
    if (finish_by_rules(history->game, &history->state, &record->finish))
        return true;
    if (outcome)
        return error_invalid(error,
                             "the record is not whole: it has %zu moves, after which the "
                             "game goes on, but says that it is over",
                             history->n_plies);
    record->finish = finish_without_winner(UNFINISHED, "the record ends before the game does");
    snprintf(record->finish.outcome, sizeof record->finish.outcome, "%s", UNFINISHED);
    return true;
}

static void clean_name(char *name)
{
    hide_folders(name);
    utf8_make_printable(name);
    name[utf8_prefix(name, MAX_NAME_LETTERS)] = '\0';
}

bool record_from_line(const json_t *line, Record *record, TurfError *error)
{
    Replay replay;
    if (!replay_init(&replay, line, error))
        return false;
    *record = (Record){.history = replay.history,
                       .names = {replay.names[0], replay.names[1]},
                       .finished_ms = moment_read(json_object_get(line, "finished_at")),
                       .seed = -1};
    replay.history = (MoveHistory){0};
    replay.names[0] = replay.names[1] = NULL;
    replay_release(&replay);
    clean_name(record->names[0]);
    clean_name(record->names[1]);
    if (read_finish(line, record, error))
        return true;
    record_release(record);
    return false;
}
