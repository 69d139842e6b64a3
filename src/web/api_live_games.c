/* LiveGames: making and showing them. */
#include "web/api.h"

#include "base/error.h"
#include "base/checked_json.h"
#include "web/history_views.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LIVE_GAME_TURNS = 10000 };

/* ---- making one --------------------------------------------------------------------------- */

/* A name as people give it, or none; false: answered already. */
bool check_name(Request *request, const char *name)
{
    bool is_good = !*name || player_is_good_name(name, strlen(name));
    if (!is_good)
        respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                      "a name is at most %d printable characters", MAX_NAME_LETTERS);
    return is_good;
}

/* Options may be good one by one, and not together. */
static bool check_player(Request *request, const TurfGame *game, const char *spec)
{
    TurfError   error;
    TurfPlayer *player = turf_player_open(game, spec, &error);
    if (!player)
        respond_turf_error(request, &error);
    turf_player_free(player);
    return player != NULL;
}

static bool read_seat(Request *request, const TurfGame *game, json_t *json, Seat *seat,
                      char token[TOKEN_BYTES])
{
    const char  *kind, *name = NULL, *player = NULL;
    json_t      *options = NULL;
    json_error_t where;
    if (json_unpack_ex(json, &where, JSON_STRICT, "{s:s,s?:s,s?:s,s?:o}", "kind", &kind, "name",
                       &name, "player", &player, "options", &options) ||
        (strcmp(kind, "person") && strcmp(kind, "player")) ||
        !strcmp(kind, "player") != (player != NULL) || (options && !json_is_object(options))) {
        respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                      "a seat is {\"kind\":\"person\",\"name\":\"Ann\"} or "
                      "{\"kind\":\"player\",\"player\":\"minimax\"}");
        return false;
    }
    if (name && !check_name(request, name))
        return false;
    *seat = (Seat){.is_person = !player};
    if (!player) {
        token_draw(token);
        token_hash(token, seat->token_hash);
        snprintf(seat->name, sizeof seat->name, "%s", name ? name : "");
        return true;
    }
    const CatalogueEntry *entry = read_player_choice(request, game, player, options, &seat->spec);
    if (!entry)
        return false;
    if (!entry->kind->is_external && !check_player(request, game, seat->spec))
        return false;
    seat->is_external = entry->kind->is_external;
    seat->is_taken = true;
    seat->player = strdup(player);
    seat->options = options ? json_deep_copy(options) : NULL;
    if (!seat->player || (options && !seat->options)) {
        respond_no_memory(request);
        return false;
    }
    /* A command stays with the server: who plays is called by the name that the owner gave. */
    if (name || !entry->level)
        snprintf(seat->name, sizeof seat->name, "%s",
                 name                ? name
                 : entry->is_allowed ? entry->id
                                     : seat->spec);
    else
        snprintf(seat->name, sizeof seat->name, "level %d", entry->level);
    return true;
}

static bool read_clock(Request *request, json_t *json, Setup *setup)
{
    json_error_t where;
    json_int_t   initial_ms, gain_ms = 0;
    if (!json || json_is_null(json))
        return true;
    if (json_unpack_ex(json, &where, JSON_STRICT, "{s:I,s?:I}", "initial_ms", &initial_ms,
                       "gain_ms", &gain_ms) ||
        initial_ms < 1000 || initial_ms > MAX_CLOCK_MS || gain_ms < 0 || gain_ms > MAX_CLOCK_MS) {
        respond_error(
            request, MHD_HTTP_BAD_REQUEST, "bad-request",
            "a clock is like {\"initial_ms\":300000,\"gain_ms\":5000}, from a second to a day");
        return false;
    }
    setup->initial_ms = initial_ms;
    setup->gain_ms = gain_ms;
    return true;
}

/* There is something to play, and not more than can be kept in memory. */
static bool check_size(Request *request, const TurfGame *game, const TurfState *state)
{
    TurfError error;
    Finish    unused;
    if (finish_by_rules(game, state, &unused))
        error_invalid(&error, "the game is over in this position");
    else if (!game->is_within || game->is_within(state, MOST_LIVE_GAME_TURNS, &error))
        return true;
    respond_turf_error(request, &error);
    return false;
}

/* Saves a new live game and lets it begin; it stays the caller's to release. False: answered
 * already. */
bool begin_live_game(Request *request, HostedGame *hosted)
{
    ApiError api_error;
    pthread_mutex_lock(&hosted->lock);
    bool is_good = hosted_game_save(hosted, SAVE_STATE, &api_error);
    if (is_good) {
        hosted->has_slot = true;
        registry_add(request->server, hosted);
        hosted_game_continue(hosted);
    }
    pthread_mutex_unlock(&hosted->lock);
    if (!is_good)
        respond_api_error(request, &api_error);
    return is_good;
}

