/* Sittings: making and showing them. */
#include "web/api.h"

#include "base/error.h"
#include "base/whole_json.h"
#include "games/battleground.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SITTING_TURNS = 10000 };

/* ---- making one --------------------------------------------------------------------------- */

/* A name as people give it, or none; false: answered already. */
bool check_name(Request *request, const char *name)
{
    bool is_good = !*name || player_is_good_name(name, strlen(name));
    if (!is_good)
        answer_error(request, MHD_HTTP_BAD_REQUEST, "bad-request", "a name is at most %d printable characters",
                     PLAYER_NAME_LETTERS);
    return is_good;
}

/* Options may be good one by one, and not together. */
static bool check_player(Request *request, const TurfGame *game, const char *spec)
{
    TurfError   error;
    TurfPlayer *player = turf_player_open(game, spec, &error);
    if (!player)
        answer_fault(request, &error);
    turf_player_free(player);
    return player != NULL;
}

static bool read_seat(Request *request, const TurfGame *game, json_t *json, Seat *seat, char token[TOKEN_BYTES])
{
    const char  *kind, *name = NULL, *player = NULL;
    json_t      *options = NULL;
    json_error_t where;
    if (json_unpack_ex(json, &where, JSON_STRICT, "{s:s,s?:s,s?:s,s?:o}", "kind", &kind, "name", &name, "player",
                       &player, "options", &options) ||
        (strcmp(kind, "person") && strcmp(kind, "player")) || !strcmp(kind, "player") != (player != NULL) ||
        (options && !json_is_object(options))) {
        answer_error(
            request, MHD_HTTP_BAD_REQUEST, "bad-request",
            "a seat is {\"kind\":\"person\",\"name\":\"Ann\"} or {\"kind\":\"player\",\"player\":\"minimax\"}");
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
    const RosterEntry *entry = read_player_choice(request, game, player, options, &seat->spec);
    if (!entry)
        return false;
    if (!entry->kind->is_bot && !check_player(request, game, seat->spec))
        return false;
    seat->is_bot = entry->kind->is_bot;
    seat->is_taken = true;
    seat->player = strdup(player);
    seat->options = options ? json_deep_copy(options) : NULL;
    if (!seat->player || (options && !seat->options)) {
        answer_json(request, 0, NULL);
        return false;
    }
    /* A command stays with the server: who plays is called by the name that the owner gave. */
    if (name || !entry->level)
        snprintf(seat->name, sizeof seat->name, "%s", name ? name : entry->is_allowed ? entry->id : seat->spec);
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
    if (json_unpack_ex(json, &where, JSON_STRICT, "{s:I,s?:I}", "initial_ms", &initial_ms, "gain_ms", &gain_ms) ||
        initial_ms < 1000 || initial_ms > SITTING_LONGEST_CLOCK_MS || gain_ms < 0 ||
        gain_ms > SITTING_LONGEST_CLOCK_MS) {
        answer_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                     "a clock is like {\"initial_ms\":300000,\"gain_ms\":5000}, from a second to a day");
        return false;
    }
    setup->has_clock = true;
    setup->initial_ms = initial_ms;
    setup->gain_ms = gain_ms;
    return true;
}

/* There is something to play, and not more than can be kept in memory. */
static bool check_size(Request *request, const TurfGame *game, const TurfState *state)
{
    enum { MOST_TURN_CELLS = BG_MOST_SIDE * BG_MOST_SIDE };
    BgState board;
    Finish  unused;
    if (finish_by_rules(game, state, &unused)) {
        answer_error(request, MHD_HTTP_BAD_REQUEST, "bad-request", "the game is over in this position");
        return false;
    }
    if (!game_is_simultaneous(game))
        return true;
    memcpy(&board, state, sizeof board);
    const BgConfig *config = &board.config;
    bool            is_short = config->max_game_iterations <= MOST_SITTING_TURNS;
    if (!is_short)
        answer_error(request, MHD_HTTP_BAD_REQUEST, "bad-request", "\"maxGameIterations\" is at most %d here",
                     MOST_SITTING_TURNS);
    else if (config->cell_gain_per_turn > MOST_TURN_CELLS || config->max_cell_capacity > MOST_TURN_CELLS ||
             config->starting_cells > MOST_TURN_CELLS || board.remaining[0] > MOST_TURN_CELLS ||
             board.remaining[1] > MOST_TURN_CELLS)
        answer_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                     "\"cellGainPerTurn\", \"maxCellCapacity\", \"startingCells\" and \"cells\" are at most %d here",
                     MOST_TURN_CELLS);
    else
        return true;
    return false;
}

