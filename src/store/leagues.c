/* The tables leagues, league_teams, league_versions and league_rounds. Rows are added and retired,
 * never deleted: what a version has played stays its own. The results of rounds are added up by
 * SQLite from the columns of `games` before the long ones, so that a table does not read moves. */
#include "store/leagues.h"

#include "base/error.h"
#include "games/totals.h"
#include "store/records.h"
#include "store/sql.h"
#include "store/submissions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FIRST_WITH_LEAGUES = 4, FIRST_WITH_PRACTICE = 6 };

const char *const audience_names[N_AUDIENCES] = {"nothing", "table", "games"};

/* ---- writing ------------------------------------------------------------------------------ */

bool leagues_add(Store *store, const LeagueRecord *league, TurfError *error)
{
    Query query;
    if (!query_open(&query, store,
                    "INSERT INTO leagues(id, plan, audience, created) VALUES(1,?,?,?)", error))
        return false;
    query_bind_text(&query, league->plan);
    query_bind_text(&query, audience_names[league->audience]);
    query_bind_number(&query, (int64_t)time(NULL));
    return query_run(&query, error);
}

static bool set_number(Store *store, const char *sql, int64_t value, TurfError *error)
{
    Query query;
    if (!query_open(&query, store, sql, error))
        return false;
    query_bind_number(&query, value);
    return query_run(&query, error);
}

bool leagues_set_frozen(Store *store, bool is_frozen, TurfError *error)
{
    return set_number(store, "UPDATE leagues SET is_frozen=?", is_frozen, error);
}

bool leagues_set_wish(Store *store, LeagueWish wish, TurfError *error)
{
    return set_number(store, "UPDATE leagues SET wish=?", wish, error);
}

bool leagues_set_audience(Store *store, LeagueAudience audience, TurfError *error)
{
    Query query;
    if (!query_open(&query, store, "UPDATE leagues SET audience=?", error))
        return false;
    query_bind_text(&query, audience_names[audience]);
    return query_run(&query, error);
}

bool leagues_set_practice(Store *store, int64_t team, bool allows_practice, TurfError *error)
{
    Query query;
    if (!query_open(&query, store, "UPDATE league_teams SET allows_practice=? WHERE id=?", error))
        return false;
    query_bind_number(&query, allows_practice);
    query_bind_number(&query, team);
    return query_run(&query, error);
}

bool leagues_add_team(Store *store, TeamRecord *team, TurfError *error)
{
    Query query;
    if (!query_open(&query, store,
                    "INSERT INTO league_teams(name, token_hash, created) VALUES(?,?,?)", error))
        return false;
    team->created = (int64_t)time(NULL);
    query_bind_text(&query, team->name);
    query_bind_text(&query, team->token_hash);
    query_bind_number(&query, team->created);
    if (!query_run(&query, error))
        return false;
    team->id = sql_last_id(store);
    return true;
}

bool leagues_add_version(Store *store, VersionRecord *version, TurfError *error)
{
    Query query;
    if (!query_open(&query, store,
                    "INSERT INTO league_versions(team, version, spec, folder, signature, created)"
                    " VALUES(?,?,?,?,?,?)",
                    error))
        return false;
    version->created = (int64_t)time(NULL);
    query_bind_number(&query, version->team);
    query_bind_number(&query, version->number);
    query_bind_text(&query, version->spec);
    query_bind_text(&query, version->folder);
    query_bind_text(&query, version->signature);
    query_bind_number(&query, version->created);
    if (!query_run(&query, error))
        return false;
    version->id = sql_last_id(store);
    return true;
}

bool leagues_set_token(Store *store, int64_t team, const char *token_hash, TurfError *error)
{
    Query query;
    if (!query_open(&query, store, "UPDATE league_teams SET token_hash=? WHERE id=?", error))
        return false;
    query_bind_text(&query, token_hash);
    query_bind_number(&query, team);
    return query_run(&query, error);
}

bool leagues_retire(Store *store, int64_t team, TurfError *error)
{
    Query query;
    if (!query_open(&query, store,
                    "UPDATE league_versions SET retired=max(created, ?) WHERE team=? AND retired IS"
                    " NULL",
                    error))
        return false;
    query_bind_number(&query, (int64_t)time(NULL));
    query_bind_number(&query, team);
    return query_run(&query, error);
}

