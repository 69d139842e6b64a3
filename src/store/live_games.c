/* The tables sittings and sitting_moves (live games; see schema.h). Every save is one transaction,
 * so that the row of a game and its moves always agree. */
#include "store/live_games.h"

#include "games/game.h"
#include "store/sql.h"

bool live_games_prepare(Store *store, TurfError *error)
{
    Query query;
    return query_open(&query, store, "PRAGMA synchronous=NORMAL", error) &&
           query_run(&query, error);
}

/* ---- writing ------------------------------------------------------------------------------ */

static bool save(Store *store, const StoredLiveGame *live_game, TurfError *error)
{
    Query query;
    if (!query_open(
            &query, store,
            "INSERT INTO sittings(id, game, created, updated, is_over, is_listed, first, second, "
            "winner, outcome,"
            " reason, n_moves, first_score, second_score, setup, live)"
            " VALUES(?, ?, ?, ?, ?, ?, ?, ?, nullif(?, -1), ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT(id) DO UPDATE SET updated = excluded.updated, is_over = excluded.is_over,"
            " first = excluded.first, second = excluded.second, winner = excluded.winner,"
            " outcome = excluded.outcome, reason = excluded.reason, n_moves = excluded.n_moves,"
            " first_score = excluded.first_score, second_score = excluded.second_score, live = "
            "excluded.live",
            error))
        return false;
    query_bind_text(&query, live_game->id);
    query_bind_text(&query, live_game->game);
    query_bind_number(&query, live_game->created_ms);
    query_bind_number(&query, live_game->updated_ms);
    query_bind_number(&query, live_game->is_over);
    query_bind_number(&query, live_game->is_listed);
    query_bind_text(&query, live_game->names[0]);
    query_bind_text(&query, live_game->names[1]);
    query_bind_number(&query, live_game->winner);
    query_bind_text(&query, live_game->outcome);
    query_bind_text(&query, live_game->reason);
    query_bind_number(&query, live_game->n_moves);
    query_bind_number(&query, live_game->scores[0]);
    query_bind_number(&query, live_game->scores[1]);
    query_bind_text(&query, live_game->setup);
    query_bind_text(&query, live_game->live);
    return query_run(&query, error);
}

static bool add_move(Store *store, const StoredLiveGame *live_game, int64_t ply,
                     const StoredMove *move, TurfError *error)
{
    Query query;
    if (!query_open(&query, store,
                    "INSERT INTO sitting_moves(sitting, ply, side, move, ms) VALUES(?, ?, ?, ?, ?)",
                    error))
        return false;
    query_bind_text(&query, live_game->id);
    query_bind_number(&query, ply);
    query_bind_number(&query, move->side);
    query_bind_text(&query, move->move);
    query_bind_number(&query, move->ms);
    return query_run(&query, error);
}

static bool cut_moves(Store *store, const StoredLiveGame *live_game, int64_t n_left,
                      TurfError *error)
{
    Query query;
    if (!query_open(&query, store, "DELETE FROM sitting_moves WHERE sitting = ? AND ply > ?",
                    error))
        return false;
    query_bind_text(&query, live_game->id);
    query_bind_number(&query, n_left);
    return query_run(&query, error);
}

static bool add_moves(Store *store, const StoredLiveGame *live_game, const StoredMove *moves,
                      TurfError *error)
{
    for (int64_t i = 0; i < live_game->n_moves; i++)
        if (!add_move(store, live_game, i + 1, &moves[i], error))
            return false;
    return true;
}

/* Commits the transaction, or rolls it back. */
static bool finish(Store *store, bool is_good, TurfError *error)
{
    if (is_good)
        return store_commit(store, error);
    store_undo(store);
    return false;
}

bool live_games_save(Store *store, const StoredLiveGame *live_game, TurfError *error)
{
    return store_begin(store, error) && finish(store, save(store, live_game, error), error);
}

static bool save_live(Store *store, const char *id, const char *live, TurfError *error)
{
    Query query;
    if (!query_open(&query, store, "UPDATE sittings SET live = ? WHERE id = ?", error))
        return false;
    query_bind_text(&query, live);
    query_bind_text(&query, id);
    return query_run(&query, error);
}

bool live_games_save_live(Store *store, const char *id, const char *live, TurfError *error)
{
    return store_begin(store, error) && finish(store, save_live(store, id, live, error), error);
}

bool live_games_save_move(Store *store, const StoredLiveGame *live_game, int side, const char *move,
                          int64_t ms, TurfError *error)
{
    StoredMove last = {side, move, ms};
    return store_begin(store, error) &&
           finish(store,
                  save(store, live_game, error) &&
                      add_move(store, live_game, live_game->n_moves, &last, error),
                  error);
}

bool live_games_save_whole(Store *store, const StoredLiveGame *live_game, const StoredMove *moves,
                           TurfError *error)
{
    return store_begin(store, error) &&
           finish(store,
                  save(store, live_game, error) && cut_moves(store, live_game, 0, error) &&
                      add_moves(store, live_game, moves, error),
                  error);
}

bool live_games_save_undo(Store *store, const StoredLiveGame *live_game, TurfError *error)
{
    return store_begin(store, error) &&
           finish(store,
                  save(store, live_game, error) &&
                      cut_moves(store, live_game, live_game->n_moves, error),
                  error);
}

#define OLDEST_FINISHED                                                                            \
    "(SELECT id FROM sittings WHERE is_over = 1 ORDER BY updated DESC, id DESC LIMIT 999 OFFSET "  \
    "?)"

