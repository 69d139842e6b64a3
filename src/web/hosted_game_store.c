/* LiveGames in the store. */
#include "web/hosted_game.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/checked_json.h"
#include "games/cells.h"
#include "store/live_games.h"
#include "web/server.h"

#include <stdlib.h>
#include <string.h>

/* ---- keeping it --------------------------------------------------------------------------- */

static char *setup_text(const HostedGame *hosted)
{
    const Setup *setup = &hosted->setup;
    json_t      *seats = json_array();
    for (int side = 0; side < 2; side++) {
        const Seat *seat = &hosted->seats[side];
        json_add(&seats, json_pack("{s:b,s:s*,s:O*,s:s*}", "is_person", seat->is_person, "player",
                                   seat->player, "options", seat->options, "token_hash",
                                   seat->is_person ? seat->token_hash : NULL));
    }
    json_t *json =
        json_pack("{s:o,s:b,s:s*,s:O*,s:I,s:b,s:I,s:I,s:I,s:s,s:o}", "start",
                  setup->game->to_json(&setup->start), "is_start_named", setup->is_start_named,
                  "start_text", setup->start_text, "config", setup->config, "seed",
                  (json_int_t)setup->seed, "has_clock", setup->has_clock, "initial_ms",
                  (json_int_t)setup->initial_ms, "gain_ms", (json_int_t)setup->gain_ms, "delay_ms",
                  (json_int_t)setup->delay_ms, "parent", setup->parent, "seats", seats);
    char *text = json_checked_text(json, JSON_COMPACT);
    json_decref(json);
    return text;
}

static bool has_pending(const HostedGame *hosted)
{
    return !hosted->is_over && (hosted->pending[0].is_in || hosted->pending[1].is_in);
}

/* What sides have committed to, by their letters. */
static json_t *pending_json(const HostedGame *hosted)
{
    const TurfGame *game = hosted->setup.game;
    const Pending  *pending = hosted->pending;
    TurfAction      actions[2] = {{pending[0].cells, pending[0].n_cells},
                                  {pending[1].cells, pending[1].n_cells}};
    json_t         *json = game_actions_to_json(game, actions);
    for (int side = 0; side < 2; side++)
        if (!pending[side].is_in)
            json_object_del(json, game->side_letters[side]);
    return json;
}

/* With what was committed to only if the position is still the same. */
static char *live_text(const HostedGame *hosted, bool is_same_position)
{
    json_t *json =
        json_pack("{s:[b,b],s:[I,I],s:[b,b],s:s,s:o}", "is_taken", hosted->seats[0].is_taken,
                  hosted->seats[1].is_taken, "left_ms", (json_int_t)hosted_game_left_ms(hosted, 0),
                  (json_int_t)hosted_game_left_ms(hosted, 1), "wants_rematch",
                  hosted->wants_rematch[0], hosted->wants_rematch[1], "rematch", hosted->rematch,
                  "finish", finish_json(hosted->is_over ? &hosted->finish : NULL));
    if (is_same_position && has_pending(hosted))
        json_put(&json, "pending", pending_json(hosted));
    char *text = json_checked_text(json, JSON_COMPACT);
    json_decref(json);
    return text;
}

/* Nobody is to wait long because another program holds the store; and once it is known that one
 * does, nobody waits. */
static void set_wait(Server *server, TurfErrorCode code)
{
    enum { GLANCE_MS = 50 };
    store_set_max_wait(server->store, code == TURF_ERROR_BUSY ? GLANCE_MS : STORE_WAIT_MS);
}