bool take_place(Request *request)
{
    Server    *server = request->server;
    QuotaGrant grant = registry_take_place(server, &request->client);
    if (grant == QUOTA_GRANTED && !atomic_load(&server->is_leaving))
        return true;
    if (grant == QUOTA_GRANTED)
        give_place_back(request);
    if (grant == QUOTA_CLIENT_FULL)
        respond_error(request, MHD_HTTP_SERVICE_UNAVAILABLE, "full",
                      "your address has as many games open as one may; finish one first");
    else if (grant == QUOTA_ALL_FULL)
        respond_error(request, MHD_HTTP_SERVICE_UNAVAILABLE, "full",
                      "%zu games are being played already; finish one first",
                      server->quota.n_slots[SLOT_LIVE_GAME]);
    else
        respond_error(request, MHD_HTTP_SERVICE_UNAVAILABLE, "full", SERVER_IS_LEAVING);
    respond_header(request, MHD_HTTP_HEADER_RETRY_AFTER, "60");
    return false;
}

void give_place_back(Request *request)
{
    quota_give_back(&request->server->quota, &request->client, SLOT_LIVE_GAME);
}

HostedGame *new_live_game(Request *request, Setup *setup, Seat seats[2])
{
    char id[TOKEN_NAME_BYTES];
    token_name(id);
    HostedGame *hosted = hosted_game_new(request->server, id, setup, seats);
    if (hosted)
        hosted->maker = hosted->asker = request->client;
    else
        respond_no_memory(request);
    return hosted;
}

/* The setup and the seats that the body asks for; false: answered already, and they are released.
 */
static bool read_setup(Request *request, Setup *setup, Seat seats[2], char tokens[2][TOKEN_BYTES])
{
    const char  *name;
    StartRequest start = {.game = NULL};
    json_t      *list, *clock = NULL;
    json_int_t   delay_ms = INT64_MIN; /* not given */
    int          is_listed = true;
    if (!request_read(request, "{s:s,s?:o,s?:o,s?:o,s:o,s?:o,s?:b,s?:I}", "game", &name, "start",
                      &start.start, "seed", &start.seed, "config", &start.config, "seats", &list,
                      "clock", &clock, "is_listed", &is_listed, "delay_ms", &delay_ms) ||
        !(start.game = read_game_name(request, name)) || !read_start_request(request, &start) ||
        !check_size(request, start.game, &start.state))
        return false;
    if (json_array_size(list) != 2 || (delay_ms < 0 && delay_ms != INT64_MIN) ||
        delay_ms > MAX_DELAY_MS) {
        respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request", "%s",
                      json_array_size(list) != 2 ? "\"seats\" is a list of two"
                                                 : "\"delay_ms\" is from 0 to 10000");
        return false;
    }
    *setup = (Setup){.game = start.game,
                     .start = start.state,
                     .seed = start.chosen_seed,
                     .is_listed = is_listed};
    setup->is_start_named = !json_is_object(start.start);
    if (setup->is_start_named) {
        setup->start_text = start.start ? strdup(json_string_value(start.start)) : NULL;
        setup->config = start.config ? json_deep_copy(start.config) : NULL;
    }
    bool has_copies = (!setup->is_start_named || !start.start || setup->start_text) &&
                      (!setup->is_start_named || !start.config || setup->config);
    if (!has_copies)
        respond_no_memory(request);
    bool is_good = has_copies && read_clock(request, clock, setup);
    for (size_t side = 0; side < 2 && is_good; side++)
        is_good =
            read_seat(request, start.game, json_array_get(list, side), &seats[side], tokens[side]);
    bool is_show = is_good && !seats[0].is_person && !seats[1].is_person;
    setup->delay_ms = delay_ms >= 0 ? delay_ms : is_show ? DEFAULT_DELAY_MS : 0;
    if (!is_good) {
        setup_release(setup);
        seat_release(&seats[0]);
        seat_release(&seats[1]);
    }
    return is_good;
}

