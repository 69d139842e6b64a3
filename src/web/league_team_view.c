/* The page of a team: its versions, ratings after each round, and results by opponent and side; for
 * itself also what its bots wrote before they forfeited, its times and submissions. Reads from the
 * store, under the lock of the league's service. */
#include "web/league_team_view.h"

#include "base/checked_json.h"
#include "base/error.h"
#include "base/stats.h"
#include "games/totals.h"
#include "league/submission.h"
#include "store/league_games.h"
#include "store/records.h"
#include "web/league_views.h"
#include "web/moment.h"
#include "web/record.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_POINTS = 300,
    MAX_LAST_WORDS = 20,
    TIMED_GAMES = 50,
    MAX_SUBMISSIONS = 20,
    MAX_LOOKED_AT = 20000
};

/* ---- versions ------------------------------------------------------------------------------ */

static const Standing *standing_of(const LeagueRows *rows, const LeagueVersion *version)
{
    for (size_t i = 0; i < rows->all->n; i++)
        if (!strcmp(rows->all->list[i].name, version->name))
            return &rows->all->list[i];
    return NULL;
}

static const char *language_of(const char *file_name)
{
    static const char *const languages[][2] = {
        {".py", "Python"}, {".js", "JavaScript"}, {".mjs", "JavaScript"}, {".c", "C"},
        {".cc", "C++"},    {".cpp", "C++"},       {".java", "Java"},      {".pl", "Prolog"}};
    const char *dot = strrchr(file_name, '.');
    for (size_t i = 0; dot && i < sizeof languages / sizeof *languages; i++)
        if (!strcmp(dot, languages[i][0]))
            return languages[i][1];
    return NULL;
}

static json_t *language_json(const League *league, const LeagueVersion *version)
{
    SubmissionRecord submission;
    TurfError        unused;
    if (!version->submission ||
        !submissions_find(league->store, version->submission, &submission, &unused))
        return json_null();
    const char *language = language_of(submission.file_name);
    json_t     *json = language ? json_string(language) : json_null();
    submission_record_release(&submission);
    return json;
}

static json_t *version_json(const League *league, const LeagueRows *rows,
                            const LeagueVersion *version)
{
    static const Standing nothing = {.rating = {.status = UNRATED_NO_GAMES}};
    const Standing       *found = standing_of(rows, version);
    const Standing       *standing = found ? found : &nothing;
    json_t               *json =
        json_pack("{s:i,s:o,s:o,s:b,s:o,s:b}", "version", version->number, "created_at",
                  moment_json(version->created * 1000), "retired_at",
                  version->retired ? moment_json(version->retired * 1000) : json_null(),
                  "is_playing", (int)(version->retired == 0), "language",
                  language_json(league, version), "is_home", (int)version_is_home(version));
    view_put_rating(&json, &standing->rating);
    view_put_counts(&json, &standing->totals);
    json_put(&json, "forfeits", json_forfeits(&standing->totals, 0));
    return json;
}

static json_t *versions_json(const League *league, const LeagueRows *rows, size_t team)
{
    json_t *list = json_array();
    for (size_t i = league->n_versions; i-- > 0;)
        if (league->versions[i].team == team)
            json_add(&list, version_json(league, rows, &league->versions[i]));
    return list;
}

/* ---- ratings over time --------------------------------------------------------------------- */

static int number_of(const League *league, int64_t id)
{
    for (size_t i = 0; i < league->n_versions; i++)
        if (league->versions[i].id == id)
            return league->versions[i].number;
    return 0;
}

static json_t *point_json(const League *league, const RatingRecord *rating)
{
    return json_pack(
        "{s:I,s:o,s:i,s:f,s:o,s:o,s:I}", "round", (json_int_t)rating->round, "at",
        moment_json(rating->created * 1000), "version", number_of(league, rating->version),
        "rating", rating->elo, "low", json_real_or_null(rating->has_low, rating->low), "high",
        json_real_or_null(rating->has_high, rating->high), "games", (json_int_t)rating->n_games);
}

