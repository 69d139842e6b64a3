/* Recorded games. A record may come from anywhere and is shown on terminals, so its names and texts
 * are cleaned of control characters. */
#include "live/replay.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

static bool read_record(Replay *replay, const json_t *record, TurfError *error)
{
    const char   *name = json_string_value(json_object_get(record, "game"));
    const char   *first = json_string_value(json_object_get(record, "first"));
    const char   *second = json_string_value(json_object_get(record, "second"));
    const json_t *moves = json_object_get(record, "moves");
    if (!name || !first || !second || !json_is_array(moves))
        return error_invalid(error, "this is not a recorded game: it needs game, first, second, "
                                    "start and moves, as 'turf export' writes them");
    const TurfGame *game = turf_game_find(name, error);
    if (!game || !history_read(&replay->history, game, json_object_get(record, "start"), moves,
                               json_object_get(record, "times"), error))
        return false;
    replay->names[0] = strdup(first);
    replay->names[1] = strdup(second);
    replay->record = json_deep_copy(record);
    if (!replay->names[0] || !replay->names[1] || !replay->record)
        return error_no_memory(error);
    error_flatten(replay->names[0]);
    error_flatten(replay->names[1]);
    return true;
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
    history_release(&replay->history);
    json_decref(replay->record);
    *replay = (Replay){0};
}

void replay_ending_text(const Replay *replay, char *text, size_t room)
{
    const TurfGame *game = replay->history.game;
    const char     *winner = json_string_value(json_object_get(replay->record, "winner"));
    const char     *outcome = json_string_value(json_object_get(replay->record, "outcome"));
    const char     *forfeit = json_string_value(json_object_get(replay->record, "forfeit"));
    const char     *explanation = json_string_value(json_object_get(replay->record, "explanation"));
    const char     *second_wins = game->ending_names[TURF_WON_BY_SECOND];
    int             side = winner && outcome && second_wins && !strcmp(outcome, second_wins);
    if (!winner && !outcome)
        (void)snprintf(text, room, "The record ends here, before the end of the game");
    else if (!winner)
        (void)snprintf(text, room, "The game is over: nobody wins (%s)", outcome);
    else if (forfeit)
        (void)snprintf(
            text, room, "The game is over: %s (%s) wins, since %s (%s) forfeited: %s%s%s",
            game->side_names[side], winner, game->side_names[!side], replay->names[!side], forfeit,
            explanation ? ", " : "", explanation ? explanation : "");
    else
        (void)snprintf(text, room, "The game is over: %s (%s) wins", game->side_names[side],
                       winner);
    error_flatten(text);
}
