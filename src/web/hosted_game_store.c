/* Hosted games in the store. Each change is one transaction. What a restart needs besides the moves
 * is two JSON texts: `setup`, which never changes, and `live`. Takes server->store_lock, with the
 * lock of the game held. */
#include "web/hosted_game.h"

#include "base/clock.h"
#include "base/utf8.h"
#include "base/error.h"
#include "base/checked_json.h"
#include "games/cells.h"
#include "store/live_games.h"
#include "web/league_practice.h"
#include "web/server.h"

#include <stdlib.h>
#include <string.h>

/* ---- saving --------------------------------------------------------------------------- */

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
                  (json_int_t)setup->seed, "has_clock", setup->initial_ms > 0, "initial_ms",
                  (json_int_t)setup->initial_ms, "gain_ms", (json_int_t)setup->gain_ms, "delay_ms",
                  (json_int_t)setup->delay_ms, "parent", setup->parent, "seats", seats);
    char *text = json_checked_text(json, JSON_COMPACT);
    json_decref(json);
    return text;
}

/* The actions that sides have committed to, by the letters of the sides. */
static json_t *pending_json(const LiveGame *live)
{
    const TurfGame      *game = live->history.game;
    const PendingAction *pending = live->pending;
    TurfAction           actions[2] = {{pending[0].cells, pending[0].n_cells},
                                       {pending[1].cells, pending[1].n_cells}};
    json_t              *json = game_actions_to_json(game, actions);
    for (int side = 0; side < 2; side++)
        if (!pending[side].is_in)
            json_object_del(json, game->side_letters[side]);
    return json;
}

static char *live_text(const HostedGame *hosted)
{
    const LiveGame *live = &hosted->live;
    int64_t         now_ns = clock_ns();
    json_t         *json =
        json_pack("{s:[b,b],s:[I,I],s:[b,b],s:s,s:o}", "is_taken", hosted->seats[0].is_taken,
                  hosted->seats[1].is_taken, "left_ms",
                  (json_int_t)game_clock_left_ms(&live->clock, 0, now_ns),
                  (json_int_t)game_clock_left_ms(&live->clock, 1, now_ns), "wants_rematch",
                  hosted->wants_rematch[0], hosted->wants_rematch[1], "rematch", hosted->rematch,
                  "finish", finish_json(hosted_game_finish(hosted)));
    json_put(&json, "offers", hosted_game_offers_json(hosted));
    if (live->pending[0].is_in || live->pending[1].is_in)
        json_put(&json, "pending", pending_json(live));
    char *text = json_checked_text(json, JSON_COMPACT);
    json_decref(json);
    return text;
}

/* Another program that holds the store delays one request, and those after it only by GLANCE_MS
 * until it lets go. */
static void set_wait(Server *server, TurfErrorCode code)
{
    enum { GLANCE_MS = 50 };
    store_set_max_wait(server->store, code == TURF_ERROR_BUSY ? GLANCE_MS : STORE_WAIT_MS);
}

/* `moves` are those to be added: none, the last one, or all. */
static bool write_row(HostedGame *hosted, SaveKind kind, const StoredLiveGame *row,
                      const StoredMove *moves, TurfError *error)
{
    Server *server = hosted->server;
    bool    is_good;
    pthread_mutex_lock(&server->store_lock);
    if (kind == SAVE_MOVE) {
        is_good =
            live_games_save_move(server->store, row, moves->side, moves->move, moves->ms, error);
    } else if (kind == SAVE_WHOLE) {
        is_good = live_games_save_whole(server->store, row, moves, error);
    } else if (kind == SAVE_UNDO) {
        is_good = live_games_save_undo(server->store, row, error);
    } else {
        is_good = live_games_save(server->store, row, error);
    }
    set_wait(server, is_good ? TURF_OK : error->code);
    pthread_mutex_unlock(&server->store_lock);
    return is_good;
}

static void free_moves(StoredMove *moves, size_t n_moves)
{
    for (size_t i = 0; moves && i < n_moves; i++)
        free((void *)(uintptr_t)moves[i].move);
    free(moves);
}

/* The last `n_moves` moves; NULL without memory. */
static StoredMove *last_moves(const MoveHistory *history, size_t n_moves)
{
    StoredMove *moves = calloc(n_moves + 1, sizeof *moves);
    size_t      first = history->n_plies - n_moves;
    for (size_t i = 0; moves && i < n_moves; i++) {
        const PlayedPly *played = &history->plies[first + i];
        json_t          *json = history_move_json(history, first + i);
        moves[i] = (StoredMove){.side = played->ply.side,
                                .move = json_checked_text(json, JSON_COMPACT | JSON_ENCODE_ANY),
                                .ms = played->ms};
        json_decref(json);
        if (!moves[i].move) {
            free_moves(moves, i);
            return NULL;
        }
    }
    return moves;
}

