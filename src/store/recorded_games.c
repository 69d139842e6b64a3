/* Recorded games of all runs, joined with their runs and players; read-only. */
#include "store/recorded_games.h"

#include "store/sql.h"

#include <string.h>

#define GAMES                                                                                      \
    "SELECT g.id, g.run, r.created, r.game, a.name, b.name, g.ending, g.forfeiter, g.reason, "     \
    "g.explanation, g.length,"                                                                     \
    " g.start, g.moves, g.times, EXISTS (SELECT 1 FROM league_rounds l WHERE l.run=g.run)"         \
    " FROM games g"                                                                                \
    " JOIN runs r ON r.id = g.run"                                                                 \
    " JOIN pairings p ON p.run = g.run AND p.pairing = g.pairing"                                  \
    " JOIN entrants a ON a.run = g.run AND a.entrant = iif(g.is_swapped, p.second, p.first)"       \
    " JOIN entrants b ON b.run = g.run AND b.entrant = iif(g.is_swapped, p.first, p.second)"

static void read_row(Query *query, RecordedGame *game)
{
    game->id = query_number_in(query, 1, INT64_MAX, "games.id");
    game->run = query_number_in(query, 1, INT64_MAX, "games.run");
    game->created = query_number_in(query, 0, MAX_STORED_SECONDS, "runs.created");
    game->game = query_text(query, "runs.game");
    game->names[0] = query_text(query, "entrants.name");
    game->names[1] = query_text(query, "entrants.name");
    game->ending = query_text(query, "games.ending");
    const char *forfeiter = query_text_or_null(query, "games.forfeiter");
    game->forfeiter = forfeiter ? !strcmp(forfeiter, "second") : -1;
    game->reason = query_text_or_null(query, "games.reason");
    game->explanation = query_text_or_null(query, "games.explanation");
    game->length = query_number_in(query, 0, MAX_STORED_LENGTH, "games.length");
    game->start = query_text(query, "games.start");
    game->moves = query_text(query, "games.moves");
    game->times = query_text(query, "games.times");
    game->is_of_league = query_flag(query, "league_rounds.run");
}

typedef struct Visit {
    RecordedGameVisitor *game;
    void                *context;
} Visit;

static bool visit_game(void *context, Query *query)
{
    const Visit *visit = context;
    RecordedGame game;
    read_row(query, &game);
    return !query->damage && visit->game(visit->context, &game);
}

bool recorded_games_each(Store *store, const RecordedGameFilter *filter, RecordedGameVisitor *visit,
                         void *context, TurfError *error)
{
    Query query;
    Visit visitor = {visit, context};
    if (!query_open(&query, store,
                    GAMES " WHERE g.id < ? AND (? = 0 OR g.run = ?) AND (? IS NULL OR r.game = ?)"
                          " AND (? IS NULL OR instr(lower(a.name), lower(?)) OR "
                          "instr(lower(b.name), lower(?)))"
                          " AND (?=0 OR NOT EXISTS (SELECT 1 FROM league_rounds l WHERE"
                          " l.run=g.run)) ORDER BY g.id DESC LIMIT ?",
                    error))
        return false;
    query_bind_number(&query, filter->before_id > 0 ? filter->before_id : INT64_MAX);
    query_bind_number(&query, filter->run);
    query_bind_number(&query, filter->run);
    query_bind_text(&query, filter->game);
    query_bind_text(&query, filter->game);
    query_bind_text(&query, filter->player);
    query_bind_text(&query, filter->player);
    query_bind_text(&query, filter->player);
    query_bind_number(&query, filter->hides_league);
    query_bind_number(&query, filter->limit);
    return query_visit(&query, visit_game, &visitor, error);
}

bool recorded_games_find(Store *store, int64_t id, RecordedGameVisitor *visit, void *context,
                         TurfError *error)
{
    Query query;
    Visit visitor = {visit, context};
    if (!query_open(&query, store, GAMES " WHERE g.id = ?", error))
        return false;
    query_bind_number(&query, id);
    return query_visit_one(&query, visit_game, &visitor, "there is no such finished game", error);
}
