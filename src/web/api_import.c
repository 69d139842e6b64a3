/* Finished games to and from files: GET /api/history/ID/export is a line as `turf export` writes
 * it, and POST /api/history takes one.
 *
 * A game that comes in is stored as a live game of two people that is over. If the owner sent it,
 * it is listed; one of a visitor is found by its link alone, since a line can claim anything about
 * who played. Its id is made of its content: what is there already is not stored twice. */
#include "web/api.h"

#include "base/checked_json.h"
#include "base/error.h"
#include "base/hash.h"
#include "web/record_cache.h"

#include <stdlib.h>
#include <string.h>

void api_record_export(Request *request)
{
    CachedRecord *found = find_record(request);
    if (!found)
        return;
    json_t *line = record_to_line(&found->record);
    char   *text = json_checked_text(line, JSON_COMPACT), *ended = NULL;
    if (text && asprintf(&ended, "%s\n", text) < 0)
        ended = NULL;
    respond_text(request, MHD_HTTP_OK, "application/x-ndjson", ended);
    respond_header(request, MHD_HTTP_HEADER_CONTENT_DISPOSITION,
                   "attachment; filename=\"turf-game.jsonl\"");
    cached_record_release(found);
    json_decref(line);
    free(text);
}

/* False without memory. */
static bool name_by_content(const Record *record, bool is_listed, char id[TOKEN_NAME_BYTES])
{
    static const char letters[] = "abcdefghijkmnpqrstuvwxyz23456789"; /* as token_name */
    json_t           *line = record_to_line(record);
    if (line) {
        (void)json_object_del(line, "finished_at");
        (void)json_object_del(line, "times");
    }
    json_put(&line, "is_listed", json_boolean(is_listed));
    char *text = json_checked_text(line, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(line);
    if (!text)
        return false;
    uint64_t hash = hash_bytes(text, strlen(text));
    for (size_t i = 0; i < TOKEN_NAME_BYTES - 1; i++, hash >>= 5)
        id[i] = letters[hash & 31];
    id[TOKEN_NAME_BYTES - 1] = '\0';
    free(text);
    return true;
}

/* The game as if two people had played it here; takes the moves of the record. NULL without memory.
 */
static HostedGame *hosted_from(Server *server, Record *record, const char *id, bool is_listed)
{
    Setup setup = {
        .game = record->history.game, .start = record->history.start, .is_listed = is_listed};
    Seat seats[2];
    for (int side = 0; side < 2; side++) {
        char token[TOKEN_BYTES]; /* nobody learns it */
        token_draw(token);
        seats[side] = (Seat){.is_person = true, .is_taken = true};
        token_hash(token, seats[side].token_hash);
        snprintf(seats[side].name, sizeof seats[side].name, "%s", record->names[side]);
    }
    HostedGame *hosted = hosted_game_new(server, id, &setup, seats);
    if (!hosted)
        return NULL;
    history_release(&hosted->live.history);
    hosted->live.history = record->history;
    record->history = (MoveHistory){0};
    hosted->live.is_over = true;
    hosted->live.finish = record->finish;
    hosted->ended_ms = record->finished_ms;
    return hosted;
}

/* Stores it, unless it is there. False: see the error. */
static bool store(Server *server, Record *record, const char *id, bool is_listed, bool *is_new,
                  ApiError *api_error)
{
    TurfError   error;
    HostedGame *hosted = registry_find(server, id, &error);
    *is_new = !hosted;
    if (!hosted && error.code != TURF_ERROR_NOT_FOUND)
        return api_error_from(api_error, &error);
    bool is_good = true;
    if (*is_new && !(hosted = hosted_from(server, record, id, is_listed))) {
        (void)error_no_memory(&error);
        return api_error_from(api_error, &error);
    }
    if (*is_new) {
        pthread_mutex_lock(&hosted->lock);
        is_good = hosted_game_save(hosted, SAVE_WHOLE, api_error);
        pthread_mutex_unlock(&hosted->lock);
    }
    hosted_game_release(hosted);
    return is_good;
}

void api_history_import(Request *request)
{
    bool      is_listed = is_owner(request), is_new = false;
    char      id[TOKEN_NAME_BYTES];
    Record    record;
    ApiError  api_error;
    TurfError error;
    if (!record_from_line(request->body, &record, &error)) {
        respond_turf_error(request, &error);
        return;
    }
    if (record.history.n_cells > MAX_CELLS_PLAYED)
        respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                      "this game is too long to be kept");
    else if (!name_by_content(&record, is_listed, id))
        respond_no_memory(request);
    else if (!store(request->server, &record, id, is_listed, &is_new, &api_error))
        respond_api_error(request, &api_error);
    else
        respond_json(request, is_new ? MHD_HTTP_CREATED : MHD_HTTP_OK,
                     json_pack("{s:o,s:b,s:b}", "id", json_sprintf("s-%s", id), "is_listed",
                               is_listed, "is_new", is_new));
    record_release(&record);
}
