/* The requests of 'turf join': a stream of questions, and the answers.
 *
 * Whoever has a team's token may play for it. The first bot from home becomes a version of its
 * team, home:TEAM, as a file that is handed in does; after that, coming and going makes no version.
 */
#include "web/api_league.h"

#include "base/checked_json.h"
#include "base/error.h"
#include "web/joins.h"
#include "web/team_access.h"

#include <stdlib.h>
#include <string.h>

/* ---- the stream ------------------------------------------------------------------------- */

static bool is_at_home(const LeagueAsker *asker)
{
    const LeagueTeam *team = asker->own;
    return team->current != NO_VERSION && version_is_home(&asker->league->versions[team->current]);
}

/* Adds a version home:TEAM. */
static bool add_version(League *league, const char *team, TurfError *error)
{
    char *spec = NULL;
    if (asprintf(&spec, "home:%s", team) < 0)
        return error_no_memory(error);
    TurfPlayer *player = player_open_any(league->plan.game, spec, error);
    bool        is_good = player && (player_rename(player, team) || error_no_memory(error)) &&
                   league_add(league, player, NULL, error);
    turf_player_free(player);
    free(spec);
    return is_good;
}

/* Makes the bot at home the version that plays; false: answered with an error, and left. */
static bool enter_version(LeagueAsker *asker, const char *team)
{
    TurfError error;
    if (is_at_home(asker))
        return true;
    if (asker->own->n_versions > 0 && asker->own->current == NO_VERSION) {
        error_invalid(&error, "%s is retired from the league; ask the owner", team);
        return league_refuse(asker, &error);
    }
    if (!add_version(asker->league, team, &error))
        return league_refuse(asker, &error);
    league_service_changed(asker->request->server);
    asker->own = league_team(asker->league, team); /* it was read again */
    if (asker->own && is_at_home(asker))
        return true;
    error_busy(&error, "the league is being changed; try again");
    return league_refuse(asker, &error);
}

static json_t *hello_of(const LeagueAsker *asker)
{
    const Plan          *plan = &asker->league->plan;
    const LeagueVersion *version = &asker->league->versions[asker->own->current];
    return json_pack("{s:s,s:s,s:i,s:I,s:I,s:i}", "team", asker->own->name, "game",
                     plan->game->name, "version", version->number, "time_ms",
                     (json_int_t)plan->time_ms, "move_cap_ms", (json_int_t)plan->move_cap_ms,
                     "max_lag_ms", MAX_HOME_LAG_MS);
}

static void respond_joined(Request *request, struct MHD_Response *response)
{
    if (response)
        respond_stream(request, response);
    else
        respond_no_memory(request);
}

void api_join(Request *request)
{
    LeagueAsker          asker;
    Joins               *joins = request->server->joins;
    const char          *session = request_parameter(request, "session");
    const char          *after = request_header(request, "Last-Event-ID");
    const char          *token = request_token(request);
    JoinTerms            terms = {.token = token, .n_games = 1};
    struct MHD_Response *response = NULL;
    if (!request_number(request, "games", 1, MAX_HOME_GAMES, &terms.n_games))
        return;
    if (session && after && token &&
        (response = joins_continue(joins, session, token, after, request->connection))) {
        respond_joined(request, response);
        return;
    }
    if (!league_enter(request, &asker))
        return;
    if (asker.role != ROLE_TEAM) {
        league_leave(&asker);
        if (!token)
            respond_no_token(request, "only a team may join; say Authorization: Bearer TOKEN");
        else
            respond_error(request, MHD_HTTP_FORBIDDEN, "bad-token",
                          "only a team may join, and this is the owner's token");
        return;
    }
    char *team = strdup(asker.own->name);
    if (!team) {
        league_leave(&asker);
        respond_no_memory(request);
        return;
    }
    if (!enter_version(&asker, team)) {
        free(team);
        return;
    }
    terms.hello = hello_of(&asker);
    league_leave(&asker);
    terms.team = team;
    respond_joined(request, joins_add(joins, &terms, request->connection));
    free(team);
}

/* ---- answers ---------------------------------------------------------------------------- */

/* What a bot may say of itself; the rest the arena sees. */
static bool read_reason(const char *name, TurfForfeit *reason)
{
    static const TurfForfeit reasons[] = {TURF_CRASH, TURF_FLOOD, TURF_MEMORY};
    for (size_t i = 0; name && i < sizeof reasons / sizeof *reasons; i++)
        if (!strcmp(name, turf_forfeit_name(reasons[i]))) {
            *reason = reasons[i];
            return true;
        }
    return false;
}

static json_int_t game_of(const json_t *message)
{
    return json_integer_value(json_object_get(message, "game"));
}

static bool take_answer(HomeBot *bot, const json_t *message)
{
    const json_t *line = json_object_get(message, "line");
    return json_is_string(line) && home_bot_answer(bot, game_of(message), json_string_value(line),
                                                   json_string_length(line));
}

static bool take_fault(HomeBot *bot, const json_t *message)
{
    const char *text = json_string_value(json_object_get(message, "text"));
    TurfForfeit reason;
    return text && read_reason(json_string_value(json_object_get(message, "reason")), &reason) &&
           home_bot_fault(bot, game_of(message), reason, text);
}

static bool take_pong(HomeBot *bot, const json_t *number)
{
    return json_is_integer(number) && home_bot_pong(bot, json_integer_value(number));
}

static bool take_ready(HomeBot *bot, const json_t *number)
{
    return json_is_integer(number) && home_bot_ready(bot, json_integer_value(number));
}

/* Takes a list of messages; returns how many were for nothing: of a game that is over, or
 * malformed. */
static json_int_t take_all(HomeBot *bot, const json_t *list,
                           bool (*take)(HomeBot *bot, const json_t *message))
{
    json_int_t n_ignored = 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        n_ignored += !take(bot, json_array_get(list, i));
    return n_ignored;
}

void api_join_answers(Request *request)
{
    const char *session = NULL, *token = request_token(request);
    json_t     *answers = NULL, *faults = NULL, *pongs = NULL, *ready = NULL;
    int         is_leaving = 0;
    if (!request_read(request, "{s:s,s?o,s?o,s?o,s?o,s?b}", "session", &session, "pongs", &pongs,
                      "ready", &ready, "answers", &answers, "faults", &faults, "is_leaving",
                      &is_leaving))
        return;
    HomeBot *bot = token ? joins_lock(request->server->joins, session, token) : NULL;
    if (!bot) {
        respond_error(request, MHD_HTTP_CONFLICT, "not-joined",
                      "this bot is not connected any more; join again");
        return;
    }
    json_int_t n_ignored = take_all(bot, pongs, take_pong) + take_all(bot, ready, take_ready) +
                           take_all(bot, answers, take_answer) + take_all(bot, faults, take_fault);
    if (is_leaving)
        (void)home_bot_leave(bot);
    joins_unlock(request->server->joins);
    respond_json(request, MHD_HTTP_OK, json_pack("{s:I}", "n_ignored", n_ignored));
}
