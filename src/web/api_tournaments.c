/* The handlers of /api/tournaments: create, stop, resume, show and export. Only the owner
 * may change them, since a tournament takes all processors of the machine. */
#include "web/api.h"

#include "base/error.h"
#include "web/tournament_view.h"

#include <stdlib.h>
#include <string.h>

/* ---- finding ----------------------------------------------------------------------------- */

/* Answers with the error of reading a tournament. */
static bool respond_no_tournament(Request *request, TurfError *error)
{
    if (error->code == TURF_ERROR_NOT_FOUND) /* the store's text names the database */
        error_not_found(error, "there is no such tournament");
    else if (error->code == TURF_ERROR_INVALID) /* a stored plan that this version cannot read */
        error->code = TURF_ERROR_IO;
    return respond_turf_error(request, error);
}

/* Reads the number in the path; false: answered with an error. */
static bool read_run(Request *request, int64_t *run)
{
    char *end;
    *run = strtoll(request->parts[0], &end, 10);
    if (request->parts[0][0] >= '0' && request->parts[0][0] <= '9' && !*end && *run > 0)
        return true;
    return respond_no_tournament(request, &(TurfError){.code = TURF_ERROR_NOT_FOUND});
}

static bool check_is_owner(Request *request)
{
    if (!request_token(request))
        return respond_no_token(request,
                                "only the owner may start and stop tournaments; say "
                                "Authorization: Bearer TOKEN, with the token in DATABASE.owner");
    return is_owner(request) ||
           respond_error(
               request, MHD_HTTP_FORBIDDEN, "bad-token",
               "this is not the owner's token; it is in DATABASE.owner, as turf.db.owner");
}

static void respond_tournament(Request *request, unsigned status, int64_t run)
{
    TurfError error;
    json_t   *json = tournament_json(request->server, run, &error);
    if (json)
        respond_json(request, status, json_pack("{s:o}", "tournament", json));
    else
        respond_no_tournament(request, &error);
}

/* ---- creating ----------------------------------------------------------------------------- */

/* Adds one entrant of the list; false: answered with an error. */
static bool add_entrant(Request *request, json_t *json, Plan *plan)
{
    const char *id, *name = NULL;
    char       *spec = NULL;
    json_t     *options = NULL;
    TurfError   error;
    if (json_unpack_ex(json, NULL, JSON_STRICT, "{s:s,s?:s,s?:o}", "player", &id, "name", &name,
                       "options", &options))
        return respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                             "a player must be like "
                             "{\"player\":\"minimax\",\"options\":{\"depth\":3},"
                             "\"name\":\"deep\"}");
    bool is_named = name && *name;
    if (is_named && (!player_is_good_name(name, strlen(name)) || strpbrk(name, "=:")))
        return respond_error(
            request, MHD_HTTP_BAD_REQUEST, "bad-request",
            "a name must have at most %d printable characters, without = and :", MAX_NAME_LETTERS);
    if (!read_player_choice(request, plan->game, id, options, &spec))
        return false;
    TurfPlayer *player = turf_player_open(plan->game, spec, &error);
    free(spec);
    if (!player)
        return respond_turf_error(request, &error);
    if (is_named && !player_rename(player, name)) {
        turf_player_free(player);
        return respond_no_memory(request);
    }
    if (plan_has_name(plan, player->name)) {
        turf_player_free(player);
        return respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                             "two players have the same name; rename one");
    }
    return plan_add_player(plan, player) || respond_no_memory(request);
}

static bool add_entrants(Request *request, const json_t *list, Plan *plan)
{
    size_t n_players = json_array_size(list);
    if (n_players < 2 || n_players > MAX_TOURNAMENT_PLAYERS)
        return respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                             "\"players\" must be a list of 2 to %d players",
                             MAX_TOURNAMENT_PLAYERS);
    for (size_t i = 0; i < n_players; i++)
        if (!add_entrant(request, json_array_get(list, i), plan))
            return false;
    return true;
}

/* Adds the start, which a plan holds as text; false: answered with an error. */
static bool add_start(Request *request, json_t *start, json_t *config, Plan *plan)
{
    StartRequest wanted = {.game = plan->game, .start = start, .config = config};
    if ((!start || json_is_null(start)) && !config)
        return true;
    if (!read_start_request(request, &wanted))
        return false;
    bool  is_text = json_is_string(start) && !config;
    char *text = is_text ? strdup(json_string_value(start))
                         : turf_position_to_json(plan->game, &wanted.state);
    bool  is_good = text && plan_add_start(plan, text);
    if (!is_good)
        respond_no_memory(request);
    free(text);
    return is_good;
}