bool leagues_add_rating(Store *store, RatingRecord *rating, TurfError *error)
{
    Query query;
    if (!query_open(&query, store,
                    "INSERT OR REPLACE INTO league_ratings(version, round, elo, low, high, n_games,"
                    " created) VALUES(?,?,?,iif(?,?,NULL),iif(?,?,NULL),?,?)",
                    error))
        return false;
    rating->created = (int64_t)time(NULL);
    query_bind_number(&query, rating->version);
    query_bind_number(&query, rating->round);
    query_bind_real(&query, rating->elo);
    query_bind_number(&query, rating->has_low);
    query_bind_real(&query, rating->low);
    query_bind_number(&query, rating->has_high);
    query_bind_real(&query, rating->high);
    query_bind_number(&query, (int64_t)rating->n_games);
    query_bind_number(&query, rating->created);
    return query_run(&query, error);
}

/* ---- reading ------------------------------------------------------------------------------ */

bool audience_named(const char *name, LeagueAudience *audience)
{
    for (int i = 0; i < N_AUDIENCES; i++)
        if (!strcmp(name, audience_names[i])) {
            *audience = (LeagueAudience)i;
            return true;
        }
    return false;
}

static LeagueAudience read_audience(Query *query)
{
    LeagueAudience audience = AUDIENCE_NOTHING;
    query_check(query, audience_named(query_text(query, "leagues.audience"), &audience),
                "leagues.audience");
    return audience;
}

static bool read_league(void *context, Query *query)
{
    LeagueRecord *league = context;
    league->plan = query_copy(query, "leagues.plan");
    league->audience = read_audience(query);
    league->created = query_number_in(query, 0, MAX_STORED_SECONDS, "leagues.created");
    league->is_frozen = query_flag(query, "leagues.is_frozen");
    league->wish = (LeagueWish)query_number_in(query, 0, WISH_FINAL, "leagues.wish");
    return true;
}

bool leagues_read(Store *store, LeagueRecord *league, TurfError *error)
{
    Query query;
    char  quoted[ERROR_QUOTE_BYTES], missing[160];
    *league = (LeagueRecord){0};
    error_quote(quoted, store_path(store));
    (void)snprintf(missing, sizeof missing,
                   "there is no league in '%s'; type: turf league new %s GAME", quoted, quoted);
    if (store->n_migrations < FIRST_WITH_LEAGUES)
        return error_not_found(error, "%s", missing);
    bool knows_all = store->n_migrations >= FIRST_WITH_PRACTICE;
    if (!query_open(&query, store,
                    knows_all ? "SELECT plan, audience, created, is_frozen, wish FROM leagues "
                                "WHERE id=1"
                              : "SELECT plan, audience, created, is_frozen, 0 FROM leagues WHERE "
                                "id=1",
                    error))
        return false;
    if (!query_visit_one(&query, read_league, league, missing, error)) {
        free(league->plan);
        league->plan = NULL;
        return false;
    }
    return league->plan || error_no_memory(error);
}

static bool read_team(Query *query, void *item)
{
    TeamRecord *team = item;
    team->id = query_number_in(query, 1, INT64_MAX, "league_teams.id");
    team->name = query_copy(query, "league_teams.name");
    const char *hash = query_text_or_null(query, "league_teams.token_hash");
    team->token_hash = hash ? strdup(hash) : NULL;
    team->created = query_number_in(query, 0, MAX_STORED_SECONDS, "league_teams.created");
    team->allows_practice = query_flag(query, "league_teams.allows_practice");
    return team->name && (team->token_hash || !hash);
}

void teams_free(TeamRecord *teams, size_t n_teams)
{
    for (size_t i = 0; i < n_teams; i++) {
        free(teams[i].name);
        free(teams[i].token_hash);
    }
    free(teams);
}

bool leagues_teams(Store *store, TeamRecord **teams, size_t *n_teams, TurfError *error)
{
    Query query;
    *teams = NULL;
    *n_teams = 0;
    bool knows_all = store->n_migrations >= FIRST_WITH_PRACTICE;
    if (!query_open(
            &query, store,
            knows_all
                ? "SELECT id, name, token_hash, created, allows_practice FROM league_teams ORDER "
                  "BY id"
                : "SELECT id, name, token_hash, created, 0 FROM league_teams ORDER BY id",
            error))
        return false;
    if (query_read_list(&query, read_team, sizeof **teams, (void **)teams, n_teams, error))
        return true;
    teams_free(*teams, *n_teams);
    *teams = NULL;
    *n_teams = 0;
    return false;
}

