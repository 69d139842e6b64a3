/* The games, and questions about any position. Nothing here is kept. */
#include "web/api.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/checked_json.h"
#include "games/cells.h"
#include "web/league_practice.h"

#include <stdlib.h>
#include <string.h>

/* ---- what requests name ------------------------------------------------------------------- */

const TurfGame *read_game_name(Request *request, const char *name)
{
    TurfError       error;
    const TurfGame *game = turf_game_find(name, &error);
    if (!game)
        respond_error(request, MHD_HTTP_NOT_FOUND, "not-found", "%s", error.text);
    return game;
}

bool read_game_filter(Request *request, const TurfGame **game)
{
    const char *name = request_parameter(request, "game");
    *game = NULL;
    return !name || !*name || (*game = read_game_name(request, name));
}

bool read_position(Request *request, const TurfGame *game, const json_t *json, TurfState *state)
{
    TurfError error;
    memset(state, 0, sizeof *state);
    bool is_good = json_is_object(json) ? game->from_json(state, json, &error)
                                        : error_invalid(&error, "it is not an object");
    if (is_good)
        return true;
    if (error.code == TURF_ERROR_NO_MEMORY)
        respond_turf_error(request, &error);
    else
        respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                      "the position cannot be read: %s", error.text);
    return false;
}

bool make_start(StartRequest *start, TurfError *error)
{
    TurfRng rng = turf_rng(start->chosen_seed);
    bool    is_good;
    memset(&start->state, 0, sizeof start->state);
    if (json_is_object(start->start))
        is_good = start->game->from_json(&start->state, start->start, error);
    else
        is_good =
            turf_start(start->game, json_string_value(start->start), &rng, &start->state, error);
    if (!is_good || !start->config)
        return is_good;
    if (!start->game->configure)
        return error_invalid(error, "%s has no \"config\"", start->game->title);
    return start->game->configure(&start->state, start->config, !json_is_object(start->start),
                                  error);
}

bool read_start_request(Request *request, StartRequest *start)
{
    enum { MAX_START_BYTES = 64 << 10 };
    TurfError error;
    if (json_is_null(start->start))
        start->start = NULL;
    if (json_is_null(start->config))
        start->config = NULL;
    start->chosen_seed = start->seed ? (uint64_t)json_integer_value(start->seed) : token_seed();
    if (start->seed && (!json_is_integer(start->seed) || json_integer_value(start->seed) < 0))
        error_invalid(&error, "\"seed\" must be an integer from 0");
    else if (start->start && !json_is_object(start->start) && !json_is_string(start->start))
        error_invalid(&error,
                      "\"start\" is the name of a start, a position as text, or a position");
    else if (json_string_length(start->start) > MAX_START_BYTES)
        error_invalid(&error, "a \"start\" has at most %d bytes as text", MAX_START_BYTES);
    else if (start->config && !json_is_object(start->config))
        error_invalid(&error, "\"config\" is an object");
    else if (make_start(start, &error))
        return true;
    respond_turf_error(request, &error);
    return false;
}

const CatalogueEntry *read_player_choice(Request *request, const TurfGame *game, const char *id,
                                         const json_t *options, char **spec)
{
    TurfError             error;
    const CatalogueEntry *entry = catalogue_find(&request->server->catalogue, game, id);
    char                  quoted[ERROR_QUOTE_BYTES];
    if (!entry) {
        respond_error(request, MHD_HTTP_NOT_FOUND, "not-found",
                      "'%s' does not play %s here; GET /api/games says who does",
                      error_quote(quoted, id), game->title);
        return NULL;
    }
    *spec = catalogue_spec(entry, game, options, &error);
    if (!*spec)
        respond_turf_error(request, &error);
    return *spec ? entry : NULL;
}

/* ---- the server and the games ------------------------------------------------------------- */

bool is_owner(const Request *request)
{
    return owner_has(&request->server->owner, request_token(request));
}