/* Evenly chosen if there are many; the last one always, and the first of each version. */
static json_t *history_json(const League *league, const LeagueTeam *team, TurfError *error)
{
    RatingRecord *ratings;
    size_t        n;
    json_t       *list = json_array();
    if (!leagues_ratings(league->store, team->id, &ratings, &n, error)) {
        json_decref(list);
        return NULL;
    }
    size_t step = n / MAX_POINTS + 1;
    for (size_t i = 0; i < n; i++)
        if ((n - 1 - i) % step == 0 || i == 0 || ratings[i].version != ratings[i - 1].version)
            json_add(&list, point_json(league, &ratings[i]));
    free(ratings);
    if (!list)
        error_no_memory(error);
    return list;
}

/* ---- opponents ----------------------------------------------------------------------------- */

/* `sides`: of this team; [0] has the games in which it moved first. */
static json_t *opponent_json(const char *name, const TurfTotals sides[2])
{
    static const char *const keys[2] = {"as_first", "as_second"};
    TurfTotals               both = totals_of_sides(sides);
    json_t                  *json = json_pack("{s:s}", "team", name);
    view_put_counts(&json, &both);
    for (int side = 0; side < 2; side++) {
        json_t *part = json_object();
        view_put_counts(&part, &sides[side]);
        json_put(&json, keys[side], part);
    }
    return json;
}

static void add_result(TurfTotals (*sums)[2], const League *league, const LeagueResult *result,
                       size_t team)
{
    size_t first = league->versions[result->first].team,
           second = league->versions[result->second].team;
    if (first == second)
        return; /* two versions of the same team */
    for (int side = 0; side < 2; side++) {
        TurfTotals totals = result->totals[side];
        if (first == team) {
            totals_add(&sums[second][side], &totals);
        } else if (second == team) { /* it moved first where the other did not */
            totals = totals_exchanged(&totals);
            totals_add(&sums[first][!side], &totals);
        }
    }
}

static json_t *opponents_json(const League *league, size_t team)
{
    TurfTotals(*sums)[2] = calloc(league->n_teams + 1, sizeof *sums);
    json_t *list = sums ? json_array() : NULL;
    for (size_t i = 0; sums && i < league->n_teams; i++)
        sums[i][0] = sums[i][1] = TOTALS_NONE;
    for (size_t i = 0; sums && i < league->n_results; i++)
        add_result(sums, league, &league->results[i], team);
    for (size_t i = 0; sums && i < league->n_teams; i++)
        if (sums[i][0].n_games + sums[i][1].n_games > 0)
            json_add(&list, opponent_json(league->teams[i].name, sums[i]));
    free(sums);
    return list;
}

/* ---- for the team alone -------------------------------------------------------------------- */

static bool add_last_words(void *context, const LeagueGame *game)
{
    json_t **list = context;
    char     id[RECORD_ID_BYTES];
    (void)snprintf(id, sizeof id, "r-%lld", (long long)game->game.id);
    json_add(list, json_pack("{s:s,s:s,s:s,s:s}", "game", id, "reason",
                             game->game.reason ? game->game.reason : "", "explanation",
                             game->game.explanation ? game->game.explanation : "", "text",
                             game->last_words ? game->last_words : ""));
    return *list != NULL;
}

typedef struct Times {
    const League *league;
    size_t        team;
    int64_t       sum_ms, max_ms, n;
    bool          has_failed;
} Times;