/* Saves a new sitting and lets it begin; it stays the caller's to release. False: answered already. */
bool begin_sitting(Request *request, Sitting *sitting)
{
    Refusal refusal;
    pthread_mutex_lock(&sitting->lock);
    bool is_good = sitting_save(sitting, SAVE_STANDING, &refusal);
    if (is_good) {
        sitting->has_place = true;
        registry_add(request->server, sitting);
        sitting_continue(sitting);
    }
    pthread_mutex_unlock(&sitting->lock);
    if (!is_good)
        answer_refusal(request, &refusal);
    return is_good;
}

bool take_place(Request *request)
{
    Server *server = request->server;
    Grant   grant = registry_take_place(server, &request->caller);
    if (grant == GRANT_GIVEN && !atomic_load(&server->is_leaving))
        return true;
    if (grant == GRANT_GIVEN)
        give_place_back(request);
    if (grant == GRANT_USED_UP)
        answer_error(request, MHD_HTTP_SERVICE_UNAVAILABLE, "full",
                     "your address has as many games open as one may; finish one first");
    else if (grant == GRANT_FULL)
        answer_error(request, MHD_HTTP_SERVICE_UNAVAILABLE, "full",
                     "%zu games are being played already; finish one first", server->places.most);
    else
        answer_error(request, MHD_HTTP_SERVICE_UNAVAILABLE, "full", SERVER_IS_LEAVING);
    answer_header(request, MHD_HTTP_HEADER_RETRY_AFTER, "60");
    return false;
}

void give_place_back(Request *request) { shares_give_back(&request->server->places, &request->caller); }

Sitting *new_sitting(Request *request, Setup *setup, Seat seats[2])
{
    char id[TOKEN_NAME_BYTES];
    token_name(id);
    Sitting *sitting = sitting_new(request->server, id, setup, seats);
    if (sitting)
        sitting->maker = sitting->asker = request->caller;
    else
        answer_json(request, 0, NULL);
    return sitting;
}

/* The setup and the seats that the body asks for; false: answered already, and they are released. */
static bool read_setup(Request *request, Setup *setup, Seat seats[2], char tokens[2][TOKEN_BYTES])
{
    const char  *name;
    StartRequest start = {.game = NULL};
    json_t      *list, *clock = NULL;
    json_int_t   delay_ms = INT64_MIN; /* not given */
    int          is_listed = true;
    if (!request_read(request, "{s:s,s?:o,s?:o,s?:o,s:o,s?:o,s?:b,s?:I}", "game", &name, "start", &start.start, "seed",
                      &start.seed, "config", &start.config, "seats", &list, "clock", &clock, "is_listed", &is_listed,
                      "delay_ms", &delay_ms) ||
        !(start.game = read_game_name(request, name)) || !read_start_request(request, &start) ||
        !check_size(request, start.game, &start.state))
        return false;
    if (json_array_size(list) != 2 || (delay_ms < 0 && delay_ms != INT64_MIN) || delay_ms > SITTING_LONGEST_DELAY_MS) {
        answer_error(request, MHD_HTTP_BAD_REQUEST, "bad-request", "%s",
                     json_array_size(list) != 2 ? "\"seats\" is a list of two" : "\"delay_ms\" is from 0 to 10000");
        return false;
    }
    *setup = (Setup){.game = start.game, .start = start.state, .seed = start.chosen_seed, .is_listed = is_listed};
    setup->is_start_named = !json_is_object(start.start);
    if (setup->is_start_named) {
        setup->start_text = start.start ? strdup(json_string_value(start.start)) : NULL;
        setup->config = start.config ? json_deep_copy(start.config) : NULL;
    }
    bool has_copies = (!setup->is_start_named || !start.start || setup->start_text) &&
                      (!setup->is_start_named || !start.config || setup->config);
    if (!has_copies)
        answer_json(request, 0, NULL);
    bool is_good = has_copies && read_clock(request, clock, setup);
    for (size_t side = 0; side < 2 && is_good; side++)
        is_good = read_seat(request, start.game, json_array_get(list, side), &seats[side], tokens[side]);
    bool is_show = is_good && !seats[0].is_person && !seats[1].is_person;
    setup->delay_ms = delay_ms >= 0 ? delay_ms : is_show ? SITTING_USUAL_DELAY_MS : 0;
    if (!is_good) {
        setup_release(setup);
        seat_release(&seats[0]);
        seat_release(&seats[1]);
    }
    return is_good;
}