void api_server(Request *request)
{
    Server *server = request->server;
    respond_json(request, MHD_HTTP_OK,
                 json_pack("{s:s,s:o,s:b,s:b,s:b,s:I,s:I,s:I,s:I,s:{s:I,s:I,s:I,s:i,s:i,s:i,s:i}}",
                           "version", TURF_VERSION, "started_at", moment_json(server->started_ms),
                           "can_change_tournaments", is_owner(request), "has_one_file",
                           server->http.one_file != NULL, "has_league",
                           (int)atomic_load(&server->has_league), "n_open_games",
                           (json_int_t)quota_n_taken(&server->quota, SLOT_LIVE_GAME), "n_streams",
                           (json_int_t)quota_n_taken(&server->quota, SLOT_STREAM), "n_bots",
                           (json_int_t)bot_slots_n_taken(&server->bot_slots), "n_answering",
                           (json_int_t)atomic_load(&server->http.n_responding), "limits",
                           "open_games", (json_int_t)server->quota.n_slots[SLOT_LIVE_GAME],
                           "streams", (json_int_t)server->quota.n_slots[SLOT_STREAM], "bots",
                           (json_int_t)server->bot_slots.n_slots, "body_bytes", MAX_BODY_BYTES,
                           "think_ms", MAX_THINK_MS, "tournament_players", MAX_TOURNAMENT_PLAYERS,
                           "tournament_games", MAX_TOURNAMENT_GAMES));
}

static json_t *side_json(const TurfGame *game, int side)
{
    const char *symbol = game->side_symbols[side];
    return json_pack("{s:s,s:s,s:s,s:s?}", "name", game->side_names[side], "letter",
                     game->side_letters[side], "symbol", symbol ? symbol : game->side_letters[side],
                     "colour", game->side_colours[side]);
}

static json_t *game_json(Server *server, const TurfGame *game)
{
    json_t *starts = json_array(), *outcomes = json_array(), *sizes = json_array();
    for (const NamedStart *start = game->starts; start->name; start++)
        json_add(&starts, json_pack("{s:s,s:s}", "name", start->name, "summary", start->summary));
    for (int ending = 0; ending < TURF_N_ENDINGS; ending++)
        if (game->ending_names[ending])
            json_add(&outcomes, json_string(game->ending_names[ending]));
    for (const int *size = game->sizes; size && *size; size++)
        json_add(&sizes, json_integer(*size));
    json_t *json =
        json_pack("{s:s,s:s,s:s,s:s,s:[o,o],s:o,s:o,s:s}", "name", game->name, "short_name",
                  game->short_name, "title", game->title, "summary", game->summary, "sides",
                  side_json(game, 0), side_json(game, 1), "outcomes", outcomes, "starts", starts,
                  "start_forms", game->start_forms);
    json_put(&json, "has_sizes", json_boolean(game->sizes));
    json_put(&json, "sizes", sizes);
    json_put(&json, "unit", json_string(game->unit ? game->unit : "points"));
    json_put(&json, "has_letters", json_boolean(game->has_letters));
    json_put(&json, "is_simultaneous", json_boolean(game_is_simultaneous(game)));
    json_put(&json, "is_on_points", json_boolean(game->is_on_points));
    json_put(&json, "moves_per_turn",
             json_integer(game->moves_per_turn ? game->moves_per_turn : 1));
    json_put(&json, "has_step", json_boolean(game->play_before_step));
    json_put(&json, "can_pass", json_boolean(game->pass));
    json_put(&json, "longest_game", json_integer(game->longest_game));
    json_put(&json, "move_form", json_loads(game->json_move_form, JSON_DECODE_ANY, NULL));
    json_t *players = catalogue_json(&server->catalogue, game);
    practice_add(server, game, &players);
    json_put(&json, "players", players);
    return json;
}

void api_games(Request *request)
{
    json_t *list = json_array();
    for (size_t i = 0; turf_game_at(i); i++)
        json_add(&list, game_json(request->server, turf_game_at(i)));
    respond_json(request, MHD_HTTP_OK, json_pack("{s:o}", "games", list));
}

/* ---- starts, moves, steps ----------------------------------------------------------------- */

void api_start(Request *request)
{
    const char  *name;
    StartRequest start = {.game = NULL};
    if (!request_read(request, "{s:s,s?:o,s?:o,s?:o}", "game", &name, "start", &start.start, "seed",
                      &start.seed, "config", &start.config) ||
        !(start.game = read_game_name(request, name)) || !read_start_request(request, &start))
        return;
    json_t *json =
        json_pack("{s:s,s:I}", "game", start.game->name, "seed", (json_int_t)start.chosen_seed);
    view_add(&json, start.game, &start.state, NULL);
    respond_json(request, MHD_HTTP_OK, json);
}

