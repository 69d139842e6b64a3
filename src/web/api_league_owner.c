/* What the owner of a league does over HTTP: teams, playing, freezing, the final. A browser never
 * names a command: it can add built-in players alone. Changes are made through the service's copy
 * of the league, under its lock; starting and stopping wait for the player without that lock. */
#include "web/api_league.h"

#include "base/checked_json.h"
#include "base/error.h"
#include "web/joins.h"
#include "web/team_access.h"

#include <stdlib.h>
#include <string.h>

/* http://HOST/, as the owner reached the server. */
static char *link_for(const Request *request, const char *token)
{
    const char *host = request_header(request, MHD_HTTP_HEADER_HOST);
    const char *scheme = request_header(request, "X-Forwarded-Proto");
    bool        is_https = scheme && !strcasecmp(scheme, "https");
    char       *link = NULL;
    return asprintf(&link, "%s://%s/#/league/join/%s", is_https ? "https" : "http",
                    host ? host : "", token) < 0
               ? NULL
               : link;
}

void api_league_invite(Request *request)
{
    LeagueAsker asker;
    TurfError   error;
    char        token[TOKEN_BYTES], hash[TOKEN_HASH_BYTES];
    if (!request_read(request, "{}") || !league_enter(request, &asker) ||
        !league_check_owner(&asker))
        return;
    token_draw(token);
    token_hash(token, hash);
    if (!league_invite(asker.league, request->parts[0], hash, &error)) {
        league_refuse(&asker, &error);
        return;
    }
    league_service_changed(request->server);
    league_leave(&asker);
    joins_end(request->server->joins, request->parts[0], "the team has a new link");
    char *link = link_for(request, token);
    if (link)
        respond_json(request, MHD_HTTP_OK, json_pack("{s:s,s:s}", "token", token, "link", link));
    else
        respond_no_memory(request);
    free(link);
}

/* Ends a change: answers with the league as it is now, or with the error. */
static void respond_change(LeagueAsker *asker, bool is_good, const TurfError *error)
{
    Request *request = asker->request;
    if (!is_good) {
        league_refuse(asker, error);
        return;
    }
    league_service_changed(request->server);
    league_leave(asker);
    if (league_enter(request, asker))
        respond_league(asker);
}

/* Enters as the owner; false: answered with an error. */
static bool enter_as_owner(Request *request, LeagueAsker *asker)
{
    return league_enter(request, asker) && league_check_owner(asker);
}

/* ---- teams --------------------------------------------------------------------------------- */

/* A built-in player with the name of the team; NULL: answered, and left. */
static TurfPlayer *open_built_in(LeagueAsker *asker, const char *name, const char *spec)
{
    const TurfGame   *game = asker->league->plan.game;
    TurfError         error;
    const PlayerKind *kind = player_kind_named(game, spec, &error);
    if (!kind || strpbrk(spec, "=") == spec || strchr(spec, '/')) {
        league_refuse(asker, kind ? &(TurfError){TURF_ERROR_INVALID, "this is no built-in player"}
                                  : &error);
        return NULL;
    }
    if (kind->is_external) {
        league_leave(asker);
        respond_error(asker->request, MHD_HTTP_FORBIDDEN, "not-allowed",
                      "a browser can add built-in players alone; bots are handed in by their "
                      "teams, or added with 'turf league add'");
        return NULL;
    }
    TurfPlayer *player = turf_player_open(game, spec, &error);
    if (player && !player_rename(player, name)) {
        turf_player_free(player);
        player = NULL;
        error_no_memory(&error);
    }
    if (!player)
        league_refuse(asker, &error);
    return player;
}

void api_league_add(Request *request)
{
    LeagueAsker asker;
    TurfError   error;
    const char *name;
    json_t     *spec = NULL;
    if (!request_read(request, "{s:s,s?:o}", "name", &name, "player", &spec) ||
        !enter_as_owner(request, &asker))
        return;
    if (!spec || json_is_null(spec)) { /* a team that will hand in its bot */
        if (league_team(asker.league, name))
            respond_change(&asker, true, &error);
        else
            respond_change(&asker, league_invite(asker.league, name, NULL, &error), &error);
        return;
    }
    if (!json_is_string(spec)) {
        error_invalid(&error, "'player' must be the name of a built-in player, or null");
        league_refuse(&asker, &error);
        return;
    }
    TurfPlayer *player = open_built_in(&asker, name, json_string_value(spec));
    if (!player)
        return;
    bool is_good = league_add(asker.league, player, NULL, &error);
    turf_player_free(player);
    respond_change(&asker, is_good, &error);
}

void api_league_retire(Request *request)
{
    LeagueAsker asker;
    TurfError   error;
    if (request_read(request, "{}") && enter_as_owner(request, &asker) &&
        league_find_team(&asker, request->parts[0]))
        respond_change(&asker, league_retire(asker.league, request->parts[0], &error), &error);
}

void api_league_practice(Request *request)
{
    LeagueAsker       asker;
    TurfError         error;
    int               allows;
    const LeagueTeam *team;
    if (request_read(request, "{s:b}", "allows_practice", &allows) &&
        league_enter(request, &asker) && (team = league_find_team(&asker, request->parts[0])) &&
        league_check_team(&asker, team))
        respond_change(&asker, league_set_practice(asker.league, request->parts[0], allows, &error),
                       &error);
}