static bool read_plan(Request *request, Plan *plan)
{
    const char *name;
    json_t     *players, *start = NULL, *config = NULL;
    json_int_t  n_games = 100, seed = -1;
    int         swaps_sides = false;
    if (!request_read(request, "{s:s,s:o,s?:I,s?:I,s?:o,s?:o,s?:b}", "game", &name, "players",
                      &players, "games", &n_games, "seed", &seed, "start", &start, "config",
                      &config, "swaps_sides", &swaps_sides) ||
        !(plan->game = read_game_name(request, name)))
        return false;
    if (n_games < 1 || n_games > MAX_TOURNAMENT_GAMES)
        return respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                             "\"games\" must be an integer from 1 to %d", MAX_TOURNAMENT_GAMES);
    if (seed < -1)
        return respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                             "\"seed\" must be an integer from 0");
    plan->schedule = SCHEDULE_ROUND_ROBIN;
    plan->n_games = (uint64_t)n_games;
    plan->n_rounds = 1;
    plan->seed = seed >= 0 ? (uint64_t)seed : token_seed();
    plan->swaps_sides = swaps_sides;
    plan->n_recorded = RECORDED_GAMES;
    return add_entrants(request, players, plan) && add_start(request, start, config, plan);
}

void api_tournaments_make(Request *request)
{
    Plan     plan = {.game = NULL};
    ApiError api_error;
    int64_t  run;
    if (!check_is_owner(request))
        return;
    if (!read_plan(request, &plan)) {
        plan_release(&plan);
        return;
    }
    if (!tournament_make(request->server, &plan, &run, &api_error)) {
        respond_api_error(request, &api_error);
    } else if (!tournament_play(request->server, run, &api_error)) {
        TurfError why = api_error.message;
        api_error_set(&api_error, api_error.status, api_error.code,
                      "the tournament was created as number %lld, but %.300s", (long long)run,
                      why.text);
        respond_api_error(request, &api_error);
    } else {
        respond_tournament(request, MHD_HTTP_CREATED, run);
    }
}

/* ---- starting and stopping ---------------------------------------------------------------- */

void api_tournament_resume(Request *request)
{
    int64_t   run;
    TurfError error;
    ApiError  api_error;
    if (!check_is_owner(request) || !request_read(request, "{}") || !read_run(request, &run))
        return;
    json_t *found = tournament_json(request->server, run, &error);
    if (!found)
        respond_no_tournament(request, &error);
    else if (!tournament_play(request->server, run, &api_error))
        respond_api_error(request, &api_error);
    else
        respond_tournament(request, MHD_HTTP_OK, run);
    json_decref(found);
}

void api_tournament_stop(Request *request)
{
    int64_t run;
    if (!check_is_owner(request) || !request_read(request, "{}") || !read_run(request, &run))
        return;
    (void)tournament_stop(request->server, run);
    respond_tournament(request, MHD_HTTP_OK, run);
}

/* ---- showing ------------------------------------------------------------------------------ */

void api_tournaments_list(Request *request)
{
    TurfError error;
    json_t   *list = tournament_list(request->server, MAX_LISTED_TOURNAMENTS, &error);
    if (list)
        respond_json(request, MHD_HTTP_OK, json_pack("{s:o}", "tournaments", list));
    else
        respond_no_tournament(request, &error);
}

void api_tournament(Request *request)
{
    int64_t   run;
    TurfError error;
    if (!read_run(request, &run))
        return;
    json_t *json = tournament_json(request->server, run, &error);
    if (json)
        respond_json(request, MHD_HTTP_OK, json);
    else
        respond_no_tournament(request, &error);
}

void api_tournament_events(Request *request)
{
    int64_t   run;
    TurfError error;
    if (!read_run(request, &run))
        return;
    struct MHD_Response *response =
        tournament_stream(request->server, request->connection, run, &error);
    if (response)
        respond_stream(request, response);
    else
        respond_no_tournament(request, &error);
}

void api_tournament_export(Request *request)
{
    static const char *const names[N_EXPORTS] = {"json", "csv", "markdown", "html"};
    static const char *const types[N_EXPORTS] = {"application/json", "text/csv; charset=utf-8",
                                                 "text/markdown; charset=utf-8",
                                                 "text/html; charset=utf-8"};
    static const char *const endings[N_EXPORTS] = {"json", "csv", "md", "html"};
    const char              *wanted = request_parameter(request, "format");
    Server                  *server = request->server;
    int64_t                  run;
    TurfError                error;
    int                      format = name_find(wanted ? wanted : "json", names, N_EXPORTS);
    if (!read_run(request, &run))
        return;
    if (format < 0) {
        respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                      "'format' must be json, csv, markdown or html");
        return;
    }
    pthread_mutex_lock(&server->reader_lock);
    char *text = tournament_is_there(server, run, &error)
                     ? tournament_export(server->reader, run, (ExportFormat)format, &error)
                     : NULL;
    pthread_mutex_unlock(&server->reader_lock);
    if (!text) {
        respond_no_tournament(request, &error);
        return;
    }
    char disposition[96];
    bool is_inline = format == EXPORT_HTML && request_parameter(request, "inline");
    snprintf(disposition, sizeof disposition, "%s; filename=\"turf-%lld.%s\"",
             is_inline ? "inline" : "attachment", (long long)run, endings[format]);
    respond_text(request, MHD_HTTP_OK, types[format], text);
    if (is_inline)
        respond_framed(request);
    respond_header(request, MHD_HTTP_HEADER_CONTENT_DISPOSITION, disposition);
}