void api_moves(Request *request)
{
    const char     *name;
    json_t         *position;
    const TurfGame *game;
    TurfState       state;
    if (!request_read(request, "{s:s,s:o}", "game", &name, "position", &position) ||
        !(game = read_game_name(request, name)) || !read_position(request, game, position, &state))
        return;
    json_t *json = json_pack("{s:s}", "game", game->name);
    view_add(&json, game, &state, NULL);
    if (game_is_simultaneous(game))
        json_put(&json, "reach", view_of_reach(game, &state));
    else
        json_put(&json, "moves", view_of_moves(game, &state));
    respond_json(request, MHD_HTTP_OK, json);
}

/* Both sides' cells, checked; false: answered already. */
static bool read_actions(Request *request, const TurfGame *game, const TurfState *state,
                         const json_t *move, TurfCell *room[2], Ply *ply)
{
    TurfError error;
    ply->side = SIDE_BOTH;
    if (!game_actions_from_json(game, move, room, ply->actions, &error)) {
        respond_turf_error(request, &error);
        return false;
    }
    for (int side = 0; side < 2; side++)
        if (!game->is_legal_action(state, (TurfSide)side, &ply->actions[side], &error)) {
            int cell = (int)game_find_bad_cell(game, state, (TurfSide)side, &ply->actions[side]);
            respond_error_with(request, MHD_HTTP_UNPROCESSABLE_CONTENT, "illegal-move", error.text,
                               json_pack("{s:i,s:i}", "side", side, "cell", cell));
            return false;
        }
    return true;
}

static bool read_move(Request *request, const TurfGame *game, const TurfState *state,
                      const json_t *move, Ply *ply)
{
    TurfError error;
    ply->side = (int)game->to_move(state);
    if (!game->move_from_json(state, move, &ply->move, &error)) {
        respond_turf_error(request, &error);
        return false;
    }
    if (game->to_move(state) == TURF_MOVER_NONE)
        error_invalid(&error, "the game is over");
    else if (game->is_legal(state, ply->move, &error))
        return true;
    respond_error(request, MHD_HTTP_UNPROCESSABLE_CONTENT, "illegal-move", "%s", error.text);
    return false;
}

void api_step(Request *request)
{
    const char     *name;
    json_t         *position, *move = NULL;
    const TurfGame *game;
    TurfState       state;
    Ply             ply = {.side = SIDE_NOBODY};
    if (!request_read(request, "{s:s,s:o,s?:o}", "game", &name, "position", &position, "move",
                      &move) ||
        !(game = read_game_name(request, name)) || !read_position(request, game, position, &state))
        return;
    TurfCell *cells = malloc(2 * TURF_MAX_CELLS * sizeof *cells),
             *room[2] = {cells, cells ? cells + TURF_MAX_CELLS : NULL};
    bool has_move = move && !json_is_null(move), is_good = cells != NULL;
    if (is_good && !has_move && !game->pass) {
        respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                      "there is no \"move\"; add one, like %s", game->json_move_form);
        is_good = false;
    } else if (is_good && has_move) {
        is_good = game_is_simultaneous(game) ? read_actions(request, game, &state, move, room, &ply)
                                             : read_move(request, game, &state, move, &ply);
    }
    if (is_good) {
        json_t *json = json_pack("{s:s,s:o}", "game", game->name, "move",
                                 view_of_move(game, &state, &ply, WITH_BETWEEN));
        ply_apply(game, &state, &ply);
        view_add(&json, game, &state, NULL);
        respond_json(request, MHD_HTTP_OK, json);
    }
    free(cells);
}

/* ---- what a player would do --------------------------------------------------------------- */

typedef struct Question {
    Request        *request;
    const TurfGame *game;
    TurfPlayer     *player;
    TurfState       state;
    bool            wants_all;
    TimeLimit      *limit; /* ends it when it takes too long */
} Question;

static json_t *choose_both(const Question *question, TurfRng *rng, TurfCell *cells)
{
    Ply         ply = {.side = SIDE_BOTH};
    TurnContext turn = {.rng = rng, .stop = &question->limit->is_up};
    for (int side = 0; side < 2; side++) {
        TurfCell *room = cells + side * TURF_MAX_CELLS;
        ply.actions[side].cells = room;
        ply.actions[side].n_cells =
            player_choose_cells(question->player, &question->state, (TurfSide)side, &turn, room);
    }
    return json_pack("{s:[o],s:n}", "moves",
                     view_of_move(question->game, &question->state, &ply, WITHOUT_BETWEEN),
                     "value");
}

