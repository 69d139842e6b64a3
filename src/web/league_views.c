/* The league as JSON; see league_views.h. Only reads, under the service's lock. */
#include "web/league_views.h"

#include "base/checked_json.h"
#include "base/stats.h"
#include "web/moment.h"

#include <string.h>

/* ---- the table ----------------------------------------------------------------------------- */

static json_t *bound_json(const Rating *rating, bool is_there, double value)
{
    return rating->status == RATED && is_there ? json_real(value) : json_null();
}

void view_put_rating(json_t **json, const Rating *rating)
{
    json_put(json, "rating", bound_json(rating, true, rating->elo.value));
    json_put(json, "low", bound_json(rating, rating->has_low, rating->elo.low));
    json_put(json, "high", bound_json(rating, rating->has_high, rating->elo.high));
}

void view_put_counts(json_t **json, const TurfTotals *totals)
{
    json_put(json, "games", json_integer((json_int_t)totals->n_games));
    json_put(json, "won", json_integer((json_int_t)totals->endings[TURF_WON_BY_FIRST]));
    json_put(json, "lost", json_integer((json_int_t)totals->endings[TURF_WON_BY_SECOND]));
    json_put(json, "drawn", json_integer((json_int_t)stats_draws(totals)));
}

static json_t *row_json(const League *league, const LeagueRow *row)
{
    static const Standing nothing = {.rating = {.status = UNRATED_NO_GAMES}};
    const Standing       *standing = row->standing ? row->standing : &nothing;
    const TurfTotals     *totals = &standing->totals;
    const char           *name = row->version ? row->version->name : row->team->name;
    json_t               *rank = row->rank ? json_integer((json_int_t)row->rank) : json_null();
    json_t *json = json_pack("{s:o,s:s,s:s,s:s}", "rank", rank, "team", row->team->name, "name",
                             name, "status", row->status);
    json_put(&json, "version", row->version ? json_integer(row->version->number) : json_null());
    view_put_rating(&json, &standing->rating);
    view_put_counts(&json, totals);
    json_put(&json, "forfeited", json_integer((json_int_t)stats_forfeits(totals, 0)));
    json_put(&json, "score", totals->n_games ? json_real(stats_score(totals).value) : json_null());
    json_put(&json, "n_versions", json_integer((json_int_t)row->team->n_versions));
    bool is_home = row->version && version_is_home(row->version);
    json_put(&json, "is_home", json_boolean(is_home));
    json_put(&json, "is_connected",
             is_home ? json_boolean(league_may_play(league, row->version)) : json_null());
    json_put(&json, "allows_practice", json_boolean(row->team->allows_practice));
    return json;
}

json_t *league_view_rows(const League *league, const LeagueRows *rows)
{
    json_t *list = json_array();
    for (size_t i = 0; i < rows->n; i++)
        json_add(&list, row_json(league, &rows->list[i]));
    return list;
}

/* ---- the whole ----------------------------------------------------------------------------- */

static json_t *rules_json(const Plan *plan)
{
    json_t *json = json_pack(
        "{s:s?,s:I,s:I,s:I,s:s}", "start", plan->n_starts == 1 ? plan->starts[0] : NULL, "starts",
        (json_int_t)plan->n_starts, "time_ms", (json_int_t)plan->time_ms, "move_cap_ms",
        (json_int_t)plan->move_cap_ms, "sandbox", plan->sandbox ? plan->sandbox : "require");
    return json;
}

static size_t n_waiting(const LeagueRows *rows)
{
    size_t n = 0;
    for (size_t i = 0; i < rows->n; i++)
        n +=
            rows->list[i].version && !rows->list[i].standing && rows->list[i].version->retired == 0;
    return n;
}

/* How many teams can play: a bot that neither rests nor is away. */
static size_t n_able(const League *league, const LeagueRows *rows)
{
    size_t n = 0;
    for (size_t i = 0; i < rows->n; i++) {
        const LeagueVersion *version = rows->list[i].version;
        n += version && version->retired == 0 && strcmp(rows->list[i].status, "rests") != 0 &&
             league_may_play(league, version);
    }
    return n;
}