static bool read_version(Query *query, void *item)
{
    VersionRecord *version = item;
    version->id = query_number_in(query, 1, INT64_MAX, "league_versions.id");
    version->team = query_number_in(query, 1, INT64_MAX, "league_versions.team");
    version->number =
        (int)query_number_in(query, 1, MAX_LEAGUE_VERSIONS, "league_versions.version");
    version->spec = query_copy(query, "league_versions.spec");
    const char *folder = query_text_or_null(query, "league_versions.folder");
    version->folder = folder ? strdup(folder) : NULL;
    const char *signature = query_text_or_null(query, "league_versions.signature");
    version->signature = signature ? strdup(signature) : NULL;
    version->created = query_number_in(query, 0, MAX_STORED_SECONDS, "league_versions.created");
    version->retired = query_number_in(query, 0, MAX_STORED_SECONDS, "league_versions.retired");
    version->submission = query_number_in(query, 0, INT64_MAX, "league_submissions.id");
    return version->spec && (version->folder || !folder) && (version->signature || !signature);
}

void versions_free(VersionRecord *versions, size_t n_versions)
{
    for (size_t i = 0; i < n_versions; i++) {
        free(versions[i].spec);
        free(versions[i].folder);
        free(versions[i].signature);
    }
    free(versions);
}

#define VERSION_COLUMNS                                                                            \
    "SELECT id, team, version, spec, folder, signature, created, coalesce(retired, 0), "

static const char all_versions[] = VERSION_COLUMNS "0 FROM league_versions ORDER BY id";
static const char versions_with_submissions[] =
    VERSION_COLUMNS "coalesce((SELECT max(s.id) FROM league_submissions s WHERE s.team=v.team AND"
                    " s.version=v.version), 0) FROM league_versions v ORDER BY id";

bool leagues_versions(Store *store, VersionRecord **versions, size_t *n_versions, TurfError *error)
{
    Query query;
    *versions = NULL;
    *n_versions = 0;
    bool has_submissions = store->n_migrations >= FIRST_WITH_SUBMISSIONS;
    if (!query_open(&query, store, has_submissions ? versions_with_submissions : all_versions,
                    error))
        return false;
    if (query_read_list(&query, read_version, sizeof **versions, (void **)versions, n_versions,
                        error))
        return true;
    versions_free(*versions, *n_versions);
    *versions = NULL;
    *n_versions = 0;
    return false;
}

static bool read_round(Query *query, void *item)
{
    RoundRecord *round = item;
    round->run = query_number_in(query, 1, INT64_MAX, "league_rounds.run");
    round->round = query_number_in(query, 1, MAX_LEAGUE_ROUNDS, "league_rounds.round");
    round->is_final = query_flag(query, "league_rounds.is_final");
    round->is_finished = query_flag(query, "runs.is_finished");
    return true;
}

bool leagues_rounds(Store *store, RoundRecord **rounds, size_t *n_rounds, TurfError *error)
{
    Query query;
    *rounds = NULL;
    *n_rounds = 0;
    if (!query_open(&query, store,
                    "SELECT l.run, l.round, l.is_final, r.is_finished FROM league_rounds l"
                    " LEFT JOIN runs r ON r.id=l.run ORDER BY l.round",
                    error))
        return false;
    if (query_read_list(&query, read_round, sizeof **rounds, (void **)rounds, n_rounds, error))
        return true;
    free(*rounds);
    *rounds = NULL;
    *n_rounds = 0;
    return false;
}

static bool read_rating(Query *query, void *item)
{
    RatingRecord *rating = item;
    rating->version = query_number_in(query, 1, INT64_MAX, "league_ratings.version");
    rating->round = query_number_in(query, 1, MAX_LEAGUE_ROUNDS, "league_ratings.round");
    rating->elo = query_real(query, "league_ratings.elo");
    rating->has_low = query_flag(query, "league_ratings.low");
    rating->low = query_real(query, "league_ratings.low");
    rating->has_high = query_flag(query, "league_ratings.high");
    rating->high = query_real(query, "league_ratings.high");
    rating->n_games = (uint64_t)query_number_in(query, 0, INT64_MAX, "league_ratings.n_games");
    rating->created = query_number_in(query, 0, MAX_STORED_SECONDS, "league_ratings.created");
    return true;
}