void api_sittings_make(Request *request)
{
    Setup    setup;
    Seat     seats[2] = {{.is_person = false}, {.is_person = false}};
    char     tokens[2][TOKEN_BYTES] = {"", ""};
    Sitting *sitting;
    if (!take_place(request))
        return;
    if (!read_setup(request, &setup, seats, tokens) || !(sitting = new_sitting(request, &setup, seats))) {
        give_place_back(request);
        return;
    }
    if (begin_sitting(request, sitting)) {
        pthread_mutex_lock(&sitting->lock);
        answer_json(request, MHD_HTTP_CREATED,
                    json_pack("{s:o,s:[s?,s?]}", "sitting", sitting_json(sitting), "tokens",
                              tokens[0][0] ? tokens[0] : NULL, tokens[1][0] ? tokens[1] : NULL));
        pthread_mutex_unlock(&sitting->lock);
    } else {
        give_place_back(request);
    }
    sitting_release(sitting);
}

/* ---- showing them ------------------------------------------------------------------------- */

/* The sitting that the path names, retained and locked; NULL: answered already. */
Sitting *lock_sitting(Request *request)
{
    TurfError error;
    Sitting  *sitting = registry_find(request->server, request->parts[0], &error);
    if (sitting)
        pthread_mutex_lock(&sitting->lock);
    else if (error.text[0])
        answer_unread(request, &error);
    else
        answer_error(request, MHD_HTTP_NOT_FOUND, "not-found", "there is no such sitting");
    return sitting;
}

void unlock_sitting(Sitting *sitting)
{
    pthread_mutex_unlock(&sitting->lock);
    sitting_release(sitting);
}

void api_sitting(Request *request)
{
    Sitting *sitting = lock_sitting(request);
    if (!sitting)
        return;
    answer_json(request, MHD_HTTP_OK, sitting_json(sitting));
    unlock_sitting(sitting);
}

void api_sittings_list(Request *request)
{
    const char     *state = request_parameter(request, "state");
    const TurfGame *game;
    int64_t         limit = USUAL_LIST;
    if (!request_number(request, "limit", 1, LONGEST_LIST, &limit) || !read_game_filter(request, &game))
        return;
    if (state && strcmp(state, "playing") && strcmp(state, "over")) {
        answer_error(request, MHD_HTTP_BAD_REQUEST, "bad-request", "'state' is playing or over");
        return;
    }
    answer_json(request, MHD_HTTP_OK,
                json_pack("{s:o}", "sittings",
                          registry_summaries(request->server, (size_t)limit, state && !strcmp(state, "over"),
                                             game ? game->name : NULL)));
}

void api_sitting_moves(Request *request)
{
    Sitting *sitting = lock_sitting(request);
    if (!sitting)
        return;
    const TurfGame *game = sitting->setup.game;
    json_t         *json = json_pack("{s:s,s:I}", "game", game->name, "n_moves", (json_int_t)sitting->line.n_turns);
    view_add(&json, game, &sitting->line.state, sitting->is_over ? &sitting->finish : NULL);
    if (game_is_simultaneous(game))
        json_put(&json, "reach", view_of_reach(&sitting->line.state));
    else
        json_put(&json, "moves", sitting->is_over ? json_array() : view_of_moves(game, &sitting->line.state));
    answer_json(request, MHD_HTTP_OK, json);
    unlock_sitting(sitting);
}

void api_sitting_frames(Request *request)
{
    int64_t  from = 0, n = 50;
    Sitting *sitting;
    if (!request_number(request, "from", 0, INT32_MAX, &from) || !request_number(request, "n", 1, MOST_FRAMES, &n) ||
        !(sitting = lock_sitting(request)))
        return;
    answer_json(request, MHD_HTTP_OK, line_frames(&sitting->line, sitting->is_over ? &sitting->finish : NULL, from, n));
    unlock_sitting(sitting);
}

static json_t *snapshot_of_sitting(void *sitting) { return sitting_json(sitting); }

/* Where a client wants to go on, as it says itself or as its browser does after a lost connection. */
static const char *last_event(const Request *request)
{
    const char *seen = request_header(request, "Last-Event-ID");
    return seen ? seen : request_parameter(request, "after");
}

void api_sitting_events(Request *request)
{
    Sitting *sitting = lock_sitting(request);
    if (!sitting)
        return;
    /* What a clock showed when something happened is of no use to who missed it. */
    const char *after = sitting->setup.has_clock ? NULL : last_event(request);
    answer_stream(request, channel_subscribe(sitting->channel, request->connection, after, "snapshot",
                                             snapshot_of_sitting, sitting));
    unlock_sitting(sitting);
}

static json_t *snapshot_of_live(void *server)
{
    enum { MOST_LIVE = 60 };
    return json_pack("{s:o,s:[]}", "sittings", registry_summaries(server, MOST_LIVE, false, NULL), "gone");
}

void api_live(Request *request)
{
    /* Always from the beginning: what changed in the list may be more than the list. */
    answer_stream(request, channel_subscribe(request->server->live, request->connection, NULL, "sittings",
                                             snapshot_of_live, request->server));
}