/* How many moves are to be added. */
static size_t n_moves_of(SaveKind kind, const MoveHistory *history)
{
    if (kind == SAVE_WHOLE)
        return history->n_plies;
    return kind == SAVE_MOVE ? 1 : 0;
}

static bool save(HostedGame *hosted, SaveKind kind, int64_t updated_ms, TurfError *error)
{
    const MoveHistory *history = &hosted->live.history;
    const Finish      *finish = hosted_game_finish(hosted);
    char              *setup = setup_text(hosted), *live = live_text(hosted);
    size_t             n_moves = n_moves_of(kind, history);
    StoredMove        *moves = last_moves(history, n_moves);
    bool               is_good = setup && live && moves;
    StoredLiveGame     row = {.id = hosted->id,
                              .game = history->game->name,
                              .created_ms = hosted->created_ms,
                              .updated_ms = updated_ms,
                              .is_over = finish != NULL,
                              .is_listed = hosted->setup.is_listed,
                              .names = {hosted->seats[0].name, hosted->seats[1].name},
                              .winner = finish ? finish->winner : -1,
                              .outcome = finish ? finish->outcome : NULL,
                              .reason = finish ? finish->reason : NULL,
                              .n_moves = (int64_t)history->n_plies,
                              .scores = {history->game->own(&history->state, TURF_FIRST),
                                         history->game->own(&history->state, TURF_SECOND)},
                              .setup = setup,
                              .live = live};
    if (is_good)
        is_good = write_row(hosted, kind, &row, moves, error);
    else
        error_no_memory(error);
    free(setup);
    free(live);
    free_moves(moves, n_moves);
    return is_good;
}

bool hosted_game_save(HostedGame *hosted, SaveKind kind, ApiError *api_error)
{
    TurfError error;
    /* A rematch after the end is not part of the game. */
    int64_t updated_ms = hosted->ended_ms ? hosted->ended_ms : now_ms();
    if (!save(hosted, kind, updated_ms, &error))
        return api_error_from(api_error, &error);
    hosted->updated_ms = updated_ms;
    hosted->ended_ms = hosted->live.is_over ? updated_ms : 0;
    hosted->touched_ns = hosted->saved_ns = clock_ns();
    hosted->is_news = true;
    return true;
}

void hosted_game_save_clocks(HostedGame *hosted)
{
    Server          *server = hosted->server;
    const GameClock *clock = &hosted->live.clock;
    TurfError        error; /* dropped: the next move will meet it again */
    hosted->saved_ns = clock_ns();
    if (!clock->since_ns[0] && !clock->since_ns[1])
        return;
    char *live = live_text(hosted);
    if (!live)
        return;
    pthread_mutex_lock(&server->store_lock);
    bool is_good = live_games_save_live(server->store, hosted->id, live, &error);
    set_wait(server, is_good ? TURF_OK : error.code);
    pthread_mutex_unlock(&server->store_lock);
    free(live);
}

/* ---- loading --------------------------------------------------------------------- */

static bool read_seat(Server *server, const TurfGame *game, const json_t *json, Seat *seat,
                      TurfError *error)
{
    int         is_person = 0;
    const char *player = NULL, *hash = NULL;
    json_t     *options = NULL;
    if (json_unpack((json_t *)json, "{s:b,s?:s,s?:o,s?:s}", "is_person", &is_person, "player",
                    &player, "options", &options, "token_hash", &hash))
        return error_io(error, "its seats are wrong");
    if (is_person ? !hash || strlen(hash) != TOKEN_HASH_BYTES - 1 : !player)
        return error_io(error, "its seats are wrong");
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
        seat->is_external = entry->kind->is_external;
    } else if (is_practice(player)) {
        /* Looked up when it is started: the league's lock may have to be waited for. */
        seat->spec = strdup(player);
        seat->is_external = true;
        if (!seat->spec)
            return error_no_memory(error);
    }
    return (why.code == TURF_ERROR_NO_MEMORY) ? error_no_memory(error) : true;
}

typedef struct Loading {
    Server     *server;
    HostedGame *hosted;
    TurfError  *error;
    json_t     *pending; /* to be read once the moves are there */
    int64_t     n_moves; /* according to its row */
    bool        is_good;
} Loading;

/* The id of a live game, or "". */
static bool is_id_or_empty(const char *text)
{
    return strlen(text) < TOKEN_NAME_BYTES &&
           strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789") == strlen(text);
}