void api_league_freeze(Request *request)
{
    LeagueAsker asker;
    TurfError   error;
    int         is_frozen;
    if (!request_read(request, "{s:b}", "is_frozen", &is_frozen) ||
        !enter_as_owner(request, &asker))
        return;
    bool is_so = asker.league->is_frozen == (bool)is_frozen; /* asked for twice: fine */
    respond_change(&asker, is_so || league_freeze(asker.league, is_frozen, &error), &error);
}

void api_league_audience(Request *request)
{
    LeagueAsker    asker;
    TurfError      error;
    const char    *name;
    LeagueAudience audience;
    if (!request_read(request, "{s:s}", "audience", &name) || !enter_as_owner(request, &asker))
        return;
    if (!audience_named(name, &audience)) {
        error_invalid(&error, "'audience' must be nothing, table or games");
        league_refuse(&asker, &error);
        return;
    }
    respond_change(&asker, league_set_audience(asker.league, audience, &error), &error);
}

/* ---- playing ------------------------------------------------------------------------------- */

/* null, or an integer from 1; false: answered with an error. */
static bool read_limit(Request *request, const json_t *json, const char *name, json_int_t max,
                       json_int_t *limit)
{
    *limit = 0;
    if (!json || json_is_null(json))
        return true;
    *limit = json_is_integer(json) ? json_integer_value(json) : 0;
    return (*limit >= 1 && *limit <= max) ||
           respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                         "'%s' must be null or an integer from 1 to %lld", name, (long long)max);
}

/* Starts what is wished. Leaves. */
static void start(LeagueAsker *asker, const PlayWish *wish)
{
    Request *request = asker->request;
    ApiError api_error;
    league_leave(asker); /* the player's thread needs the file */
    if (!league_player_start(request->server, wish, &api_error))
        respond_api_error(request, &api_error);
    else if (league_enter(request, asker))
        respond_league(asker);
}

void api_league_play(Request *request)
{
    enum { MAX_GAMES = 1000000000, MAX_SECONDS = 366 * 86400 };
    LeagueAsker asker;
    json_t     *max_games = NULL, *for_s = NULL;
    json_int_t  n_games, seconds;
    if (!request_read(request, "{s?:o,s?:o}", "max_games", &max_games, "for_s", &for_s) ||
        !read_limit(request, max_games, "max_games", MAX_GAMES, &n_games) ||
        !read_limit(request, for_s, "for_s", MAX_SECONDS, &seconds) ||
        !enter_as_owner(request, &asker))
        return;
    PlayWish wish = {.max_games = (uint64_t)n_games, .for_s = seconds};
    start(&asker, &wish);
}

void api_league_stop(Request *request)
{
    LeagueAsker asker;
    TurfError   error;
    if (!request_read(request, "{}") || !enter_as_owner(request, &asker))
        return;
    league_leave(&asker);
    if (!league_player_stop(request->server)) {
        respond_error(request, MHD_HTTP_CONFLICT, "busy", "this server does not play the league");
        return;
    }
    if (league_enter(request, &asker))
        respond_change(&asker, league_set_wish(asker.league, WISH_NOTHING, &error), &error);
}

static bool read_schedule(const char *name, ScheduleKind *schedule)
{
    static const struct {
        const char  *name;
        ScheduleKind schedule;
    } known[] = {{"knock-out", SCHEDULE_KNOCK_OUT},
                 {"swiss", SCHEDULE_SWISS},
                 {"round-robin", SCHEDULE_PAIRS}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(name, known[i].name)) {
            *schedule = known[i].schedule;
            return true;
        }
    return false;
}

/* Nobody can have seen the starts: they are drawn with a new seed. */
static bool read_final(Request *request, FinalTerms *terms)
{
    enum { DEFAULT_BEST = 8, DEFAULT_GAMES = 4, MAX_BEST = 128, MAX_FINAL_GAMES = 1000 };
    const char *schedule = "knock-out";
    json_int_t  best = DEFAULT_BEST, games = DEFAULT_GAMES;
    if (!request_read(request, "{s?:s,s?:I,s?:I}", "schedule", &schedule, "best", &best, "games",
                      &games))
        return false;
    if (!read_schedule(schedule, &terms->schedule))
        return respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                             "'schedule' must be knock-out, swiss or round-robin");
    if (best < 2 || best > MAX_BEST)
        return respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                             "'best' must be an integer from 2 to %d", MAX_BEST);
    if (games < 2 || games > MAX_FINAL_GAMES || games % 2)
        return respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                             "'games' must be an even integer from 2 to %d: each start is played "
                             "from both sides",
                             MAX_FINAL_GAMES);
    terms->n_best = (size_t)best;
    terms->n_games = (uint64_t)games;
    terms->seed = token_seed();
    return true;
}

void api_league_final(Request *request)
{
    LeagueAsker asker;
    TurfError   error;
    PlayWish    wish = {.is_final = true};
    if (!read_final(request, &wish.final) || !enter_as_owner(request, &asker))
        return;
    if (!asker.league->unfinished_final && !plan_has_random_start(&asker.league->plan)) {
        error_invalid(&error, "every start of this league has been seen; 'turf league final "
                              "--starts FILE' plays a final with others");
        league_refuse(&asker, &error);
        return;
    }
    start(&asker, &wish);
}