bool leagues_ratings(Store *store, int64_t team, RatingRecord **ratings, size_t *n_ratings,
                     TurfError *error)
{
    Query query;
    *ratings = NULL;
    *n_ratings = 0;
    if (store->n_migrations < FIRST_WITH_PRACTICE)
        return true;
    if (!query_open(&query, store,
                    "SELECT version, round, elo, low IS NOT NULL, coalesce(low, 0.0), high IS NOT"
                    " NULL, coalesce(high, 0.0), n_games, created FROM league_ratings WHERE version"
                    " IN (SELECT id FROM league_versions WHERE team=?) ORDER BY round, version",
                    error))
        return false;
    query_bind_number(&query, team);
    if (query_read_list(&query, read_rating, sizeof **ratings, (void **)ratings, n_ratings, error))
        return true;
    free(*ratings);
    *ratings = NULL;
    *n_ratings = 0;
    return false;
}

bool leagues_has_run(Store *store, int64_t run, bool *is_there, TurfError *error)
{
    Query query;
    if (!query_open(&query, store, "SELECT 1 FROM league_rounds WHERE run=?", error))
        return false;
    query_bind_number(&query, run);
    *is_there = query_next(&query);
    return query_end(&query, error);
}

/* ---- checks ------------------------------------------------------------------------------- */

#define VERSION_NAME "t.name||iif(v.version>1, ' v'||v.version, '')"
#define IN_LEAGUE "run IN (SELECT run FROM league_rounds)"

/* As records_check, for all rounds at once: a league has thousands. */
static const char check_rounds[] =
    "SELECT"
    /* versions of a team count from 1, and all but the last are retired */
    " (SELECT count(*) FROM (SELECT version, retired, row_number() OVER (PARTITION BY team ORDER BY"
    "  id) AS place, count(*) OVER (PARTITION BY team) AS n FROM league_versions)"
    "  WHERE version<>place OR (retired IS NULL AND place<n)),"
    " (SELECT count(*) FROM league_versions WHERE team NOT IN (SELECT id FROM league_teams)),"
    " (SELECT count(*)-count(DISTINCT name) FROM league_teams),"
    /* rounds count from 1 */
    " (SELECT coalesce(min(round)<>1 OR max(round)<>count(*) OR count(DISTINCT run)<>count(*), 0)"
    "  FROM league_rounds),"
    /* entrants are versions, as they were entered */
    " (SELECT count(*) FROM entrants e WHERE e." IN_LEAGUE " AND NOT EXISTS (SELECT 1 FROM"
    "  league_versions v JOIN league_teams t ON t.id=v.team WHERE " VERSION_NAME "=e.name AND"
    "  v.spec=e.spec)),"
    /* pairings are of two entrants, and swap sides */
    " (SELECT count(*) FROM pairings p WHERE p." IN_LEAGUE " AND (p.first=p.second OR NOT"
    "  p.swaps_sides)),"
    /* games within their pairings, swapped as they should be */
    " (SELECT count(*) FROM games g LEFT JOIN pairings p ON p.run=g.run AND p.pairing=g.pairing"
    "  WHERE g." IN_LEAGUE " AND (p.pairing IS NULL OR g.game<0 OR g.game>=p.n_games OR"
    "  g.is_swapped<>(p.swaps_sides AND g.game%2))),"
    /* none twice: by two records, or by a record and a batch */
    " (SELECT count(*) FROM games g WHERE g." IN_LEAGUE " AND NOT g.is_sample AND g.game<(SELECT"
    "  c.first_game+c.n_games FROM chunks c WHERE c.run=g.run AND c.pairing=g.pairing AND"
    "  c.first_game<=g.game ORDER BY c.first_game DESC LIMIT 1)),"
    " (SELECT count(*) FROM chunks c LEFT JOIN pairings p ON p.run=c.run AND p.pairing=c.pairing"
    "  WHERE c." IN_LEAGUE " AND (p.pairing IS NULL OR c.first_game<0 OR"
    "  c.first_game+c.n_games>p.n_games OR c.n_counted<>won_by_first+won_by_second+drawn+stalemate+"
    "  exhausted OR c.n_counted<>iif(p.swaps_sides,"
    "  (c.n_games+(c.first_game+c.is_swapped+1)%2)/2, c.n_games*(1-c.is_swapped)))),"
    " (SELECT count(*) FROM (SELECT first_game, lag(first_game+n_games) OVER (PARTITION BY run,"
    "  pairing ORDER BY first_game) AS last FROM (SELECT run, pairing, first_game,"
    "  max(n_games) AS n_games FROM chunks WHERE " IN_LEAGUE " GROUP BY run, pairing, first_game))"
    "  WHERE last>first_game)";