bool hosted_game_save(HostedGame *hosted, SaveKind kind, ApiError *api_error)
{
    Server *server = hosted->server;
    char   *setup = setup_text(hosted), *live = live_text(hosted, kind == SAVE_STANDING),
         *move = NULL;
    bool      is_good = setup && live;
    TurfError error;
    int64_t   updated_ms = hosted->ended_ms
                               ? hosted->ended_ms
                               : now_ms(); /* what comes after the end is no part of it */
    if (is_good && kind == SAVE_MOVE) {
        json_t *json = history_move_json(&hosted->history, hosted->history.n_plies - 1);
        is_good = (move = json_checked_text(json, JSON_COMPACT | JSON_ENCODE_ANY)) != NULL;
        json_decref(json);
    }
    if (!is_good)
        api_error_no_memory(api_error);
    StoredLiveGame row = {.id = hosted->id,
                          .game = hosted->setup.game->name,
                          .created_ms = hosted->created_ms,
                          .updated_ms = updated_ms,
                          .is_over = hosted->is_over,
                          .is_listed = hosted->setup.is_listed,
                          .names = {hosted->seats[0].name, hosted->seats[1].name},
                          .winner = hosted->is_over ? hosted->finish.winner : -1,
                          .outcome = hosted->is_over ? hosted->finish.outcome : NULL,
                          .reason = hosted->is_over ? hosted->finish.reason : NULL,
                          .n_moves = (int64_t)hosted->history.n_plies,
                          .scores = {hosted->setup.game->own(&hosted->history.state, TURF_FIRST),
                                     hosted->setup.game->own(&hosted->history.state, TURF_SECOND)},
                          .setup = setup,
                          .live = live};
    if (is_good) {
        const PlayedPly *last =
            kind == SAVE_MOVE ? &hosted->history.plies[hosted->history.n_plies - 1] : NULL;
        pthread_mutex_lock(&server->store_lock);
        is_good =
            last ? live_games_save_move(server->store, &row, last->ply.side, move, last->ms, &error)
            : kind == SAVE_UNDO ? live_games_save_undo(server->store, &row, &error)
                                : live_games_save(server->store, &row, &error);
        if (!is_good)
            api_error_from(api_error, &error);
        set_wait(server, is_good ? TURF_OK : error.code);
        pthread_mutex_unlock(&server->store_lock);
    }
    if (is_good) {
        hosted->updated_ms = updated_ms;
        hosted->ended_ms = hosted->is_over ? updated_ms : 0;
        hosted->touched_ns = clock_ns();
        hosted->saved_ns = clock_ns();
        hosted->is_news = true;
    }
    free(setup);
    free(live);
    free(move);
    return is_good;
}

void hosted_game_save_clocks(HostedGame *hosted)
{
    Server   *server = hosted->server;
    TurfError error; /* dropped: the next move will meet it again */
    char     *live = NULL;
    hosted->saved_ns = clock_ns();
    if (hosted->is_over || (!hosted->since_ns[0] && !hosted->since_ns[1]) ||
        !(live = live_text(hosted, true)))
        return;
    pthread_mutex_lock(&server->store_lock);
    bool is_good = live_games_save_live(server->store, hosted->id, live, &error);
    set_wait(server, is_good ? TURF_OK : error.code);
    pthread_mutex_unlock(&server->store_lock);
    free(live);
}

/* ---- bringing it back --------------------------------------------------------------------- */

static bool read_seat(Server *server, const TurfGame *game, const json_t *json, Seat *seat,
                      TurfError *error)
{
    int         is_person = 0;
    const char *player = NULL, *hash = NULL;
    json_t     *options = NULL;
    if (json_unpack((json_t *)json, "{s:b,s?:s,s?:o,s?:s}", "is_person", &is_person, "player",
                    &player, "options", &options, "token_hash", &hash))
        return error_io(error, "a seat in the store cannot be read");
    *seat = (Seat){.is_person = is_person, .player = player ? strdup(player) : NULL};
    if (player && !seat->player)
        return error_no_memory(error);
    snprintf(seat->token_hash, sizeof seat->token_hash, "%s", hash ? hash : "");
    seat->options = json_is_object(options) ? json_incref(options) : NULL;
    const CatalogueEntry *entry = player ? catalogue_find(&server->catalogue, game, player) : NULL;
    TurfError             why = {0};
    if (entry) {
        seat->spec = catalogue_spec(entry, game, seat->options,
                                    &why); /* options may not be allowed any more */
        seat->is_bot = entry->kind->is_bot;
    }
    return (why.code == TURF_ERROR_NO_MEMORY) ? error_no_memory(error) : true;
}

