/* Finished games for the history: read from the rows of runs, and as JSON. */
#include "web/record.h"

#include "base/error.h"
#include "base/checked_json.h"
#include "store/records.h"
#include "web/public_names.h"
#include "web/moment.h"

#include <stdlib.h>
#include <string.h>

void record_release(Record *record)
{
    free(record->names[0]);
    free(record->names[1]);
    history_release(&record->history);
    record->names[0] = record->names[1] = NULL;
}

bool record_set_names(Record *record, const char *first, const char *second, TurfError *error)
{
    record->names[0] = strdup(first);
    record->names[1] = strdup(second);
    return (record->names[0] && record->names[1]) || error_no_memory(error);
}

static int winner_of(TurfEnding ending)
{
    if (ending == TURF_WON_BY_FIRST)
        return 0;
    return ending == TURF_WON_BY_SECOND ? 1 : -1;
}

static void read_finish(const TurfGame *game, const RecordedGame *stored, Record *record)
{
    Finish    *finish = &record->finish;
    TurfEnding ending = ending_of_word(stored->ending);
    if (stored->forfeiter < 0 && finish_by_rules(game, &record->history.state, finish))
        return;
    /* It may quote what a bot wrote, which in a league is for its team alone. */
    bool is_told = stored->explanation && !stored->is_of_league;
    *finish = finish_without_winner(stored->reason ? stored->reason : "rules",
                                    is_told ? stored->explanation : "");
    finish->winner = winner_of(ending);
    snprintf(finish->outcome, sizeof finish->outcome, "%s",
             game->ending_names[ending] ? game->ending_names[ending] : stored->ending);
}

static bool read_history(const RecordedGame *stored, MoveHistory *history, TurfError *error)
{
    const TurfGame *game = turf_game_find(stored->game, error);
    json_t         *start = game ? json_read(stored->start, 0, error) : NULL;
    json_t         *moves = start ? json_read(stored->moves, 0, error) : NULL;
    json_t         *times = moves ? json_read(stored->times, 0, error) : NULL; /* may be missing */
    bool            is_good = moves && (times || error->code != TURF_ERROR_NO_MEMORY) &&
                   history_read(history, game, start, moves, times, error);
    json_decref(start);
    json_decref(moves);
    json_decref(times);
    return is_good;
}

bool record_of_game(const RecordedGame *stored, Record *record, TurfError *error)
{
    *record = (Record){.finished_ms = stored->created * 1000,
                       .run = stored->run,
                       .is_of_league = stored->is_of_league,
                       .seed = -1};
    snprintf(record->id, sizeof record->id, "r-%lld", (long long)stored->id);
    if (read_history(stored, &record->history, error)) {
        read_finish(record->history.game, stored, record);
        if (record_set_names(record, stored->names[0], stored->names[1], error)) {
            hide_folders(record->names[0]);
            hide_folders(record->names[1]);
            return true;
        }
    }
    record_release(record);
    if (error->code != TURF_ERROR_NO_MEMORY) {
        char why[200];
        (void)snprintf(why, sizeof why, "%.190s", error->text);
        error_io(error, "the database is damaged: game %lld cannot be read: %s",
                 (long long)stored->id, why);
    }
    return false;
}

json_t *record_summary(const Record *record)
{
    const MoveHistory *history = &record->history;
    json_t *json = json_pack("{s:s,s:s,s:[s,s],s:s,s:s,s:s,s:I,s:o,s:o}", "id", record->id, "game",
                             history->game->name, "players", record->names[0], record->names[1],
                             "outcome", record->finish.outcome, "reason", record->finish.reason,
                             "text", record->finish.text, "n_moves", (json_int_t)history->n_plies,
                             "scores", view_of_scores(history->game, &history->state),
                             "finished_at", moment_json(record->finished_ms));
    json_put(&json, "winner",
             record->finish.winner >= 0 ? json_integer(record->finish.winner) : json_null());
    char run[24];
    snprintf(run, sizeof run, "%lld", (long long)record->run);
    json_put(&json, "tournament", record->run ? json_string(run) : json_null());
    return json;
}

json_t *record_json(const Record *record)
{
    const MoveHistory *history = &record->history;
    json_t            *json = record_summary(record);
    json_put(&json, "start", history->game->to_json(&history->start));
    json_put(&json, "moves", history_plies_view(history));
    json_put(&json, "scores_by_ply", history_scores_view(history));
    json_put(&json, "over", finish_json(&record->finish));
    json_put(&json, "seed", record->seed >= 0 ? json_integer(record->seed) : json_null());
    return json;
}