static bool is_setup_possible(const Setup *setup, const char *parent, const char *const names[2])
{
    for (int side = 0; side < 2; side++)
        if (strlen(names[side]) >= SEAT_NAME_BYTES ||
            !utf8_is_printable(names[side], strlen(names[side])))
            return false;
    return setup->initial_ms >= 0 && setup->initial_ms <= MAX_CLOCK_MS && setup->gain_ms >= 0 &&
           setup->gain_ms <= MAX_CLOCK_MS && setup->delay_ms >= 0 &&
           setup->delay_ms <= MAX_DELAY_MS && is_id_or_empty(parent);
}

static bool read_setup(Server *server, const StoredLiveGame *row, const json_t *json, Setup *setup,
                       Seat seats[2], TurfError *error)
{
    json_t     *start = NULL, *config = NULL, *list = NULL;
    const char *start_text = NULL, *parent = "";
    json_int_t  seed = 0, initial_ms = 0, gain_ms = 0, delay_ms = 0;
    int         has_clock = 0, is_named = 0;
    if (json_unpack((json_t *)json, "{s:o,s:b,s?:s,s?:o,s:I,s:b,s:I,s:I,s:I,s:s,s:o}", "start",
                    &start, "is_start_named", &is_named, "start_text", &start_text, "config",
                    &config, "seed", &seed, "has_clock", &has_clock, "initial_ms", &initial_ms,
                    "gain_ms", &gain_ms, "delay_ms", &delay_ms, "parent", &parent, "seats", &list))
        return error_io(error, "its setup is wrong");
    if (!setup->game->from_json(&setup->start, start, error))
        return false;
    setup->is_start_named = is_named;
    setup->start_text = start_text ? strdup(start_text) : NULL;
    setup->config = json_is_object(config) ? json_incref(config) : NULL;
    setup->seed = (uint64_t)seed;
    setup->initial_ms = has_clock ? initial_ms : 0;
    setup->gain_ms = gain_ms;
    setup->delay_ms = delay_ms;
    if (!is_setup_possible(setup, parent, row->names))
        return error_io(error, "its setup is wrong");
    snprintf(setup->parent, sizeof setup->parent, "%s", parent);
    if (start_text && !setup->start_text)
        return error_no_memory(error);
    for (size_t side = 0; side < 2; side++) {
        if (!read_seat(server, setup->game, json_array_get(list, side), &seats[side], error))
            return false;
        snprintf(seats[side].name, sizeof seats[side].name, "%s", row->names[side]);
    }
    return true;
}

/* The game as it was set up, without its moves. */
static HostedGame *new_from_row(Server *server, const StoredLiveGame *row, TurfError *error)
{
    Setup       setup = {.game = turf_game_find(row->game, error), .is_listed = row->is_listed};
    Seat        seats[2] = {{.is_person = false}, {.is_person = false}};
    json_t     *json = setup.game ? json_read(row->setup, 0, error) : NULL;
    HostedGame *hosted = NULL;
    if (json && read_setup(server, row, json, &setup, seats, error)) {
        hosted = hosted_game_new(server, row->id, &setup, seats); /* takes them over */
        if (!hosted)
            error_no_memory(error);
    } else {
        setup_release(&setup);
        seat_release(&seats[0]);
        seat_release(&seats[1]);
    }
    json_decref(json);
    return hosted;
}

static bool is_state_possible(const StoredLiveGame *row, const json_int_t left_ms[2],
                              const char *rematch, const char *text)
{
    enum { MAX_GAINS = 1000 }; /* a clock has no upper end */
    const Finish *finish = NULL;
    for (int side = 0; side < 2; side++)
        if (left_ms[side] < 0 || left_ms[side] > (json_int_t)MAX_GAINS * MAX_CLOCK_MS)
            return false;
    return is_id_or_empty(rematch) && strlen(text) < sizeof finish->text &&
           (!row->is_over || (strlen(row->outcome) < sizeof finish->outcome &&
                              strlen(row->reason) < sizeof finish->reason));
}

