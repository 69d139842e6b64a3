/* Sittings: making and showing them, and what a seat may do. */
#include "web/api.h"

#include "base/error.h"
#include "games/battleground.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SITTING_TURNS = 10000, USUAL_LIST = 50, LONGEST_LIST = 200, MOST_FRAMES = 200 };

void answer_refusal(Request *request, const Refusal *refusal)
{
    answer_error_with(request, refusal->status, refusal->code, refusal->message.text,
                      refusal->cell >= 0 ? json_pack("{s:i}", "cell", refusal->cell) : NULL);
}

/* ---- making one --------------------------------------------------------------------------- */

/* A name as people give it: printable and not too long; false: answered already. */
static bool check_name(Request *request, const char *name)
{
    size_t n_letters = 0;
    bool   is_good = true;
    for (const char *at = name; *at; at++) {
        n_letters += ((unsigned char)*at & 0xc0) != 0x80;
        is_good &= (unsigned char)*at >= 0x20 && *at != 0x7f;
    }
    if (!is_good || n_letters > 40)
        answer_error(request, MHD_HTTP_BAD_REQUEST, "bad-request", "a name is at most 40 printable characters");
    return is_good && n_letters <= 40;
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
    seat->is_bot = entry->kind->is_bot;
    seat->is_taken = true;
    seat->player = strdup(player);
    seat->options = options ? json_deep_copy(options) : NULL;
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

/* Not longer than what can be kept in memory. */
static bool check_length(Request *request, const TurfGame *game, const TurfState *state)
{
    BgState board;
    if (!game_is_simultaneous(game))
        return true;
    memcpy(&board, state, sizeof board);
    if (board.config.max_game_iterations <= MOST_SITTING_TURNS)
        return true;
    answer_error(request, MHD_HTTP_BAD_REQUEST, "bad-request", "\"maxGameIterations\" is at most %d here",
                 MOST_SITTING_TURNS);
    return false;
}

/* Saves a new sitting and lets it begin; it is released. False: answered already. */
static bool begin(Request *request, Sitting *sitting)
{
    TurfError error;
    pthread_mutex_lock(&sitting->lock);
    bool is_good = sitting_save(sitting, SAVE_STANDING, &error);
    if (is_good) {
        registry_add(request->server, sitting);
        sitting_continue(sitting);
    }
    pthread_mutex_unlock(&sitting->lock);
    if (!is_good)
        answer_error(request, MHD_HTTP_INTERNAL_SERVER_ERROR, "store", "it could not be kept: %.300s", error.text);
    return is_good;
}

static bool check_room(Request *request)
{
    if (registry_has_room(request->server) && !atomic_load(&request->server->is_leaving))
        return true;
    answer_error(request, MHD_HTTP_SERVICE_UNAVAILABLE, "full", "%d games are being played already; finish one first",
                 MOST_OPEN_SITTINGS);
    answer_header(request, MHD_HTTP_HEADER_RETRY_AFTER, "60");
    return false;
}

static Sitting *new_sitting(Request *request, Setup *setup, Seat seats[2])
{
    char id[TOKEN_NAME_BYTES];
    token_name(id);
    Sitting *sitting = sitting_new(request->server, id, setup, seats);
    if (!sitting)
        answer_json(request, 0, NULL);
    return sitting;
}

/* The setup and the seats that the body asks for; false: answered already, and they are released. */
static bool read_setup(Request *request, Setup *setup, Seat seats[2], char tokens[2][TOKEN_BYTES])
{
    const char  *name;
    StartRequest start = {.game = NULL};
    json_t      *list, *clock = NULL;
    json_int_t   delay_ms = -1;
    int          is_listed = true;
    if (!request_read(request, "{s:s,s?:o,s?:o,s?:o,s:o,s?:o,s?:b,s?:I}", "game", &name, "start", &start.start, "seed",
                      &start.seed, "config", &start.config, "seats", &list, "clock", &clock, "is_listed", &is_listed,
                      "delay_ms", &delay_ms) ||
        !(start.game = read_game_name(request, name)) || !read_start_request(request, &start) ||
        !check_length(request, start.game, &start.state))
        return false;
    if (json_array_size(list) != 2 || delay_ms < -1 || delay_ms > SITTING_LONGEST_DELAY_MS) {
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
    bool is_good = read_clock(request, clock, setup);
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
    if (!check_room(request) || !read_setup(request, &setup, seats, tokens) ||
        !(sitting = new_sitting(request, &setup, seats)))
        return;
    if (begin(request, sitting)) {
        pthread_mutex_lock(&sitting->lock);
        answer_json(request, MHD_HTTP_CREATED,
                    json_pack("{s:o,s:[s?,s?]}", "sitting", sitting_json(sitting), "tokens",
                              tokens[0][0] ? tokens[0] : NULL, tokens[1][0] ? tokens[1] : NULL));
        pthread_mutex_unlock(&sitting->lock);
    }
    sitting_release(sitting);
}

/* ---- showing them ------------------------------------------------------------------------- */

/* The sitting that the path names, retained and locked; NULL: answered already. */
static Sitting *lock_sitting(Request *request)
{
    TurfError error;
    Sitting  *sitting = registry_find(request->server, request->parts[0], &error);
    if (sitting)
        pthread_mutex_lock(&sitting->lock);
    else if (error.text[0])
        answer_error(request, MHD_HTTP_INTERNAL_SERVER_ERROR, "store", "%s", error.text);
    else
        answer_error(request, MHD_HTTP_NOT_FOUND, "not-found", "there is no such sitting");
    return sitting;
}

static void unlock_sitting(Sitting *sitting)
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
    const char     *state = request_parameter(request, "state"), *name = request_parameter(request, "game");
    const TurfGame *game = NULL;
    int64_t         limit = USUAL_LIST;
    if (!request_number(request, "limit", 1, LONGEST_LIST, &limit) || (name && !(game = read_game_name(request, name))))
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
    view_add(json, game, &sitting->line.state, sitting->is_over ? &sitting->finish : NULL);
    if (game_is_simultaneous(game))
        json_object_set_new(json, "reach", view_of_reach(&sitting->line.state));
    else
        json_object_set_new(json, "moves", sitting->is_over ? json_array() : view_of_moves(game, &sitting->line.state));
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
    answer_stream(request, channel_subscribe(sitting->channel, request->connection, last_event(request), "snapshot",
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

/* ---- what a seat may do ------------------------------------------------------------------- */

/* The sitting, retained and locked, and the side whose token came with the request. NULL: answered already. */
static Sitting *lock_seat(Request *request, int *side)
{
    const char *authorization = request_header(request, MHD_HTTP_HEADER_AUTHORIZATION);
    Sitting    *sitting = lock_sitting(request);
    if (!sitting)
        return NULL;
    if (!authorization || strncasecmp(authorization, "Bearer ", 7)) {
        answer_error(request, MHD_HTTP_UNAUTHORIZED, "no-token",
                     "say Authorization: Bearer TOKEN, with a seat's token");
        answer_header(request, MHD_HTTP_HEADER_WWW_AUTHENTICATE, "Bearer");
    } else if ((*side = sitting_side_of(sitting, authorization + 7)) < 0) {
        answer_error(request, MHD_HTTP_FORBIDDEN, "bad-token", "this token opens no seat of this sitting");
    } else {
        return sitting;
    }
    unlock_sitting(sitting);
    return NULL;
}

static void answer_or_refuse(Request *request, unsigned status, json_t *data, const Refusal *refusal)
{
    if (data)
        answer_json(request, status, data);
    else
        answer_refusal(request, refusal);
}

static void answer_seat(Request *request, const Sitting *sitting, int side)
{
    answer_json(request, MHD_HTTP_OK, json_pack("{s:i,s:s}", "side", side, "name", sitting->seats[side].name));
}

void api_seat_get(Request *request)
{
    int      side;
    Sitting *sitting = lock_seat(request, &side);
    if (!sitting)
        return;
    answer_seat(request, sitting, side);
    unlock_sitting(sitting);
}

void api_seat_put(Request *request)
{
    const char *name = NULL;
    int         side;
    Sitting    *sitting;
    Refusal     refusal;
    if (!request_read(request, "{s?:s}", "name", &name) || (name && !check_name(request, name)) ||
        !(sitting = lock_seat(request, &side)))
        return;
    if (sitting_take_seat(sitting, side, name, &refusal))
        answer_seat(request, sitting, side);
    else
        answer_refusal(request, &refusal);
    unlock_sitting(sitting);
}

void api_sitting_move(Request *request)
{
    json_t    *move;
    json_int_t n_moves = -1;
    int        side;
    Sitting   *sitting;
    Refusal    refusal;
    if (!request_read(request, "{s:o,s?:I}", "move", &move, "n_moves", &n_moves) ||
        !(sitting = lock_seat(request, &side)))
        return;
    json_t *data = sitting_move(sitting, side, move, n_moves, &refusal);
    bool    is_half = data && !json_object_get(data, "position");
    answer_or_refuse(request, is_half ? MHD_HTTP_ACCEPTED : MHD_HTTP_OK, data, &refusal);
    unlock_sitting(sitting);
}

void api_sitting_undo(Request *request)
{
    int      side;
    Sitting *sitting;
    Refusal  refusal;
    if (!request_read(request, "{}") || !(sitting = lock_seat(request, &side)))
        return;
    json_t *data = sitting_undo(sitting, side, &refusal);
    answer_or_refuse(request, MHD_HTTP_OK, data, &refusal);
    unlock_sitting(sitting);
}

void api_sitting_resign(Request *request)
{
    int      side;
    Sitting *sitting;
    Refusal  refusal;
    if (!request_read(request, "{}") || !(sitting = lock_seat(request, &side)))
        return;
    json_t *data = sitting_resign(sitting, side, &refusal);
    answer_or_refuse(request, MHD_HTTP_OK, data, &refusal);
    unlock_sitting(sitting);
}

/* ---- rematch ------------------------------------------------------------------------------ */

static Seat copy_of_seat(const Seat *seat)
{
    Seat copy = *seat;
    copy.player = seat->player ? strdup(seat->player) : NULL;
    copy.spec = seat->spec ? strdup(seat->spec) : NULL;
    copy.options = seat->options ? json_deep_copy(seat->options) : NULL;
    return copy;
}

/* The same again with sides changed; a start that was drawn is drawn anew. NULL: answered already. */
static Sitting *new_rematch(Request *request, const Sitting *old)
{
    Setup     setup = old->setup;
    Seat      seats[2] = {copy_of_seat(&old->seats[1]), copy_of_seat(&old->seats[0])};
    json_t   *text = setup.start_text ? json_string(setup.start_text) : NULL;
    TurfError unused;
    setup.start_text = setup.start_text ? strdup(setup.start_text) : NULL;
    setup.config = setup.config ? json_deep_copy(setup.config) : NULL;
    setup.seed = token_seed();
    snprintf(setup.parent, sizeof setup.parent, "%s", old->id);
    StartRequest start = {.game = setup.game, .start = text, .config = setup.config, .chosen_seed = setup.seed};
    bool         is_drawn = old->setup.is_start_named && make_start(&start, &unused);
    if (is_drawn)
        setup.start = start.state;
    json_decref(text);
    return new_sitting(request, &setup, seats);
}

/* Everybody wants it: makes it. False: answered already. */
static bool make_rematch(Request *request, Sitting *sitting)
{
    Sitting *next = check_room(request) ? new_rematch(request, sitting) : NULL;
    bool     is_good = next && begin(request, next);
    if (is_good)
        snprintf(sitting->rematch, sizeof sitting->rematch, "%s", next->id);
    sitting_release(next);
    return is_good;
}

void api_sitting_rematch(Request *request)
{
    int       side;
    Sitting  *sitting;
    TurfError error;
    if (!request_read(request, "{}") || !(sitting = lock_seat(request, &side)))
        return;
    bool is_good = sitting->is_over;
    if (!is_good)
        answer_error(request, MHD_HTTP_CONFLICT, "busy", "the game is not over yet");
    if (is_good && !sitting->rematch[0]) {
        sitting->wants_rematch[side] = true;
        if (!sitting->seats[!side].is_person || sitting->wants_rematch[!side])
            is_good = make_rematch(request, sitting);
        if (is_good && !sitting_save(sitting, SAVE_STANDING, &error)) {
            answer_error(request, MHD_HTTP_INTERNAL_SERVER_ERROR, "store", "it could not be kept: %.300s", error.text);
            is_good = false;
        }
        if (is_good)
            channel_publish(sitting->channel, "rematch", json_pack("{s:o}", "rematch", sitting_rematch_json(sitting)));
    }
    if (is_good)
        answer_json(request, MHD_HTTP_OK, json_pack("{s:o}", "rematch", sitting_rematch_json(sitting)));
    unlock_sitting(sitting);
}
