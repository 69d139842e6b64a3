/* The handlers of /api/league: the league as its audience, its teams and its owner see it, and what
 * the owner may do. They run in the pool of readers, under the service's lock. */
#include "web/api_league.h"

#include "base/checked_json.h"
#include "base/error.h"
#include "store/records.h"
#include "web/league_team_view.h"
#include "web/league_views.h"
#include "web/team_access.h"

#include <stdlib.h>
#include <string.h>

/* ---- showing ------------------------------------------------------------------------------- */

static LeagueViewer viewer_of(const LeagueAsker *asker)
{
    return asker->role == ROLE_VISITOR ? FOR_VISITORS : FOR_INSIDERS;
}

static char *you_text(const LeagueAsker *asker)
{
    static const char *const roles[] = {"visitor", "team", "owner"};
    json_t                  *you = json_pack("{s:s,s:s?}", "role", roles[asker->role], "team",
                            asker->own ? asker->own->name : NULL);
    char                    *text = json_checked_text(you, JSON_COMPACT);
    json_decref(you);
    return text;
}

/* The text was made when the league was read. */
void respond_league(LeagueAsker *asker)
{
    Request    *request = asker->request;
    const char *text = request->server->league->texts[viewer_of(asker)];
    char       *you = you_text(asker), *whole = NULL;
    if (you && asprintf(&whole, "%.*s,\"you\":%s}", (int)strlen(text) - 1, text, you) < 0)
        whole = NULL;
    league_leave(asker);
    free(you);
    respond_text(request, MHD_HTTP_OK, "application/json", whole);
}

void api_league(Request *request)
{
    LeagueAsker asker;
    if (league_enter(request, &asker) && league_check_audience(&asker, AUDIENCE_TABLE))
        respond_league(&asker);
}

static json_t *make_snapshot(void *view) { return json_incref(view); }

void api_league_events(Request *request)
{
    LeagueAsker asker;
    if (!league_enter(request, &asker) || !league_check_audience(&asker, AUDIENCE_TABLE))
        return;
    LeagueService       *service = request->server->league;
    LeagueViewer         viewer = viewer_of(&asker);
    struct MHD_Response *response =
        channel_subscribe(service->channels[viewer], request->connection, NULL, "league",
                          make_snapshot, service->views[viewer]);
    league_leave(&asker);
    if (response)
        respond_stream(request, response);
    else
        respond_no_memory(request);
}

/* ---- the table ----------------------------------------------------------------------------- */

static char *grades_text(const League *league)
{
    char  *text = NULL;
    size_t length;
    FILE  *out = open_memstream(&text, &length);
    bool   is_good = out && league_write_grades(league, out) && !ferror(out);
    if (out && fclose(out))
        is_good = false;
    if (!is_good) {
        free(text);
        text = NULL;
    }
    return text;
}

void api_league_table(Request *request)
{
    LeagueAsker asker;
    const char *format = request_parameter(request, "format");
    bool        is_csv = format && !strcmp(format, "csv");
    if (format && !is_csv && strcmp(format, "json") != 0) {
        respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request", "'format' must be json or csv");
        return;
    }
    if (!league_enter(request, &asker) || !league_check_audience(&asker, AUDIENCE_TABLE) ||
        (is_csv && !league_check_owner(&asker)))
        return;
    char   *text = is_csv ? grades_text(asker.league) : NULL;
    json_t *json = is_csv ? NULL : league_json(asker.league, false);
    league_leave(&asker);
    if (is_csv) {
        respond_text(request, MHD_HTTP_OK, "text/csv; charset=utf-8", text);
        respond_header(request, "Content-Disposition", "attachment; filename=\"grades.csv\"");
    } else {
        respond_json(request, MHD_HTTP_OK, json);
    }
}

/* ---- games --------------------------------------------------------------------------------- */

typedef struct GamesRequest {
    LeagueGameFilter filter;
    GameOrder        order;
    int64_t          limit, from; /* from: of an order that is not by time */
} GamesRequest;

/* False: answered with an error. */
static bool read_kind(Request *request, GamesRequest *wanted)
{
    static const struct {
        const char    *name;
        LeagueGameKind kind;
        GameOrder      order;
    } kinds[] = {{"newest", LEAGUE_GAMES_ALL, GAMES_NEWEST},
                 {"closest", LEAGUE_GAMES_ALL, GAMES_CLOSEST},
                 {"upsets", LEAGUE_GAMES_ALL, GAMES_UPSETS},
                 {"lost", LEAGUE_GAMES_LOST, GAMES_NEWEST},
                 {"forfeits", LEAGUE_GAMES_FORFEITS, GAMES_NEWEST},
                 {"final", LEAGUE_GAMES_FINAL, GAMES_NEWEST}};
    const char *name = request_parameter(request, "kind");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(name ? name : "newest", kinds[i].name)) {
            wanted->filter.kind = kinds[i].kind;
            wanted->order = kinds[i].order;
            return true;
        }
    return respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                         "'kind' must be newest, closest, upsets, lost, forfeits or final");
}

static bool read_games_request(Request *request, GamesRequest *wanted)
{
    int64_t before = 0;
    *wanted = (GamesRequest){.limit = DEFAULT_LIST};
    if (!read_kind(request, wanted) ||
        !request_number(request, "limit", 1, MAX_LIST, &wanted->limit) ||
        !request_number(request, "before", 1, INT64_MAX, &before))
        return false;
    bool is_by_time = wanted->order == GAMES_NEWEST;
    wanted->filter.team = request_parameter(request, "team");
    wanted->filter.opponent = request_parameter(request, "opponent");
    wanted->filter.limit = is_by_time ? wanted->limit : RECENT_GAMES;
    wanted->filter.before_id = is_by_time ? before : 0;
    wanted->from = is_by_time ? 0 : before;
    if (wanted->filter.kind == LEAGUE_GAMES_LOST && !wanted->filter.team)
        return respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                             "kind=lost needs a 'team'");
    return true;
}