static bool read_live(HostedGame *hosted, const StoredLiveGame *row, json_t **pending,
                      TurfError *error)
{
    LiveGame   *live = &hosted->live;
    json_t     *json = json_read(row->live, 0, error), *finish = NULL;
    int         is_taken[2], wants_rematch[2], offers[N_OFFERS][2] = {{false}};
    json_int_t  left_ms[2];
    const char *rematch = "", *text = "";
    if (!json)
        return false;
    if (json_unpack(json, "{s:[b,b],s:[I,I],s:[b,b],s:s,s:o,s?:O,s?{s:[b,b],s:[b,b]}}", "is_taken",
                    &is_taken[0], &is_taken[1], "left_ms", &left_ms[0], &left_ms[1],
                    "wants_rematch", &wants_rematch[0], &wants_rematch[1], "rematch", &rematch,
                    "finish", &finish, "pending", pending, "offers", "draw", &offers[OFFER_DRAW][0],
                    &offers[OFFER_DRAW][1], "takeback", &offers[OFFER_TAKEBACK][0],
                    &offers[OFFER_TAKEBACK][1])) {
        json_decref(json);
        return error_io(error, "its state is wrong");
    }
    (void)json_unpack(finish, "{s:s}", "text", &text);
    if (!is_state_possible(row, left_ms, rematch, text)) {
        json_decref(json);
        return error_io(error, "its state is wrong");
    }
    for (int side = 0; side < 2; side++) {
        hosted->seats[side].is_taken = is_taken[side];
        hosted->wants_rematch[side] = wants_rematch[side];
        for (int kind = 0; kind < N_OFFERS; kind++)
            hosted->offers[kind][side] = offers[kind][side];
        live->clock.left_ns[side] = left_ms[side] * 1000000;
    }
    snprintf(hosted->rematch, sizeof hosted->rematch, "%s", rematch);
    live->is_over = row->is_over;
    if (row->is_over) {
        live->finish = finish_without_winner(row->reason ? row->reason : "", text);
        live->finish.winner = row->winner;
        snprintf(live->finish.outcome, sizeof live->finish.outcome, "%s",
                 row->outcome ? row->outcome : "");
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
    loading->hosted = new_from_row(loading->server, row, loading->error);
    loading->is_good =
        loading->hosted && read_live(loading->hosted, row, &loading->pending, loading->error);
    loading->n_moves = row->n_moves;
    return false;
}

static bool load_move(void *context, int64_t ply, int side, const char *text, int64_t ms)
{
    (void)ply;
    (void)side;
    Loading *loading = context;
    json_t  *json = json_read(text, JSON_DECODE_ANY, loading->error);
    loading->is_good =
        json && history_add_json(&loading->hosted->live.history, json, ms, loading->error);
    json_decref(json);
    return loading->is_good;
}

/* A damaged action is dropped: that side is asked again. False without memory. */
static bool read_pending(LiveGame *live, const json_t *json)
{
    const TurfGame *game = live->history.game;
    TurfCell       *cells = malloc(2 * TURF_MAX_CELLS * sizeof *cells);
    TurfCell       *room[2] = {cells, cells ? cells + TURF_MAX_CELLS : NULL};
    TurfAction      actions[2];
    bool            is_good = cells != NULL;
    if (is_good && game_is_simultaneous(game) &&
        game_actions_from_json(game, json, room, actions, NULL)) {
        int side =
            json_object_get(json, game->side_letters[0]) ? 0 : 1; /* only one has committed */
        if (game->is_legal_action(&live->history.state, (TurfSide)side, &actions[side], NULL))
            is_good = live_game_commit(live, side, &actions[side], clock_ns());
    }
    free(cells);
    return is_good;
}

/* Do the moves fit the row? A game that is over by its rules has nobody to move. */
static bool is_whole(const Loading *loading, TurfError *error)
{
    const LiveGame    *live = &loading->hosted->live;
    const MoveHistory *history = &live->history;
    TurfEnding         ending;
    return (history->n_plies == (size_t)loading->n_moves &&
            (live->is_over || !history->game->is_over(&history->state, &ending))) ||
           error_io(error, "its moves do not fit its row");
}

/* Not the request is wrong, but what is stored. */
static void say_damage(Server *server, const char *id, TurfError *error)
{
    char what[240];
    /* A game that this version does not know is not found, and its row is as useless. */
    if (error->code != TURF_ERROR_INVALID && error->code != TURF_ERROR_IO &&
        error->code != TURF_ERROR_NOT_FOUND)
        return;
    (void)snprintf(what, sizeof what, "game %s cannot be read: %.180s", id, error->text);
    store_damage(server->store, what, error);
}

HostedGame *hosted_game_load(Server *server, const char *id, TurfError *error)
{
    Loading loading = {.server = server, .error = error, .is_good = true};
    *error = (TurfError){0};
    pthread_mutex_lock(&server->store_lock);
    bool is_read =
        live_games_find(server->store, id, load_row, &loading, error) &&
        (!loading.is_good || live_games_each_move(server->store, id, load_move, &loading, error));
    pthread_mutex_unlock(&server->store_lock);
    bool is_good = is_read && loading.is_good;
    if (is_good && loading.pending && !loading.hosted->live.is_over &&
        !read_pending(&loading.hosted->live, loading.pending))
        is_good = error_no_memory(error);
    json_decref(loading.pending);
    if (is_good && is_whole(&loading, error))
        return loading.hosted;
    if (is_read) /* else the store has said what is wrong */
        say_damage(server, id, error);
    hosted_game_release(loading.hosted);
    return NULL;
}