static bool trim(Store *store, const char *sql, int64_t max_kept, TurfError *error)
{
    Query query;
    if (!query_open(&query, store, sql, error))
        return false;
    query_bind_number(&query, max_kept);
    return query_run(&query, error);
}

bool live_games_trim(Store *store, int64_t max_kept, TurfError *error)
{
    static const char moves[] = "DELETE FROM sitting_moves WHERE sitting IN " OLDEST_FINISHED;
    static const char games[] = "DELETE FROM sittings WHERE id IN " OLDEST_FINISHED;
    return store_begin(store, error) &&
           finish(store, trim(store, moves, max_kept, error) && trim(store, games, max_kept, error),
                  error);
}

/* ---- reading ------------------------------------------------------------------------------ */

#define COLUMNS                                                                                    \
    "SELECT id, game, created, updated, is_over, is_listed, first, second, ifnull(winner, -1), "   \
    "outcome, reason,"                                                                             \
    " n_moves, first_score, second_score, setup, live FROM sittings"

static void read_row(Query *query, StoredLiveGame *live_game)
{
    enum { MAX_SCORE = 1 << 30 };
    live_game->id = query_text(query, "sittings.id");
    live_game->game = query_text(query, "sittings.game");
    live_game->created_ms = query_number_in(query, 0, MAX_STORED_MS, "sittings.created");
    live_game->updated_ms = query_number_in(query, 0, MAX_STORED_MS, "sittings.updated");
    live_game->is_over = query_flag(query, "sittings.is_over");
    live_game->is_listed = query_flag(query, "sittings.is_listed");
    live_game->names[0] = query_text(query, "sittings.first");
    live_game->names[1] = query_text(query, "sittings.second");
    live_game->winner = (int)query_number_in(query, -1, 1, "sittings.winner");
    live_game->outcome = query_text_or_null(query, "sittings.outcome");
    live_game->reason = query_text_or_null(query, "sittings.reason");
    live_game->n_moves = query_number_in(query, 0, MAX_STORED_LENGTH, "sittings.n_moves");
    live_game->scores[0] = query_number_in(query, -MAX_SCORE, MAX_SCORE, "sittings.first_score");
    live_game->scores[1] = query_number_in(query, -MAX_SCORE, MAX_SCORE, "sittings.second_score");
    live_game->setup = query_text(query, "sittings.setup");
    live_game->live = query_text(query, "sittings.live");
    query_check(query,
                live_game->is_over == (live_game->outcome != NULL) &&
                    live_game->is_over == (live_game->reason != NULL),
                "sittings.outcome");
}

typedef struct Visit {
    LiveGameVisitor     *live_game;
    LiveGameMoveVisitor *move;
    void                *context;
    int64_t              n_moves; /* visited so far */
} Visit;

static bool visit_live_game(void *context, Query *query)
{
    const Visit   *visit = context;
    StoredLiveGame live_game;
    read_row(query, &live_game);
    return !query->damage && visit->live_game(visit->context, &live_game);
}

static bool visit_move(void *context, Query *query)
{
    Visit      *visit = context;
    int64_t     ply = query_number_in(query, 1, MAX_STORED_LENGTH, "sitting_moves.ply");
    int         side = (int)query_number_in(query, SIDE_NOBODY, SIDE_BOTH, "sitting_moves.side");
    const char *move = query_text(query, "sitting_moves.move");
    int64_t     ms = query_number_in(query, 0, MAX_STORED_MS, "sitting_moves.ms");
    query_check(query, ply == ++visit->n_moves, "sitting_moves.ply");
    return !query->damage && visit->move(visit->context, ply, side, move, ms);
}

bool live_games_find(Store *store, const char *id, LiveGameVisitor *visit, void *context,
                     TurfError *error)
{
    Query query;
    Visit visitor = {.live_game = visit, .context = context};
    if (!query_open(&query, store, COLUMNS " WHERE id = ?", error))
        return false;
    query_bind_text(&query, id);
    return query_visit_one(&query, visit_live_game, &visitor, "there is no such game", error);
}

bool live_games_each(Store *store, const LiveGameFilter *filter, LiveGameVisitor *visit,
                     void *context, TurfError *error)
{
    Query query;
    Visit visitor = {.live_game = visit, .context = context};
    if (!query_open(
            &query, store,
            COLUMNS
            " WHERE is_over = ? AND is_listed >= ? AND (updated, id) < (?, ?)"
            " AND (? IS NULL OR game = ?) AND (? IS NULL OR instr(lower(first), lower(?)) OR "
            "instr(lower(second), lower(?)))"
            " ORDER BY updated DESC, id DESC LIMIT ?",
            error))
        return false;
    query_bind_number(&query, filter->is_over);
    query_bind_number(&query, filter->only_listed);
    query_bind_number(&query, filter->before_id ? filter->before_ms : INT64_MAX);
    query_bind_text(&query, filter->before_id ? filter->before_id : "");
    query_bind_text(&query, filter->game);
    query_bind_text(&query, filter->game);
    query_bind_text(&query, filter->player);
    query_bind_text(&query, filter->player);
    query_bind_text(&query, filter->player);
    query_bind_number(&query, filter->limit);
    return query_visit(&query, visit_live_game, &visitor, error);
}

bool live_games_each_move(Store *store, const char *id, LiveGameMoveVisitor *visit, void *context,
                          TurfError *error)
{
    Query query;
    Visit visitor = {.move = visit, .context = context};
    if (!query_open(&query, store,
                    "SELECT ply, side, move, ms FROM sitting_moves WHERE sitting = ? ORDER BY ply",
                    error))
        return false;
    query_bind_text(&query, id);
    return query_visit(&query, visit_move, &visitor, error);
}