void api_live_games_make(Request *request)
{
    Setup       setup;
    Seat        seats[2] = {{.is_person = false}, {.is_person = false}};
    char        tokens[2][TOKEN_BYTES] = {"", ""};
    HostedGame *hosted;
    if (!take_place(request))
        return;
    if (!read_setup(request, &setup, seats, tokens) ||
        !(hosted = new_live_game(request, &setup, seats))) {
        give_place_back(request);
        return;
    }
    if (begin_live_game(request, hosted)) {
        pthread_mutex_lock(&hosted->lock);
        respond_json(request, MHD_HTTP_CREATED,
                     json_pack("{s:o,s:[s?,s?]}", "live_game", hosted_game_json(hosted), "tokens",
                               tokens[0][0] ? tokens[0] : NULL, tokens[1][0] ? tokens[1] : NULL));
        pthread_mutex_unlock(&hosted->lock);
    } else {
        give_place_back(request);
    }
    hosted_game_release(hosted);
}

/* ---- showing them ------------------------------------------------------------------------- */

/* The live game that the path names, retained and locked; NULL: answered already. */
HostedGame *lock_live_game(Request *request)
{
    TurfError   error;
    HostedGame *hosted = registry_find(request->server, request->parts[0], &error);
    if (hosted)
        pthread_mutex_lock(&hosted->lock);
    else
        respond_turf_error(request, &error);
    return hosted;
}

void unlock_live_game(HostedGame *hosted)
{
    pthread_mutex_unlock(&hosted->lock);
    hosted_game_release(hosted);
}

void api_live_game(Request *request)
{
    HostedGame *hosted = lock_live_game(request);
    if (!hosted)
        return;
    respond_json(request, MHD_HTTP_OK, hosted_game_json(hosted));
    unlock_live_game(hosted);
}

void api_live_games_list(Request *request)
{
    const char     *state = request_parameter(request, "state");
    const TurfGame *game;
    int64_t         limit = DEFAULT_LIST;
    if (!request_number(request, "limit", 1, MAX_LIST, &limit) || !read_game_filter(request, &game))
        return;
    if (state && strcmp(state, "playing") && strcmp(state, "over")) {
        respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request", "'state' is playing or over");
        return;
    }
    respond_json(
        request, MHD_HTTP_OK,
        json_pack("{s:o}", "live_games",
                  registry_summaries(request->server, (size_t)limit,
                                     state && !strcmp(state, "over"), game ? game->name : NULL)));
}

void api_live_game_moves(Request *request)
{
    HostedGame *hosted = lock_live_game(request);
    if (!hosted)
        return;
    const TurfGame *game = hosted->setup.game;
    json_t         *json = json_pack("{s:s,s:I}", "game", game->name, "n_moves",
                                     (json_int_t)hosted->live.history.n_plies);
    view_add(&json, game, &hosted->live.history.state, hosted_game_finish(hosted));
    if (game_is_simultaneous(game))
        json_put(&json, "reach", view_of_reach(game, &hosted->live.history.state));
    else
        json_put(&json, "moves",
                 hosted->live.is_over ? json_array()
                                      : view_of_moves(game, &hosted->live.history.state));
    respond_json(request, MHD_HTTP_OK, json);
    unlock_live_game(hosted);
}

void api_live_game_frames(Request *request)
{
    int64_t     from = 0, n = 50;
    HostedGame *hosted;
    if (!request_number(request, "from", 0, INT32_MAX, &from) ||
        !request_number(request, "n", 1, MAX_FRAMES, &n) || !(hosted = lock_live_game(request)))
        return;
    respond_json(request, MHD_HTTP_OK,
                 history_frames_view(&hosted->live.history, hosted_game_finish(hosted), from, n));
    unlock_live_game(hosted);
}

static json_t *snapshot_of_live_game(void *hosted) { return hosted_game_json(hosted); }

/* Where a client wants to go on, as it says itself or as its browser does after a lost connection.
 */
static const char *last_event(const Request *request)
{
    const char *seen = request_header(request, "Last-Event-ID");
    return seen ? seen : request_parameter(request, "after");
}

void api_live_game_events(Request *request)
{
    HostedGame *hosted = lock_live_game(request);
    if (!hosted)
        return;
    /* What a clock showed when something happened is of no use to who missed it. */
    const char *after = hosted->live.clock.is_on ? NULL : last_event(request);
    respond_stream(request, channel_subscribe(hosted->channel, request->connection, after,
                                              "snapshot", snapshot_of_live_game, hosted));
    unlock_live_game(hosted);
}

static json_t *snapshot_of_live(void *server)
{
    enum { MAX_LIVE = 60 };
    return json_pack("{s:o,s:[]}", "live_games", registry_summaries(server, MAX_LIVE, false, NULL),
                     "gone");
}

void api_live(Request *request)
{
    /* Always from the beginning: what changed in the list may be more than the list. */
    respond_stream(request, channel_subscribe(request->server->live, request->connection, NULL,
                                              "live_games", snapshot_of_live, request->server));
}
