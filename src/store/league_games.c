/* Games of rounds and finals, joined with their versions; read-only. Filters are by team: SQLite
 * reads games from the latest back until there are enough. */
#include "store/league_games.h"

#include "base/error.h"
#include "store/leagues.h"
#include "store/records.h"
#include "store/sql.h"

#include <string.h>

#define LEAGUE_GAMES                                                                               \
    "SELECT g.id, g.run, r.created, r.game, a.name, b.name, g.ending, g.forfeiter, g.reason,"      \
    " g.explanation, g.length, g.start, g.moves, g.times, l.round, l.is_final, g.last_words"       \
    " FROM games g JOIN league_rounds l ON l.run=g.run JOIN runs r ON r.id=g.run"                  \
    " JOIN pairings p ON p.run=g.run AND p.pairing=g.pairing"                                      \
    " JOIN entrants a ON a.run=g.run AND a.entrant=iif(g.is_swapped, p.second, p.first)"           \
    " JOIN entrants b ON b.run=g.run AND b.entrant=iif(g.is_swapped, p.first, p.second)"

/* The names of the versions of team ?N. */
#define VERSIONS_OF(n)                                                                             \
    "(SELECT t.name||iif(v.version>1, ' v'||v.version, '') FROM league_teams t JOIN"               \
    " league_versions v ON v.team=t.id WHERE t.name=?" #n ")"

static void read_row(Query *query, LeagueGame *row)
{
    RecordedGame *game = &row->game;
    GameRecord    check = {0};
    game->id = query_number_in(query, 1, INT64_MAX, "games.id");
    game->run = query_number_in(query, 1, INT64_MAX, "games.run");
    game->created = query_number_in(query, 0, MAX_STORED_SECONDS, "runs.created");
    game->game = query_text(query, "runs.game");
    game->names[0] = query_text(query, "entrants.name");
    game->names[1] = query_text(query, "entrants.name");
    int ending = query->n_read;
    records_read_ending(query, &check);
    query->n_read = ending;
    game->ending = query_text(query, "games.ending");
    game->forfeiter = check.forfeiter;
    query->n_read = ending + 2;
    game->reason = query_text_or_null(query, "games.reason");
    game->explanation = query_text_or_null(query, "games.explanation");
    game->length = query_number_in(query, 0, MAX_STORED_LENGTH, "games.length");
    game->start = query_text(query, "games.start");
    game->moves = query_text(query, "games.moves");
    game->times = query_text(query, "games.times");
    row->round = query_number_in(query, 1, MAX_LEAGUE_ROUNDS, "league_rounds.round");
    row->is_final = query_flag(query, "league_rounds.is_final");
    row->last_words = query_text_or_null(query, "games.last_words");
}

typedef struct Visit {
    LeagueGameVisitor *visit;
    void              *context;
} Visit;

static bool visit_game(void *context, Query *query)
{
    const Visit *visit = context;
    LeagueGame   row = {.round = 0};
    read_row(query, &row);
    return !query->damage && visit->visit(visit->context, &row);
}

/* ?1 team, ?2 opponent, ?3 kind, ?4 and ?5 bounds, ?6 limit */
/* clang-format off */
static const char each_game[] =
    LEAGUE_GAMES
    " WHERE g.id<?4 AND g.id>?5"
    " AND (?1 IS NULL OR a.name IN " VERSIONS_OF(1) " OR b.name IN " VERSIONS_OF(1) ")"
    " AND (?2 IS NULL OR a.name IN " VERSIONS_OF(2) " OR b.name IN " VERSIONS_OF(2) ")"
    " AND (?3<>1 OR g.ending=iif(a.name IN " VERSIONS_OF(1) ", 'second', 'first'))"
    " AND (?3<>2 OR (g.forfeiter IS NOT NULL AND (?1 IS NULL OR"
    " g.forfeiter=iif(a.name IN " VERSIONS_OF(1) ", 'first', 'second'))))"
    " AND (?3<>3 OR l.is_final) ORDER BY g.id DESC LIMIT ?6";
/* clang-format on */

bool league_games_each(Store *store, const LeagueGameFilter *filter, LeagueGameVisitor *visit,
                       void *context, TurfError *error)
{
    Query query;
    if (!query_open(&query, store, each_game, error))
        return false;
    query_bind_text(&query, filter->team);
    query_bind_text(&query, filter->opponent);
    query_bind_number(&query, filter->kind);
    query_bind_number(&query, filter->before_id > 0 ? filter->before_id : INT64_MAX);
    query_bind_number(&query, filter->after_id);
    query_bind_number(&query, filter->limit);
    return query_visit(&query, visit_game, &(Visit){visit, context}, error);
}

bool league_games_find(Store *store, int64_t id, LeagueGameVisitor *visit, void *context,
                       TurfError *error)
{
    Query query;
    if (!query_open(&query, store, LEAGUE_GAMES " WHERE g.id=?", error))
        return false;
    query_bind_number(&query, id);
    return query_visit_one(&query, visit_game, &(Visit){visit, context},
                           "there is no such game in the league", error);
}

typedef struct UnfinishedVisit {
    UnfinishedVisitor *visit;
    void              *context;
} UnfinishedVisit;

static bool visit_unfinished(void *context, Query *query)
{
    const UnfinishedVisit *visit = context;
    const char *names[2] = {query_text(query, "entrants.name"), query_text(query, "entrants.name")};
    uint64_t    n_games = (uint64_t)query_number_in(query, 1, MAX_STORED_GAMES, "pairings.n_games");
    uint64_t    n_played = (uint64_t)query_number_in(query, 0, MAX_STORED_GAMES, "games.game");
    return !query->damage && visit->visit(visit->context, names, n_games, n_played);
}

bool league_games_unfinished(Store *store, int64_t run, int64_t limit, UnfinishedVisitor *visit,
                             void *context, TurfError *error)
{
    Query query;
    if (!query_open(&query, store,
                    "SELECT * FROM (SELECT a.name AS one, b.name AS other, p.n_games AS n,"
                    " (SELECT count(*) FROM games g WHERE g.run=p.run AND g.pairing=p.pairing AND"
                    " NOT g.is_sample) + (SELECT coalesce(sum(c.n_counted), 0) FROM chunks c WHERE"
                    " c.run=p.run AND c.pairing=p.pairing) AS played FROM pairings p"
                    " JOIN entrants a ON a.run=p.run AND a.entrant=p.first"
                    " JOIN entrants b ON b.run=p.run AND b.entrant=p.second WHERE p.run=?)"
                    " WHERE played<n ORDER BY played=0 LIMIT ?",
                    error))
        return false;
    query_bind_number(&query, run);
    query_bind_number(&query, limit);
    return query_visit(&query, visit_unfinished, &(UnfinishedVisit){visit, context}, error);
}