bool leagues_check(Store *store, TurfError *error)
{
    static const char *const names[] = {"league_versions.version",
                                        "league_versions.team",
                                        "league_teams.name",
                                        "league_rounds.round",
                                        "entrants.name",
                                        "pairings.swaps_sides",
                                        "games.game",
                                        "games.is_sample",
                                        "chunks.n_games",
                                        "chunks.first_game"};
    Query                    query;
    if (!query_open(&query, store, check_rounds, error))
        return false;
    bool has_row = query_next(&query);
    for (size_t i = 0; has_row && i < sizeof names / sizeof *names; i++)
        (void)query_number_in(&query, 0, 0, names[i]);
    return query_end(&query, error);
}

/* ---- results ------------------------------------------------------------------------------ */

/* One kind of result of two entrants: how often the first won, lost, drew. "first" and "second" of
 * a game are sides; a forfeit is told by who forfeited and why. */
static const char sum_games[] =
    "SELECT a.name, b.name, g.is_swapped, g.ending, g.forfeiter, g.reason, count(*)"
    " FROM league_rounds l JOIN games g ON g.run=l.run"
    " JOIN pairings p ON p.run=g.run AND p.pairing=g.pairing"
    " JOIN entrants a ON a.run=p.run AND a.entrant=p.first"
    " JOIN entrants b ON b.run=p.run AND b.entrant=p.second"
    " WHERE NOT l.is_final AND l.round>=? AND NOT g.is_sample GROUP BY 1, 2, 3, 4, 5, 6";

static const char sum_batches[] =
    "SELECT a.name, b.name, c.is_swapped, sum(c.won_by_first), sum(c.won_by_second), sum(c.drawn),"
    " sum(c.stalemate), sum(c.exhausted)"
    " FROM league_rounds l JOIN chunks c ON c.run=l.run"
    " JOIN pairings p ON p.run=c.run AND p.pairing=c.pairing"
    " JOIN entrants a ON a.run=p.run AND a.entrant=p.first"
    " JOIN entrants b ON b.run=p.run AND b.entrant=p.second"
    " WHERE NOT l.is_final AND l.round>=? GROUP BY 1, 2, 3";

typedef struct Names {
    char first[256], second[256];
} Names;

static void read_names(Query *query, Names *names)
{
    (void)snprintf(names->first, sizeof names->first, "%s", query_text(query, "entrants.name"));
    (void)snprintf(names->second, sizeof names->second, "%s", query_text(query, "entrants.name"));
}

typedef struct Visit {
    PairVisitor *visit;
    void        *context;
    bool         has_failed;
} Visit;

static bool visit_games(void *context, Query *query)
{
    Visit     *visit = context;
    Names      names;
    TurfTotals totals = TOTALS_NONE;
    read_names(query, &names);
    GameRecord record = {.is_swapped = query_flag(query, "games.is_swapped")};
    records_read_ending(query, &record);
    uint64_t n = (uint64_t)query_number_in(query, 1, MAX_STORED_GAMES, "games.game");
    if (query->damage)
        return false;
    totals.n_games = n;
    totals.endings[game_record_ending(&record)] = n;
    if (record.forfeiter >= 0)
        totals.forfeits[record.forfeiter ^ record.is_swapped][record.reason] = n;
    visit->has_failed =
        !visit->visit(visit->context, names.first, names.second, record.is_swapped, &totals);
    return !visit->has_failed;
}

static bool visit_batches(void *context, Query *query)
{
    Visit     *visit = context;
    Names      names;
    TurfTotals totals = TOTALS_NONE;
    read_names(query, &names);
    bool is_swapped = query_flag(query, "chunks.is_swapped");
    for (int ending = 0; ending < TURF_N_ENDINGS; ending++) {
        totals.endings[ending] =
            (uint64_t)query_number_in(query, 0, MAX_STORED_GAMES, "the endings of chunks");
        totals.n_games += totals.endings[ending];
    }
    if (query->damage)
        return false;
    visit->has_failed =
        !visit->visit(visit->context, names.first, names.second, is_swapped, &totals);
    return !visit->has_failed;
}

static bool visit_sums(Store *store, const char *sql, int64_t from_round, RowVisitor *each,
                       Visit *visit, TurfError *error)
{
    Query query;
    if (!query_open(&query, store, sql, error))
        return false;
    query_bind_number(&query, from_round);
    return query_visit(&query, each, visit, error) &&
           (!visit->has_failed || error_no_memory(error));
}

bool leagues_each_result(Store *store, int64_t from_round, PairVisitor *visit, void *context,
                         TurfError *error)
{
    Visit both = {visit, context, false};
    return visit_sums(store, sum_games, from_round, visit_games, &both, error) &&
           visit_sums(store, sum_batches, from_round, visit_batches, &both, error);
}
