/* The collection of live games: POST /api/live-games creates one and GET lists them, .../rematch
 * creates the next one of two players, and /api/live is the stream of the list. One live game is in
 * api_live_game.c.
 *
 * A new game needs a slot of the client's quota. It is taken first and either passes to the game
 * (HostedGame.has_slot) or is given back. */
#include "web/api.h"

#include "base/checked_json.h"
#include "base/error.h"
#include "web/league_practice.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TURNS = 10000 };

/* ---- slots -------------------------------------------------------------------------------- */

static void give_slot_back(Request *request)
{
    quota_give_back(&request->server->quota, &request->client, SLOT_LIVE_GAME);
}

/* False: answered already. */
static bool take_slot(Request *request)
{
    Server    *server = request->server;
    QuotaGrant grant = registry_take_slot(server, &request->client);
    if (grant == QUOTA_GRANTED && !atomic_load(&server->is_leaving))
        return true;
    if (grant == QUOTA_GRANTED) {
        give_slot_back(request);
        respond_error(request, MHD_HTTP_SERVICE_UNAVAILABLE, "full", SERVER_IS_LEAVING);
    } else if (grant == QUOTA_CLIENT_FULL) {
        respond_error(request, MHD_HTTP_SERVICE_UNAVAILABLE, "full",
                      "your address has as many games open as one may; finish one first");
    } else {
        respond_error(request, MHD_HTTP_SERVICE_UNAVAILABLE, "full",
                      "%zu games are being played already; finish one first",
                      server->quota.n_slots[SLOT_LIVE_GAME]);
    }
    respond_header(request, MHD_HTTP_HEADER_RETRY_AFTER, "60");
    return false;
}

/* Makes a live game of a setup and seats, which it takes over, and starts it in the slot that was
 * taken. It is returned retained; NULL: answered already. */
static HostedGame *start_live_game(Request *request, Setup *setup, Seat seats[2])
{
    ApiError api_error;
    char     id[TOKEN_NAME_BYTES];
    token_name(id);
    HostedGame *hosted = hosted_game_new(request->server, id, setup, seats);
    if (!hosted) {
        respond_no_memory(request);
        return NULL;
    }
    hosted->maker = hosted->asker = request->client;
    pthread_mutex_lock(&hosted->lock);
    bool is_saved = hosted_game_save(hosted, SAVE_STATE, &api_error);
    if (is_saved) {
        hosted->has_slot = true;
        registry_add(request->server, hosted);
        hosted_game_look(hosted);
        hosted_game_continue(hosted);
    }
    pthread_mutex_unlock(&hosted->lock);
    if (is_saved)
        return hosted;
    respond_api_error(request, &api_error);
    hosted_game_release(hosted);
    return NULL;
}

/* ---- POST /api/live-games ------------------------------------------------------------------ */

/* Options that are valid one by one may not be together. */
static bool check_player(Request *request, const TurfGame *game, const char *spec)
{
    TurfError   error;
    TurfPlayer *player = turf_player_open(game, spec, &error);
    if (!player)
        respond_turf_error(request, &error);
    turf_player_free(player);
    return player != NULL;
}

/* The default name. An allowed player has the name that the owner gave it: its spec would show a
 * command of the server. */
static void name_player(const CatalogueEntry *entry, Seat *seat)
{
    if (entry->level)
        snprintf(seat->name, sizeof seat->name, "level %d", entry->level);
    else
        snprintf(seat->name, sizeof seat->name, "%s", entry->is_allowed ? entry->id : seat->spec);
}

/* A seat for a bot of the league; false: answered with an error. */
static bool read_practice(Request *request, const TurfGame *game, const json_t *options,
                          const char *player, Seat *seat)
{
    PracticeBot bot;
    TurfError   error;
    if (json_object_size(options) > 0)
        return respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                             "bots of the league have no options");
    if (!practice_find(request->server, game, player, &bot, &error))
        return respond_turf_error(request, &error);
    seat->spec = bot.spec;
    seat->is_external = bot.is_external;
    snprintf(seat->name, sizeof seat->name, "%s", bot.name);
    free(bot.name);
    return true;
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
    bool                  is_of_league = is_practice(player);
    const CatalogueEntry *entry = NULL;
    if (is_of_league ? !read_practice(request, game, options, player, seat)
                     : !(entry = read_player_choice(request, game, player, options, &seat->spec)))
        return false;
    if (entry && !entry->kind->is_external && !check_player(request, game, seat->spec))
        return false;
    if (entry)
        seat->is_external = entry->kind->is_external;
    seat->is_taken = true;
    seat->player = strdup(player);
    seat->options = options ? json_deep_copy(options) : NULL;
    if (!seat->player || (options && !seat->options)) {
        respond_no_memory(request);
        return false;
    }
    if (name)
        snprintf(seat->name, sizeof seat->name, "%s", name);
    else if (entry)
        name_player(entry, seat);
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