typedef struct Loading {
    Server     *server;
    HostedGame *hosted;
    TurfError  *error;
    json_t     *pending; /* to be read once the moves are there */
    bool        is_good;
} Loading;

static HostedGame *read_setup(Server *server, const StoredLiveGame *row, TurfError *error)
{
    const TurfGame *game = turf_game_find(row->game, error);
    json_t *json = game ? json_read(row->setup, 0, error) : NULL, *start = NULL, *config = NULL,
           *seats = NULL;
    const char *start_text = NULL, *parent = "";
    json_int_t  seed = 0, initial_ms = 0, gain_ms = 0, delay_ms = 0;
    int         has_clock = 0, is_named = 0;
    Setup       setup = {.game = game, .is_listed = row->is_listed};
    Seat        sides[2] = {{.is_person = false}, {.is_person = false}};
    HostedGame *hosted = NULL;
    if (!json ||
        json_unpack(json, "{s:o,s:b,s?:s,s?:o,s:I,s:b,s:I,s:I,s:I,s:s,s:o}", "start", &start,
                    "is_start_named", &is_named, "start_text", &start_text, "config", &config,
                    "seed", &seed, "has_clock", &has_clock, "initial_ms", &initial_ms, "gain_ms",
                    &gain_ms, "delay_ms", &delay_ms, "parent", &parent, "seats", &seats) ||
        !game->from_json(&setup.start, start, error) ||
        !read_seat(server, game, json_array_get(seats, 0), &sides[0], error) ||
        !read_seat(server, game, json_array_get(seats, 1), &sides[1], error)) {
        if (!(error->code == TURF_ERROR_NO_MEMORY))
            error_io(error, "the game %s in the store cannot be read", row->id);
        seat_release(&sides[0]);
        seat_release(&sides[1]);
    } else {
        setup.is_start_named = is_named;
        setup.start_text = start_text ? strdup(start_text) : NULL;
        setup.config = json_is_object(config) ? json_incref(config) : NULL;
        setup.seed = (uint64_t)seed;
        setup.has_clock = has_clock;
        setup.initial_ms = initial_ms;
        setup.gain_ms = gain_ms;
        setup.delay_ms = delay_ms;
        snprintf(setup.parent, sizeof setup.parent, "%s", parent);
        for (int side = 0; side < 2; side++)
            snprintf(sides[side].name, sizeof sides[side].name, "%s", row->names[side]);
        bool has_copy = !start_text || setup.start_text;
        hosted = hosted_game_new(server, row->id, &setup, sides);
        if (!has_copy) {
            hosted_game_release(hosted);
            hosted = NULL;
        }
        if (!hosted)
            error_no_memory(error);
    }
    json_decref(json);
    return hosted;
}