/* Why it is not played; without the folder of the database. */
static json_t *error_json(const League *league, const TurfError *error)
{
    const char *path = store_path(league->store), *slash = strrchr(path, '/');
    char        text[sizeof error->text];
    size_t      length = 0, n_folder = slash ? (size_t)(slash + 1 - path) : 0;
    if (!error->code)
        return json_null();
    for (const char *at = error->text; *at;) {
        if (n_folder > 0 && !strncmp(at, path, n_folder))
            at += n_folder;
        else
            text[length++] = *at++;
    }
    text[length] = '\0';
    return json_sentence(text);
}

typedef struct Unfinished {
    const League *league;
    json_t       *list;
} Unfinished;

static bool add_unfinished(void *context, const char *const names[2], uint64_t n_games,
                           uint64_t n_played)
{
    Unfinished          *unfinished = context;
    const League        *league = unfinished->league;
    const LeagueVersion *one = league_version(league, names[0]),
                        *other = league_version(league, names[1]);
    if (one && other)
        json_add(&unfinished->list,
                 json_pack("{s:[s,s],s:I,s:I}", "teams", league->teams[one->team].name,
                           league->teams[other->team].name, "n_games", (json_int_t)n_games,
                           "n_played", (json_int_t)n_played));
    return unfinished->list != NULL;
}

json_t *league_view_now(const League *league, TurfError *error)
{
    enum { MAX_NOW = 20 };
    Unfinished unfinished = {league, json_array()};
    int64_t    run = league->unfinished_final ? league->unfinished_final : league->unfinished;
    if (run &&
        !league_games_unfinished(league->store, run, MAX_NOW, add_unfinished, &unfinished, error)) {
        json_decref(unfinished.list);
        return NULL;
    }
    if (!unfinished.list)
        error_no_memory(error);
    return unfinished.list;
}

/* Lists of games, for those who may see them. */
static void put_games(json_t **json, const LeagueSight *sight, LeagueViewer viewer)
{
    static const struct {
        const char *name;
        GameOrder   order;
    } lists[] = {{"latest", GAMES_NEWEST}, {"closest", GAMES_CLOSEST}, {"upsets", GAMES_UPSETS}};
    bool may_see = viewer == FOR_INSIDERS || sight->league->audience == AUDIENCE_GAMES;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        json_put(json, lists[i].name,
                 may_see ? game_list_json(sight->games, sight->league, sight->rows->all,
                                          lists[i].order, 0, SHOWN_GAMES, NULL)
                         : json_array());
}

json_t *league_view(const LeagueSight *sight, LeagueViewer viewer)
{
    const League   *league = sight->league;
    const TurfGame *game = league->plan.game;
    bool            is_elsewhere = sight->is_locked && !sight->is_playing;
    json_t         *json =
        json_pack("{s:s,s:s,s:o,s:s,s:b,s:b,s:b,s:o,s:I,s:I,s:I,s:o,s:o}", "game", game->name,
                  "title", game->title, "created_at", moment_json(league->created * 1000),
                  "audience", audience_names[league->audience], "is_frozen", (int)league->is_frozen,
                  "is_playing", (int)sight->is_playing, "can_play",
                  (int)(!is_elsewhere && n_able(league, sight->rows) >= 2), "error",
                  viewer == FOR_INSIDERS ? error_json(league, &sight->error) : json_null(), "round",
                  (json_int_t)league->next_round - 1, "n_games", (json_int_t)league_n_games(league),
                  "n_waiting", (json_int_t)n_waiting(sight->rows), "rules",
                  rules_json(&league->plan), "table", league_view_rows(league, sight->rows));
    json_put(&json, "is_played_elsewhere", json_boolean(is_elsewhere));
    json_put(&json, "now", json_incref(sight->now));
    json_put(&json, "final", json_incref(sight->final));
    put_games(&json, sight, viewer);
    return json;
}