/* The game is not over at its start, and not too long to be kept in memory. */
static bool check_size(Request *request, const TurfGame *game, const TurfState *state)
{
    TurfError error;
    Finish    unused;
    if (finish_by_rules(game, state, &unused))
        error_invalid(&error, "the game is over in this position");
    else if (!game->is_within || game->is_within(state, MAX_TURNS, &error))
        return true;
    respond_turf_error(request, &error);
    return false;
}

/* Copies what the request said of the start, for a rematch. False: answered already. */
static bool keep_start(Request *request, const StartRequest *start, Setup *setup)
{
    setup->is_start_named = !json_is_object(start->start);
    if (!setup->is_start_named)
        return true;
    setup->start_text = start->start ? strdup(json_string_value(start->start)) : NULL;
    setup->config = start->config ? json_deep_copy(start->config) : NULL;
    if (!setup->start_text == !start->start && !setup->config == !start->config)
        return true;
    respond_no_memory(request);
    return false;
}

/* False: answered already; the setup and the seats are to be released in either case. */
static bool read_setup(Request *request, Setup *setup, Seat seats[2], char tokens[2][TOKEN_BYTES])
{
    const char  *name;
    StartRequest start = {.game = NULL};
    json_t      *list, *clock = NULL;
    json_int_t   delay_ms = INT64_MIN; /* not given */
    int          is_listed = true;
    if (!request_read(request, "{s:s,s?:o,s?:o,s?:o,s:o,s?:o,s?:b,s?:I}", "game", &name, "start",
                      &start.start, "seed", &start.seed, "config", &start.config, "seats", &list,
                      "clock", &clock, "is_listed", &is_listed, "delay_ms", &delay_ms))
        return false;
    start.game = read_game_name(request, name);
    if (!start.game || !read_start_request(request, &start) ||
        !check_size(request, start.game, &start.state))
        return false;
    if (json_array_size(list) != 2) {
        respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request", "\"seats\" is a list of two");
        return false;
    }
    if ((delay_ms < 0 && delay_ms != INT64_MIN) || delay_ms > MAX_DELAY_MS) {
        respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request", "\"delay_ms\" is from 0 to %d",
                      MAX_DELAY_MS);
        return false;
    }
    setup->game = start.game;
    setup->start = start.state;
    setup->seed = start.chosen_seed;
    setup->is_listed = is_listed;
    if (!keep_start(request, &start, setup) || !read_clock(request, clock, setup))
        return false;
    for (size_t side = 0; side < 2; side++)
        if (!read_seat(request, start.game, json_array_get(list, side), &seats[side], tokens[side]))
            return false;
    /* Two players slow down by default, for people who watch. */
    bool is_show = !seats[0].is_person && !seats[1].is_person;
    if (delay_ms < 0)
        delay_ms = is_show ? DEFAULT_DELAY_MS : 0;
    setup->delay_ms = delay_ms;
    return true;
}

void api_live_games_make(Request *request)
{
    Setup       setup = {.game = NULL};
    Seat        seats[2] = {{.is_person = false}, {.is_person = false}};
    char        tokens[2][TOKEN_BYTES] = {"", ""};
    HostedGame *hosted = NULL;
    if (!take_slot(request))
        return;
    if (read_setup(request, &setup, seats, tokens))
        hosted = start_live_game(request, &setup, seats);
    if (hosted) {
        pthread_mutex_lock(&hosted->lock);
        respond_json(request, MHD_HTTP_CREATED,
                     json_pack("{s:o,s:[s?,s?]}", "live_game", hosted_game_json(hosted), "tokens",
                               tokens[0][0] ? tokens[0] : NULL, tokens[1][0] ? tokens[1] : NULL));
        pthread_mutex_unlock(&hosted->lock);
        hosted_game_release(hosted);
    } else {
        give_slot_back(request);
    }
    setup_release(&setup);
    seat_release(&seats[0]);
    seat_release(&seats[1]);
}

