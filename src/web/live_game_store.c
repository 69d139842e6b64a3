/* LiveGames in the store. */
#include "web/live_game.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/checked_json.h"
#include "store/live_games.h"
#include "web/server.h"

#include <stdlib.h>
#include <string.h>

/* ---- keeping it --------------------------------------------------------------------------- */

static char *setup_text(const LiveGame *live_game)
{
    const Setup *setup = &live_game->setup;
    json_t      *seats = json_array();
    for (int side = 0; side < 2; side++) {
        const Seat *seat = &live_game->seats[side];
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

static bool has_pending(const LiveGame *live_game)
{
    return !live_game->is_over && (live_game->pending[0].is_in || live_game->pending[1].is_in);
}

/* What sides have committed to, by their letters. */
static json_t *pending_json(const LiveGame *live_game)
{
    const TurfGame *game = live_game->setup.game;
    const Pending  *pending = live_game->pending;
    TurfAction      actions[2] = {{pending[0].cells, pending[0].n_cells},
                                  {pending[1].cells, pending[1].n_cells}};
    json_t         *json = game->actions_to_json(&live_game->history.state, actions);
    for (int side = 0; side < 2; side++)
        if (!pending[side].is_in)
            json_object_del(json, game->side_letters[side]);
    return json;
}

/* With what was committed to only if the position is still the same. */
static char *live_text(const LiveGame *live_game, bool is_same_position)
{
    json_t *json = json_pack(
        "{s:[b,b],s:[I,I],s:[b,b],s:s,s:o}", "is_taken", live_game->seats[0].is_taken,
        live_game->seats[1].is_taken, "left_ms", (json_int_t)live_game_left_ms(live_game, 0),
        (json_int_t)live_game_left_ms(live_game, 1), "wants_rematch", live_game->wants_rematch[0],
        live_game->wants_rematch[1], "rematch", live_game->rematch, "finish",
        finish_json(live_game->is_over ? &live_game->finish : NULL));
    if (is_same_position && has_pending(live_game))
        json_put(&json, "pending", pending_json(live_game));
    char *text = json_checked_text(json, JSON_COMPACT);
    json_decref(json);
    return text;
}

/* Nobody is to wait long because another program holds the store; and once it is known that one
 * does, nobody waits. */
static void set_wait(Server *server, bool has_failed)
{
    enum { GLANCE_MS = 50 };
    store_set_max_wait(server->store,
                       has_failed && store_was_in_use(server->store) ? GLANCE_MS : STORE_WAIT_MS);
}

bool live_game_save(LiveGame *live_game, SaveKind kind, ApiError *api_error)
{
    Server *server = live_game->server;
    char   *setup = setup_text(live_game), *live = live_text(live_game, kind == SAVE_STANDING),
         *move = NULL;
    bool      is_good = setup && live;
    TurfError error;
    int64_t   updated_ms = live_game->ended_ms
                               ? live_game->ended_ms
                               : now_ms(); /* what comes after the end is no part of it */
    if (is_good && kind == SAVE_MOVE) {
        json_t *json = history_move_json(&live_game->history, live_game->history.n_plies - 1);
        is_good = (move = json_checked_text(json, JSON_COMPACT | JSON_ENCODE_ANY)) != NULL;
        json_decref(json);
    }
    if (!is_good)
        api_error_no_memory(api_error);
    StoredLiveGame row = {
        .id = live_game->id,
        .game = live_game->setup.game->name,
        .created_ms = live_game->created_ms,
        .updated_ms = updated_ms,
        .is_over = live_game->is_over,
        .is_listed = live_game->setup.is_listed,
        .names = {live_game->seats[0].name, live_game->seats[1].name},
        .winner = live_game->is_over ? live_game->finish.winner : -1,
        .outcome = live_game->is_over ? live_game->finish.outcome : NULL,
        .reason = live_game->is_over ? live_game->finish.reason : NULL,
        .n_moves = (int64_t)live_game->history.n_plies,
        .scores = {live_game->setup.game->own(&live_game->history.state, TURF_FIRST),
                   live_game->setup.game->own(&live_game->history.state, TURF_SECOND)},
        .setup = setup,
        .live = live};
    if (is_good) {
        const PlayedPly *last =
            kind == SAVE_MOVE ? &live_game->history.plies[live_game->history.n_plies - 1] : NULL;
        pthread_mutex_lock(&server->store_lock);
        is_good =
            last ? live_games_save_move(server->store, &row, last->ply.side, move, last->ms, &error)
            : kind == SAVE_UNDO ? live_games_save_undo(server->store, &row, &error)
                                : live_games_save(server->store, &row, &error);
        if (!is_good)
            api_error_not_stored(api_error, server->store, &error);
        set_wait(server, !is_good);
        pthread_mutex_unlock(&server->store_lock);
    }
    if (is_good) {
        live_game->updated_ms = updated_ms;
        live_game->ended_ms = live_game->is_over ? updated_ms : 0;
        live_game->touched_ns = clock_ns();
        live_game->saved_ns = clock_ns();
        live_game->is_news = true;
    }
    free(setup);
    free(live);
    free(move);
    return is_good;
}

void live_game_save_clocks(LiveGame *live_game)
{
    Server   *server = live_game->server;
    TurfError unused; /* if it fails, the next move will tell */
    char     *live = NULL;
    live_game->saved_ns = clock_ns();
    if (live_game->is_over || (!live_game->since_ns[0] && !live_game->since_ns[1]) ||
        !(live = live_text(live_game, true)))
        return;
    pthread_mutex_lock(&server->store_lock);
    set_wait(server, !live_games_save_live(server->store, live_game->id, live, &unused));
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
        return error_invalid(error, "a seat in the store cannot be read");
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
    Server    *server;
    LiveGame  *live_game;
    TurfError *error;
    json_t    *pending; /* to be read once the moves are there */
    bool       is_good;
} Loading;

static LiveGame *read_setup(Server *server, const StoredLiveGame *row, TurfError *error)
{
    const TurfGame *game = turf_game_find(row->game, error);
    json_t *json = game ? json_read(row->setup, 0, error) : NULL, *start = NULL, *config = NULL,
           *seats = NULL;
    const char *start_text = NULL, *parent = "";
    json_int_t  seed = 0, initial_ms = 0, gain_ms = 0, delay_ms = 0;
    int         has_clock = 0, is_named = 0;
    Setup       setup = {.game = game, .is_listed = row->is_listed};
    Seat        sides[2] = {{.is_person = false}, {.is_person = false}};
    LiveGame   *live_game = NULL;
    if (!json ||
        json_unpack(json, "{s:o,s:b,s?:s,s?:o,s:I,s:b,s:I,s:I,s:I,s:s,s:o}", "start", &start,
                    "is_start_named", &is_named, "start_text", &start_text, "config", &config,
                    "seed", &seed, "has_clock", &has_clock, "initial_ms", &initial_ms, "gain_ms",
                    &gain_ms, "delay_ms", &delay_ms, "parent", &parent, "seats", &seats) ||
        !game->from_json(&setup.start, start, error) ||
        !read_seat(server, game, json_array_get(seats, 0), &sides[0], error) ||
        !read_seat(server, game, json_array_get(seats, 1), &sides[1], error)) {
        if (!(error->code == TURF_ERROR_NO_MEMORY))
            error_invalid(error, "the game %s in the store cannot be read", row->id);
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
        live_game = live_game_new(server, row->id, &setup, sides);
        if (!has_copy) {
            live_game_release(live_game);
            live_game = NULL;
        }
        if (!live_game)
            error_no_memory(error);
    }
    json_decref(json);
    return live_game;
}

static bool read_live(LiveGame *live_game, const StoredLiveGame *row, json_t **pending,
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
                   : error_invalid(error, "the game %s in the store cannot be read", row->id);
    }
    for (int side = 0; side < 2; side++) {
        live_game->seats[side].is_taken = is_taken[side];
        live_game->left_ns[side] = left_ms[side] * 1000000;
        live_game->wants_rematch[side] = wants_rematch[side];
    }
    snprintf(live_game->rematch, sizeof live_game->rematch, "%s", rematch);
    live_game->is_over = row->is_over;
    if (row->is_over) {
        (void)json_unpack(finish, "{s:s}", "text", &text);
        live_game->finish.winner = row->winner;
        snprintf(live_game->finish.outcome, sizeof live_game->finish.outcome, "%s",
                 row->outcome ? row->outcome : "");
        snprintf(live_game->finish.reason, sizeof live_game->finish.reason, "%s",
                 row->reason ? row->reason : "");
        snprintf(live_game->finish.text, sizeof live_game->finish.text, "%s", text);
    }
    live_game->created_ms = row->created_ms;
    live_game->updated_ms = row->updated_ms;
    live_game->ended_ms = row->is_over ? row->updated_ms : 0;
    json_decref(json);
    return true;
}

static bool load_row(void *context, const StoredLiveGame *row)
{
    Loading *loading = context;
    loading->live_game = read_setup(loading->server, row, loading->error);
    loading->is_good =
        loading->live_game && read_live(loading->live_game, row, &loading->pending, loading->error);
    return false;
}

static bool load_move(void *context, int64_t ply, int side, const char *text, int64_t ms)
{
    (void)ply;
    (void)side;
    Loading *loading = context;
    json_t  *json = json_read(text, JSON_DECODE_ANY, loading->error);
    loading->is_good =
        json && history_add_json(&loading->live_game->history, json, ms, loading->error);
    json_decref(json);
    return loading->is_good;
}

/* What cannot be read is left out: that side is asked again. False when memory is short. */
static bool read_pending(LiveGame *live_game, const json_t *json)
{
    const TurfGame *game = live_game->setup.game;
    TurfCell       *room[2] = {malloc(TURF_MAX_CELLS * sizeof(TurfCell)),
                               malloc(TURF_MAX_CELLS * sizeof(TurfCell))};
    TurfAction      actions[2];
    TurfError       unused;
    bool            has_room = room[0] && room[1];
    if (has_room && game_is_simultaneous(game) &&
        game->actions_from_json(&live_game->history.state, json, room, actions, &unused))
        for (int side = 0; side < 2; side++)
            if (json_object_get(json, game->side_letters[side]) &&
                game->is_legal_action(&live_game->history.state, (TurfSide)side, &actions[side],
                                      &unused))
                has_room = has_room && live_game_set_pending(live_game, side, actions[side].cells,
                                                             actions[side].n_cells);
    free(room[0]);
    free(room[1]);
    return has_room;
}

LiveGame *live_game_load(Server *server, const char *id, TurfError *error)
{
    Loading loading = {.server = server, .error = error, .is_good = true};
    *error = (TurfError){0};
    pthread_mutex_lock(&server->store_lock);
    bool is_good = live_games_find(server->store, id, load_row, &loading, error);
    is_good = is_good && loading.is_good &&
              live_games_each_move(server->store, id, load_move, &loading, error) &&
              loading.is_good;
    pthread_mutex_unlock(&server->store_lock);
    if (is_good && loading.pending && !loading.live_game->is_over &&
        !read_pending(loading.live_game, loading.pending))
        is_good = error_no_memory(error);
    json_decref(loading.pending);
    if (is_good)
        return loading.live_game;
    live_game_release(loading.live_game);
    return NULL;
}