static bool read_live(HostedGame *hosted, const StoredLiveGame *row, json_t **pending,
                      TurfError *error)
{
    json_t     *json = json_read(row->live, 0, error), *finish = NULL;
    int         is_taken[2], wants_rematch[2];
    json_int_t  left_ms[2];
    const char *rematch = "", *text = "";
    if (!json || json_unpack(json, "{s:[b,b],s:[I,I],s:[b,b],s:s,s:o,s?:O}", "is_taken",
                             &is_taken[0], &is_taken[1], "left_ms", &left_ms[0], &left_ms[1],
                             "wants_rematch", &wants_rematch[0], &wants_rematch[1], "rematch",
                             &rematch, "finish", &finish, "pending", pending)) {
        json_decref(json);
        return (error->code == TURF_ERROR_NO_MEMORY)
                   ? false
                   : error_io(error, "the game %s in the store cannot be read", row->id);
    }
    for (int side = 0; side < 2; side++) {
        hosted->seats[side].is_taken = is_taken[side];
        hosted->left_ns[side] = left_ms[side] * 1000000;
        hosted->wants_rematch[side] = wants_rematch[side];
    }
    snprintf(hosted->rematch, sizeof hosted->rematch, "%s", rematch);
    hosted->is_over = row->is_over;
    if (row->is_over) {
        (void)json_unpack(finish, "{s:s}", "text", &text);
        hosted->finish.winner = row->winner;
        snprintf(hosted->finish.outcome, sizeof hosted->finish.outcome, "%s",
                 row->outcome ? row->outcome : "");
        snprintf(hosted->finish.reason, sizeof hosted->finish.reason, "%s",
                 row->reason ? row->reason : "");
        snprintf(hosted->finish.text, sizeof hosted->finish.text, "%s", text);
    }
    hosted->created_ms = row->created_ms;
    hosted->updated_ms = row->updated_ms;
    hosted->ended_ms = row->is_over ? row->updated_ms : 0;
    json_decref(json);
    return true;
}

static bool load_row(void *context, const StoredLiveGame *row)
{
    Loading *loading = context;
    loading->hosted = read_setup(loading->server, row, loading->error);
    loading->is_good =
        loading->hosted && read_live(loading->hosted, row, &loading->pending, loading->error);
    return false;
}

static bool load_move(void *context, int64_t ply, int side, const char *text, int64_t ms)
{
    (void)ply;
    (void)side;
    Loading *loading = context;
    json_t  *json = json_read(text, JSON_DECODE_ANY, loading->error);
    loading->is_good =
        json && history_add_json(&loading->hosted->history, json, ms, loading->error);
    json_decref(json);
    return loading->is_good;
}

/* What cannot be read is left out: that side is asked again. False when memory is short. */
static bool read_pending(HostedGame *hosted, const json_t *json)
{
    const TurfGame *game = hosted->setup.game;
    TurfCell       *room[2] = {malloc(TURF_MAX_CELLS * sizeof(TurfCell)),
                               malloc(TURF_MAX_CELLS * sizeof(TurfCell))};
    TurfAction      actions[2];
    TurfError       unused;
    bool            has_room = room[0] && room[1];
    if (has_room && game_is_simultaneous(game) &&
        game_actions_from_json(game, json, room, actions, &unused))
        for (int side = 0; side < 2; side++)
            if (json_object_get(json, game->side_letters[side]) &&
                game->is_legal_action(&hosted->history.state, (TurfSide)side, &actions[side],
                                      &unused))
                has_room = has_room && hosted_game_set_pending(hosted, side, actions[side].cells,
                                                               actions[side].n_cells);
    free(room[0]);
    free(room[1]);
    return has_room;
}

HostedGame *hosted_game_load(Server *server, const char *id, TurfError *error)
{
    Loading loading = {.server = server, .error = error, .is_good = true};
    *error = (TurfError){0};
    pthread_mutex_lock(&server->store_lock);
    bool is_good = live_games_find(server->store, id, load_row, &loading, error);
    is_good = is_good && loading.is_good &&
              live_games_each_move(server->store, id, load_move, &loading, error) &&
              loading.is_good;
    pthread_mutex_unlock(&server->store_lock);
    if (is_good && loading.pending && !loading.hosted->is_over &&
        !read_pending(loading.hosted, loading.pending))
        is_good = error_no_memory(error);
    json_decref(loading.pending);
    if (is_good)
        return loading.hosted;
    if (error->code == TURF_ERROR_INVALID) /* not the request is wrong, but what is stored */
        error->code = TURF_ERROR_IO;
    hosted_game_release(loading.hosted);
    return NULL;
}