/* ---- POST /api/live-games/ID/rematch ------------------------------------------------------- */

/* False without memory; the copy is to be released in either case. */
static bool copy_seat(const Seat *seat, Seat *copy)
{
    *copy = *seat;
    copy->player = seat->player ? strdup(seat->player) : NULL;
    copy->spec = seat->spec ? strdup(seat->spec) : NULL;
    copy->options = seat->options ? json_deep_copy(seat->options) : NULL;
    return !copy->player == !seat->player && !copy->spec == !seat->spec &&
           !copy->options == !seat->options;
}

/* The setup of another game; a random start is drawn again. False without memory; the copy is to be
 * released in either case. */
static bool copy_setup(const HostedGame *old, Setup *copy)
{
    const Setup *setup = &old->setup;
    TurfError    error = {.code = TURF_OK};
    *copy = *setup;
    copy->start_text = setup->start_text ? strdup(setup->start_text) : NULL;
    copy->config = setup->config ? json_deep_copy(setup->config) : NULL;
    copy->seed = token_seed();
    snprintf(copy->parent, sizeof copy->parent, "%s", old->id);
    if (!copy->start_text != !setup->start_text || !copy->config != !setup->config)
        return false;
    if (!setup->is_start_named)
        return true;
    json_t *text = setup->start_text ? json_string(setup->start_text) : NULL;
    if (setup->start_text && !text)
        return false;
    StartRequest start = {
        .game = copy->game, .start = text, .config = copy->config, .chosen_seed = copy->seed};
    if (make_start(&start, &error))
        copy->start = start.state;
    json_decref(text);
    return error.code != TURF_ERROR_NO_MEMORY;
}

/* The same game with the sides swapped. False: answered already. */
static bool make_rematch(Request *request, HostedGame *hosted)
{
    Setup       setup = {.game = NULL};
    Seat        seats[2] = {{.is_person = false}, {.is_person = false}};
    HostedGame *next = NULL;
    if (copy_setup(hosted, &setup) && copy_seat(&hosted->seats[1], &seats[0]) &&
        copy_seat(&hosted->seats[0], &seats[1]))
        next = start_live_game(request, &setup, seats);
    else
        respond_no_memory(request);
    if (next)
        snprintf(hosted->rematch, sizeof hosted->rematch, "%s", next->id);
    setup_release(&setup);
    seat_release(&seats[0]);
    seat_release(&seats[1]);
    hosted_game_release(next);
    return next != NULL;
}

/* Records a side's request for a rematch, and makes it once all people have asked. False: answered
 * already. */
static bool offer_rematch(Request *request, HostedGame *hosted, int side, bool *is_made)
{
    ApiError api_error;
    bool     is_agreed = !hosted->seats[!side].is_person || hosted->wants_rematch[!side];
    hosted->wants_rematch[side] = true;
    *is_made = is_agreed && make_rematch(request, hosted);
    if (is_agreed && !*is_made)
        return false;
    if (!hosted_game_save(hosted, SAVE_STATE, &api_error)) {
        respond_api_error(request, &api_error);
        return false;
    }
    channel_publish(hosted->channel, "rematch",
                    json_pack("{s:o}", "rematch", hosted_game_rematch_json(hosted)));
    return true;
}

void api_live_game_rematch(Request *request)
{
    int  side;
    bool is_made = false;
    /* Making room looks at every live game, so it comes before this one is locked. */
    if (!request_read(request, "{}") || !take_slot(request))
        return;
    HostedGame *hosted = lock_seat(request, &side);
    if (hosted) {
        bool is_good = hosted->live.is_over;
        if (!is_good)
            respond_error(request, MHD_HTTP_CONFLICT, "busy", "the game is not over yet");
        else if (!hosted->rematch[0])
            is_good = offer_rematch(request, hosted, side, &is_made);
        if (is_good)
            respond_json(request, MHD_HTTP_OK,
                         json_pack("{s:o}", "rematch", hosted_game_rematch_json(hosted)));
        unlock_live_game(hosted);
    }
    if (!is_made)
        give_slot_back(request);
}

/* ---- the list ------------------------------------------------------------------------------ */

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