static json_t *choose_moves(const Question *question, TurfRng *rng)
{
    TurfMove    moves[TURF_MAX_MOVES];
    TurnContext turn = {.rng = rng,
                        .stop = &question->limit->is_up,
                        .deadline_ns = clock_ns() + MAX_THINK_MS * INT64_C(1000000)};
    Choice      choice =
        player_choose_move(question->player, &question->state, question->wants_all, &turn, moves);
    json_t *list = json_array();
    for (size_t i = 0; i < choice.n_moves; i++) {
        Ply ply = {.side = (int)question->game->to_move(&question->state), .move = moves[i]};
        if (question->game->is_legal(&question->state, ply.move, NULL))
            json_add(&list, view_of_move(question->game, &question->state, &ply, WITHOUT_BETWEEN));
    }
    return json_pack("{s:o,s:o}", "moves", list, "value",
                     choice.has_value ? json_integer(choice.value) : json_null());
}

static void choose(void *context)
{
    Question  *question = context;
    Request   *request = question->request;
    int64_t    begin_ns = clock_ns();
    TurfRng    rng = turf_rng(question->game->hash(&question->state));
    TurfCell  *cells = malloc(2 * TURF_MAX_CELLS * sizeof *cells);
    TurfEnding ending;
    TurfError  unused;
    json_t    *json = NULL;
    question->limit =
        time_limit_begin(&request->server->time_limits, begin_ns + MAX_THINK_MS * INT64_C(1000000));
    if (question->game->is_over(&question->state, &ending))
        json = json_pack("{s:[],s:n}", "moves", "value");
    else if (cells && player_begin_game(question->player, NULL, &unused))
        json = game_is_simultaneous(question->game) ? choose_both(question, &rng, cells)
                                                    : choose_moves(question, &rng);
    if (json)
        json_put(&json, "time_ms", json_integer((clock_ns() - begin_ns) / 1000000));
    free(cells);
    turf_player_free(question->player);
    bool is_late = atomic_load(&question->limit->is_up);
    time_limit_end(&request->server->time_limits, question->limit);
    free(question);
    if (is_late) {
        json_decref(json);
        respond_error(request, MHD_HTTP_SERVICE_UNAVAILABLE, "full",
                      "that takes more than %d s; ask for less", MAX_THINK_MS / 1000);
    } else {
        respond_json(request, MHD_HTTP_OK, json);
    }
    response_is_ready(request);
}

void api_choose(Request *request)
{
    const char           *name, *id;
    json_t               *position, *options = NULL;
    int                   wants_all = false;
    const TurfGame       *game;
    TurfState             state;
    char                 *spec = NULL;
    const CatalogueEntry *entry;
    TurfError             error;
    if (!request_read(request, "{s:s,s:o,s:s,s?:o,s?:b}", "game", &name, "position", &position,
                      "player", &id, "options", &options, "all", &wants_all) ||
        !(game = read_game_name(request, name)) ||
        !read_position(request, game, position, &state) ||
        !(entry = read_player_choice(request, game, id, options, &spec)))
        return;
    error_invalid(&error, "only built-in players can be asked; let this one play a game");
    TurfPlayer *player = entry->kind->is_external ? NULL : turf_player_open(game, spec, &error);
    free(spec);
    if (!player) {
        respond_turf_error(request, &error);
        return;
    }
    Question *question = malloc(sizeof *question);
    if (!question) {
        turf_player_free(player);
        respond_no_memory(request);
        return;
    }
    *question = (Question){
        .request = request, .game = game, .player = player, .state = state, .wants_all = wants_all};
    /* First asleep, then to work: the other way round it could be woken before it sleeps. */
    respond_later(request);
    PoolJob job = {.run = choose, .context = question, .client = request->client};
    if (!pool_add(request->server->choices, &job)) {
        turf_player_free(player);
        free(question);
        respond_error(request, MHD_HTTP_SERVICE_UNAVAILABLE, "full",
                      "too many are thinking already; ask again soon");
        respond_header(request, MHD_HTTP_HEADER_RETRY_AFTER, "2");
        response_is_ready(request);
    }
}