static bool add_times(void *context, const LeagueGame *game)
{
    Times               *times = context;
    const LeagueVersion *first = league_version(times->league, game->game.names[0]);
    TurfSide             side = first && first->team == times->team ? TURF_FIRST : TURF_SECOND;
    Record               record;
    TurfError            error = {0};
    if (!record_of_game(&game->game, &record, &error)) {
        times->has_failed = error.code == TURF_ERROR_NO_MEMORY;
        return !times->has_failed;
    }
    for (size_t i = 0; i < record.history.n_plies; i++) {
        const PlayedPly *played = &record.history.plies[i];
        bool             is_both = played->cells; /* then the time is that of the slower */
        if (!is_both && played->ply.side != (int)side)
            continue;
        times->sum_ms += played->ms;
        times->max_ms = played->ms > times->max_ms ? played->ms : times->max_ms;
        times->n++;
    }
    record_release(&record);
    return true;
}

static json_t *times_json(const League *league, const LeagueTeam *team, int64_t after_id,
                          TurfError *error)
{
    Times            times = {.league = league, .team = (size_t)(team - league->teams)};
    LeagueGameFilter filter = {.team = team->name, .after_id = after_id, .limit = TIMED_GAMES};
    if (!league_games_each(league->store, &filter, add_times, &times, error))
        return NULL;
    json_t *json = json_pack(
        "{s:o,s:I}", "mean_ms",
        json_real_or_null(times.n > 0, times.n ? (double)times.sum_ms / (double)times.n : 0),
        "max_ms", (json_int_t)times.max_ms);
    if (!json || times.has_failed)
        error_no_memory(error);
    json_keep_if(&json, times.has_failed);
    return json;
}

static json_t *submissions_json(const League *league, const LeagueTeam *team, TurfError *error)
{
    SubmissionRecord *list;
    size_t            n;
    json_t           *json = json_array();
    if (!submissions_of_team(league->store, team->id, MAX_SUBMISSIONS, &list, &n, error)) {
        json_decref(json);
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        json_add(&json, submission_json(&list[i], false));
    submissions_free(list, n);
    if (!json)
        error_no_memory(error);
    return json;
}

static bool put_private(json_t **json, const League *league, const LeagueTeam *team,
                        TurfError *error)
{
    json_t          *words = json_array(), *times = NULL, *submissions = NULL;
    LeagueGameFilter filter = {
        .kind = LEAGUE_GAMES_FORFEITS, .team = team->name, .limit = MAX_LAST_WORDS};
    int64_t last = 0; /* not all games of years are looked at */
    bool    is_read = records_last_game(league->store, &last, error);
    filter.after_id = last > MAX_LOOKED_AT ? last - MAX_LOOKED_AT : 0;
    bool is_good = is_read &&
                   league_games_each(league->store, &filter, add_last_words, &words, error) &&
                   (words || error_no_memory(error)) &&
                   (times = times_json(league, team, filter.after_id, error)) &&
                   (submissions = submissions_json(league, team, error));
    if (!is_good) {
        json_decref(words);
        json_decref(times);
        return false;
    }
    json_put(json, "last_words", words);
    json_put(json, "times", times);
    json_put(json, "submissions", submissions);
    return *json || error_no_memory(error);
}

json_t *league_team_view(const League *league, const LeagueRows *rows, const LeagueTeam *team,
                         bool is_own, TurfError *error)
{
    size_t      index = (size_t)(team - league->teams);
    const char *status = "waits";
    for (size_t i = 0; i < rows->n; i++)
        if (rows->list[i].team == team)
            status = rows->list[i].status;
    json_t *history = history_json(league, team, error);
    if (!history)
        return NULL;
    bool is_home = team->current != NO_VERSION && version_is_home(&league->versions[team->current]);
    json_t *json = json_pack("{s:s,s:s,s:o,s:o,s:o,s:b,s:b}", "team", team->name, "status", status,
                             "versions", versions_json(league, rows, index), "history", history,
                             "opponents", opponents_json(league, index), "allows_practice",
                             (int)team->allows_practice, "is_home", (int)is_home);
    if (!json)
        error_no_memory(error);
    if (json && is_own && !put_private(&json, league, team, error))
        json_keep_if(&json, true);
    return json;
}