/* A page looks at so many games at most; the league is locked meanwhile. */
enum { MAX_LOOKED_AT = 100000 };

/* Where to stop looking. */
static bool set_bound(const League *league, LeagueGameFilter *filter, TurfError *error)
{
    int64_t last = filter->before_id;
    if (last == 0 && !records_last_game(league->store, &last, error))
        return false;
    filter->after_id = last > MAX_LOOKED_AT ? last - MAX_LOOKED_AT : 0;
    return true;
}

/* The closest games and the upsets are those of the latest RECENT_GAMES that match. */
static json_t *games_json(Server *server, const League *league, const GamesRequest *wanted,
                          TurfError *error)
{
    LeagueService   *service = server->league;
    bool             is_by_time = wanted->order == GAMES_NEWEST, has_more = false;
    bool             is_known = !is_by_time && !wanted->filter.team && !wanted->filter.opponent;
    int64_t          next = 0;
    GameList        *read = is_known ? NULL : calloc(1, sizeof *read);
    LeagueGameFilter filter = wanted->filter;
    if (!is_known && !read) {
        error_no_memory(error);
        return NULL;
    }
    if (read && (!set_bound(league, &filter, error) ||
                 !game_list_read(read, league, &filter, &next, error))) {
        free(read);
        return NULL;
    }
    json_t *games =
        game_list_json(read ? read : &service->games, league, service->rows->all, wanted->order,
                       (size_t)wanted->from, (size_t)wanted->limit, &has_more);
    if (read)
        game_list_release(read);
    free(read);
    if (next == 0 && filter.after_id > 0)
        next = filter.after_id + 1; /* it goes on further back */
    if (!is_by_time)
        next = has_more ? wanted->from + wanted->limit : 0;
    json_t *json = json_pack("{s:o,s:o}", "games", games, "next",
                             next ? json_sprintf("%lld", (long long)next) : json_null());
    if (!json)
        error_no_memory(error);
    return json;
}

void api_league_games(Request *request)
{
    LeagueAsker  asker;
    GamesRequest wanted;
    TurfError    error;
    if (!read_games_request(request, &wanted) || !league_enter(request, &asker) ||
        !league_check_audience(&asker, AUDIENCE_GAMES))
        return;
    json_t *json = games_json(request->server, asker.league, &wanted, &error);
    if (!json) {
        league_refuse(&asker, &error);
        return;
    }
    league_leave(&asker);
    respond_json(request, MHD_HTTP_OK, json);
}

/* ---- teams --------------------------------------------------------------------------------- */

void api_league_team(Request *request)
{
    LeagueAsker       asker;
    TurfError         error;
    const LeagueTeam *team;
    if (!league_enter(request, &asker) || !league_check_audience(&asker, AUDIENCE_TABLE) ||
        !(team = league_find_team(&asker, request->parts[0])))
        return;
    bool    is_own = asker.role == ROLE_OWNER || asker.own == team;
    json_t *json =
        league_team_view(asker.league, request->server->league->rows, team, is_own, &error);
    if (!json) {
        league_refuse(&asker, &error);
        return;
    }
    league_leave(&asker);
    respond_json(request, MHD_HTTP_OK, json);
}

typedef struct OwnLog {
    const League     *league;
    const LeagueTeam *team;
    json_t           *json; /* NULL: not a game of the team, or out of memory */
    bool              is_own;
} OwnLog;

static bool read_log(void *context, const LeagueGame *game)
{
    OwnLog *log = context;
    for (int side = 0; side < 2; side++) {
        const LeagueVersion *version = league_version(log->league, game->game.names[side]);
        if (!version || &log->league->teams[version->team] != log->team)
            continue;
        bool has_forfeited = game->game.forfeiter == side;
        log->is_own = true;
        log->json =
            json_pack("{s:s?,s:s?,s:s?}", "reason", has_forfeited ? game->game.reason : NULL,
                      "explanation", has_forfeited ? game->game.explanation : NULL, "text",
                      has_forfeited ? game->last_words : NULL);
    }
    return false;
}

/* What the team's bot wrote to standard error before it forfeited; of other games nothing is kept.
 */
void api_league_log(Request *request)
{
    LeagueAsker asker;
    TurfError   error;
    OwnLog      log = {.is_own = false};
    char       *end = NULL;
    if (!league_enter(request, &asker) ||
        !(log.team = league_find_team(&asker, request->parts[0])) ||
        !league_check_team(&asker, log.team))
        return;
    log.league = asker.league;
    const char *id = request->parts[1];
    long long   number = !strncmp(id, "r-", 2) ? strtoll(id + 2, &end, 10) : 0;
    error_not_found(&error, "there is no such game of this team");
    bool is_good = end && !*end && number > 0 &&
                   league_games_find(asker.league->store, number, read_log, &log, &error);
    if (is_good && !log.is_own)
        is_good = error_not_found(&error, "there is no such game of this team");
    if (!is_good) {
        league_refuse(&asker, &error);
        return;
    }
    league_leave(&asker);
    respond_json(request, MHD_HTTP_OK, log.json);
}
