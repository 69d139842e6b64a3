/* Finished games: the list, one of them, and its positions. The list merges two that are in the
 * store, live games and the recorded games of runs. Takes server->reader_lock while it reads. */
#include "web/api.h"

#include "base/error.h"
#include "base/checked_json.h"
#include "store/live_games.h"
#include "web/history_views.h"
#include "web/record_cache.h"

#include <stdlib.h>
#include <string.h>

/* ---- the list ----------------------------------------------------------------------------- */

/* How far each of the two lists has been read, the latest first. As text it is
 * MILLISECONDS.LIVE_GAME.NUMBER, with "-" for a list that has not been begun. */
typedef struct Cursor {
    int64_t live_game_ms;
    char    live_game[TOKEN_NAME_BYTES];
    int64_t game;
} Cursor;

static bool read_cursor(Request *request, Cursor *cursor)
{
    const char *text = request_parameter(request, "before");
    *cursor = (Cursor){.game = 0};
    if (!text)
        return true;
    long long ms, game;
    char      live_game[TOKEN_NAME_BYTES], end;
    if (sscanf(text, "%lld.%12[a-z0-9-].%lld%c", &ms, live_game, &game, &end) != 3 || ms < 0 ||
        game < 0) {
        respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                      "'before' is what an earlier answer called 'next'");
        return false;
    }
    cursor->game = game;
    if (strcmp(live_game, "-")) {
        cursor->live_game_ms = ms;
        snprintf(cursor->live_game, sizeof cursor->live_game, "%s", live_game);
    }
    return true;
}

/* An entry of either list. */
typedef struct Entry {
    json_t *json; /* NULL: it is damaged, and left out */
    int64_t when_ms;
    char    live_game[TOKEN_NAME_BYTES];
    int64_t game;
} Entry;

typedef struct Entries {
    Entry  list[MAX_LIST + 1];
    size_t n;
    bool   is_out_of_memory; /* and so not complete */
} Entries;

static bool add_live_game(void *context, const StoredLiveGame *row)
{
    Entries *entries = context;
    Entry   *entry = &entries->list[entries->n++];
    char     id[RECORD_ID_BYTES];
    snprintf(id, sizeof id, "s-%s", row->id);
    *entry = (Entry){.when_ms = row->updated_ms};
    snprintf(entry->live_game, sizeof entry->live_game, "%s", row->id);
    if (!turf_game_find(row->game, NULL))
        return true; /* by a later turf: a list without it is better than none */
    entry->json = json_pack("{s:s,s:s,s:[s,s],s:s,s:s,s:I,s:[I,I],s:o,s:n}", "id", id, "game",
                            row->game, "players", row->names[0], row->names[1], "outcome",
                            row->outcome ? row->outcome : "", "reason",
                            row->reason ? row->reason : "", "n_moves", (json_int_t)row->n_moves,
                            "scores", (json_int_t)row->scores[0], (json_int_t)row->scores[1],
                            "finished_at", moment_json(row->updated_ms), "tournament");
    json_put(&entry->json, "winner", row->winner >= 0 ? json_integer(row->winner) : json_null());
    entries->is_out_of_memory = !entry->json;
    return entry->json != NULL;
}

static bool add_game(void *context, const RecordedGame *game)
{
    Entries  *entries = context;
    Entry    *entry = &entries->list[entries->n++];
    Record    record;
    TurfError why = {.code = TURF_ERROR_NO_MEMORY, .text = "out of memory"};
    *entry = (Entry){.when_ms = game->created * 1000, .game = game->id};
    if (record_of_game(game, &record, &why)) {
        entry->json = record_summary(&record);
        record_release(&record);
        error_no_memory(&why); /* the only reason for no JSON */
    }
    entries->is_out_of_memory = !entry->json && (why.code == TURF_ERROR_NO_MEMORY);
    return !entries->is_out_of_memory;
}

/* Merges the lists by time, up to `limit` entries, and says where the next page begins. */
static json_t *merge(Entries *live_games, Entries *games, size_t limit, Cursor *cursor)
{
    json_t *list = json_array();
    size_t  s = 0, g = 0;
    while (s + g < limit && (s < live_games->n || g < games->n)) {
        bool is_live_game = s < live_games->n;
        if (is_live_game && g < games->n)
            is_live_game = live_games->list[s].when_ms >= games->list[g].when_ms;
        Entry *entry = is_live_game ? &live_games->list[s++] : &games->list[g++];
        if (is_live_game) {
            cursor->live_game_ms = entry->when_ms;
            snprintf(cursor->live_game, sizeof cursor->live_game, "%s", entry->live_game);
        } else {
            cursor->game = entry->game;
        }
        if (entry->json)
            json_add(&list, json_incref(entry->json));
    }
    char text[80];
    snprintf(text, sizeof text, "%lld.%s.%lld", (long long)cursor->live_game_ms,
             cursor->live_game[0] ? cursor->live_game : "-", (long long)cursor->game);
    bool has_more = s < live_games->n || g < games->n;
    return json_pack("{s:o,s:s?}", "games", list, "next", has_more ? text : NULL);
}

static void free_entries(Entries *entries)
{
    for (size_t i = 0; entries && i < entries->n; i++)
        json_decref(entries->list[i].json);
    free(entries);
}

/* False: answered already. */
static bool read_run(Request *request, int64_t *run)
{
    *run = 0;
    return request_number(request, "tournament", 1, INT64_MAX, run);
}

void api_history(Request *request)
{
    Server         *server = request->server;
    const char     *player = request_parameter(request, "player");
    const TurfGame *game;
    int64_t         limit = DEFAULT_LIST, run;
    Cursor          cursor;
    TurfError       error;
    if (!request_number(request, "limit", 1, MAX_LIST, &limit) || !read_run(request, &run) ||
        !read_cursor(request, &cursor) || !read_game_filter(request, &game))
        return;
    Entries       *live_games = calloc(1, sizeof *live_games), *games = calloc(1, sizeof *games);
    LiveGameFilter of_live_games = {.is_over = true,
                                    .only_listed = true,
                                    .game = game ? game->name : NULL,
                                    .player = player && *player ? player : NULL,
                                    .before_ms = cursor.live_game_ms,
                                    .before_id = cursor.live_game[0] ? cursor.live_game : NULL,
                                    .limit = limit + 1};
    RecordedGameFilter of_games = {.hides_league = league_is_hidden(request),
                                   .game = of_live_games.game,
                                   .player = of_live_games.player,
                                   .run = run,
                                   .before_id = cursor.game,
                                   .limit = limit + 1};
    bool               is_good = (live_games && games) || error_no_memory(&error);
    pthread_mutex_lock(&server->reader_lock);
    if (is_good && !run) /* live games are not part of a run */
        is_good =
            live_games_each(server->reader, &of_live_games, add_live_game, live_games, &error);
    if (is_good)
        is_good = recorded_games_each(server->reader, &of_games, add_game, games, &error);
    pthread_mutex_unlock(&server->reader_lock);
    if (is_good && (live_games->is_out_of_memory || games->is_out_of_memory))
        is_good = error_no_memory(&error);
    if (is_good)
        respond_json(request, MHD_HTTP_OK, merge(live_games, games, (size_t)limit, &cursor));
    else
        respond_turf_error(request, &error);
    free_entries(live_games);
    free_entries(games);
}

/* ---- one of them -------------------------------------------------------------------------- */

typedef struct Finding {
    Record    *record;
    TurfError *error;
    bool       is_good;
} Finding;

static bool take_game(void *context, const RecordedGame *game)
{
    Finding *finding = context;
    finding->is_good = record_of_game(game, finding->record, finding->error);
    return false;
}

static bool record_of_live_game(Server *server, const char *id, Record *record, TurfError *error)
{
    HostedGame *hosted = registry_find(server, id, error);
    if (!hosted)
        return false;
    pthread_mutex_lock(&hosted->lock);
    *record = (Record){.seed = (int64_t)hosted->setup.seed, .finished_ms = hosted->ended_ms};
    snprintf(record->id, sizeof record->id, "s-%s", hosted->id);
    record->finish = hosted->live.finish;
    bool is_good = false;
    if (!hosted->live.is_over)
        error_not_found(error, "there is no such finished game");
    else if (!history_copy(&record->history, &hosted->live.history))
        error_no_memory(error);
    else
        is_good = record_set_names(record, hosted->seats[0].name, hosted->seats[1].name, error);
    pthread_mutex_unlock(&hosted->lock);
    hosted_game_release(hosted);
    if (!is_good)
        record_release(record);
    return is_good;
}

/* Reads the record from the store or a live game. */
static bool read_record(Server *server, const char *id, Record *record, TurfError *error)
{
    Finding finding = {.record = record, .error = error};
    char   *end;
    error_not_found(error, "there is no such finished game");
    if (!strncmp(id, "s-", 2))
        return record_of_live_game(server, id + 2, record, error);
    if (strncmp(id, "r-", 2))
        return false;
    long long number = strtoll(id + 2, &end, 10);
    if (end == id + 2 || *end)
        return false;
    pthread_mutex_lock(&server->reader_lock);
    (void)recorded_games_find(server->reader, number, take_game, &finding, error);
    pthread_mutex_unlock(&server->reader_lock);
    return finding.is_good;
}

static bool may_see(Request *request, CachedRecord *found)
{
    if (!found->record.is_of_league || !league_is_hidden(request))
        return true;
    cached_record_release(found);
    return respond_error(request, MHD_HTTP_NOT_FOUND, "not-found",
                         "there is no such finished game");
}

CachedRecord *find_record(Request *request)
{
    Server       *server = request->server;
    const char   *id = request->parts[0];
    CachedRecord *found = record_cache_find(&server->records, id);
    TurfError     error;
    Record        record;
    if (found)
        return may_see(request, found) ? found : NULL;
    if (!read_record(server, id, &record, &error))
        respond_turf_error(request, &error);
    else if (!(found = record_cache_add(&server->records, &record)))
        respond_no_memory(request);
    return found && may_see(request, found) ? found : NULL;
}

void api_record(Request *request)
{
    CachedRecord *found = find_record(request);
    if (!found)
        return;
    respond_json(request, MHD_HTTP_OK, record_json(&found->record));
    cached_record_release(found);
}

void api_record_frames(Request *request)
{
    int64_t       from = 0, n = 50;
    CachedRecord *found;
    Frames        frames;
    if (!request_number(request, "from", 0, INT32_MAX, &from) ||
        !request_number(request, "n", 1, MAX_FRAMES, &n) || !(found = find_record(request)))
        return;
    bool is_good = frames_copy(&frames, &found->record.history, &found->record.finish, from, n);
    cached_record_release(found);
    respond_frames(request, is_good ? &frames : NULL);
}
