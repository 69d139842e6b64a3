/* The tables games and chunks (a chunk is a stored batch; see schema.h). A game counts once, by its
 * own row or by the chunk that covers it: records_add_batch refuses a batch that overlaps one. */
#include "store/records.h"

#include "base/error.h"
#include "games/totals.h"
#include "store/sql.h"

#include <math.h>
#include <string.h>

static const char *const ending_words[TURF_N_ENDINGS] = {"first", "second", "draw", "stalemate",
                                                         "exhausted"};

TurfEnding ending_of_word(const char *word)
{
    int ending = 0;
    while (ending < TURF_N_ENDINGS - 1 && (!word || strcmp(word, ending_words[ending])))
        ending++;
    return (TurfEnding)ending;
}

static bool is_ending(const char *word)
{
    return word && !strcmp(word, ending_words[ending_of_word(word)]);
}

static TurfForfeit reason_of(const char *word)
{
    int reason = 0;
    while (reason < TURF_N_FORFEITS - 1 &&
           (!word || strcmp(word, turf_forfeit_name((TurfForfeit)reason))))
        reason++;
    return (TurfForfeit)reason;
}

TurfEnding game_record_ending(const GameRecord *record)
{
    bool is_won = record->ending == TURF_WON_BY_FIRST || record->ending == TURF_WON_BY_SECOND;
    if (!is_won || !record->is_swapped)
        return record->ending;
    return record->ending == TURF_WON_BY_FIRST ? TURF_WON_BY_SECOND : TURF_WON_BY_FIRST;
}

/* ---- writing ------------------------------------------------------------------------------ */

#define INSERT_GAME                                                                                \
    " INTO games(run, pairing, game, is_swapped, is_sample, ending, length, forfeiter, reason,"    \
    " explanation, last_words, seconds, start, moves, times) "                                     \
    "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"

static bool insert_game(Store *store, const char *sql, int64_t run, const GameRecord *record,
                        TurfError *error)
{
    Query query;
    bool  is_forfeit = record->forfeiter >= 0;
    if (!query_open(&query, store, sql, error))
        return false;
    query_bind_number(&query, run);
    query_bind_number(&query, (int64_t)record->pairing);
    query_bind_number(&query, (int64_t)record->game);
    query_bind_number(&query, record->is_swapped);
    query_bind_number(&query, record->is_sample);
    query_bind_text(&query, ending_words[record->ending]);
    query_bind_number(&query, record->length);
    query_bind_text(&query, is_forfeit ? ending_words[record->forfeiter] : NULL);
    query_bind_text(&query, is_forfeit ? turf_forfeit_name(record->reason) : NULL);
    query_bind_text(&query, is_forfeit ? record->explanation : NULL);
    query_bind_text(&query, is_forfeit ? record->last_words : NULL);
    query_bind_real(&query, record->seconds);
    query_bind_text(&query, record->start);
    query_bind_text(&query, record->moves);
    query_bind_text(&query, record->times);
    return query_run(&query, error);
}

bool records_add_game(Store *store, int64_t run, const GameRecord *record, TurfError *error)
{
    return insert_game(store, "INSERT" INSERT_GAME, run, record, error);
}

bool records_put_game(Store *store, int64_t run, const GameRecord *record, TurfError *error)
{
    return insert_game(store, "INSERT OR IGNORE" INSERT_GAME, run, record, error);
}

/* Fails with BUSY if a chunk covers games of the batch: they would count twice. */
static bool check_is_unplayed(Store *store, int64_t run, const BatchRecord *batch, TurfError *error)
{
    Query query;
    if (!query_open(
            &query, store,
            "SELECT first_game + n_games FROM chunks WHERE run=? AND pairing=? AND first_game<?"
            " ORDER BY first_game DESC LIMIT 1",
            error))
        return false;
    query_bind_number(&query, run);
    query_bind_number(&query, (int64_t)batch->pairing);
    query_bind_number(&query, (int64_t)(batch->first_game + batch->n_games));
    bool is_overlapped = query_next(&query) && (uint64_t)query_number(&query) > batch->first_game;
    if (!query_end(&query, error))
        return false;
    return !is_overlapped ||
           error_busy(error, "another turf has played games of run %lld meanwhile", (long long)run);
}

static bool insert_batch(Store *store, int64_t run, const BatchRecord *batch, bool is_swapped,
                         TurfError *error)
{
    const TurfTotals *totals = &batch->totals[is_swapped];
    Query             query;
    if (!query_open(&query, store,
                    "INSERT INTO chunks(run, pairing, first_game, is_swapped, n_games, n_counted, "
                    "won_by_first,"
                    " won_by_second, drawn, stalemate, exhausted, length_sum, length_square_sum, "
                    "shortest, longest,"
                    " seconds) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                    error))
        return false;
    query_bind_number(&query, run);
    query_bind_number(&query, (int64_t)batch->pairing);
    query_bind_number(&query, (int64_t)batch->first_game);
    query_bind_number(&query, is_swapped);
    query_bind_number(&query, (int64_t)batch->n_games);
    query_bind_number(&query, (int64_t)totals->n_games);
    for (int ending = 0; ending < TURF_N_ENDINGS; ending++)
        query_bind_number(&query, (int64_t)totals->endings[ending]);
    query_bind_number(&query, (int64_t)totals->length_sum);
    query_bind_number(&query, (int64_t)totals->length_square_sum);
    query_bind_number(&query, totals->shortest);
    query_bind_number(&query, totals->longest);
    query_bind_real(&query, totals->seconds);
    return query_run(&query, error);
}

bool records_add_batch(Store *store, int64_t run, const BatchRecord *batch, TurfError *error)
{
    if (!check_is_unplayed(store, run, batch, error))
        return false;
    for (int is_swapped = 0; is_swapped < 2; is_swapped++)
        if (batch->totals[is_swapped].n_games > 0 &&
            !insert_batch(store, run, batch, is_swapped, error))
            return false;
    return true;
}

/* ---- reading ------------------------------------------------------------------------------ */

#define GAME_COLUMNS                                                                               \
    "id, run, pairing, game, is_swapped, is_sample, ending, length, forfeiter, reason, "           \
    "explanation, last_words,"                                                                     \
    " seconds, start, moves, times"

static GameRecord game_of(Query *query)
{
    GameRecord record = {.id = query_number(query)};
    record.run = query_number(query);
    record.pairing = (size_t)query_number_in(query, 0, MAX_STORED_PAIRINGS - 1, "games.pairing");
    record.game = (uint64_t)query_number_in(query, 0, MAX_STORED_GAMES - 1, "games.game");
    record.is_swapped = query_number(query) != 0;
    record.is_sample = query_number(query) != 0;
    const char *ending = query_peek(query);
    query_check(query, is_ending(ending), "games.ending");
    record.ending = ending_of_word(ending);
    record.length = (uint32_t)query_number_in(query, 0, UINT32_MAX, "games.length");
    const char *forfeiter = query_peek(query);
    record.forfeiter = forfeiter ? (int)ending_of_word(forfeiter) : -1;
    query_check(query, record.forfeiter <= TURF_SECOND, "games.forfeiter");
    record.reason = reason_of(query_peek(query));
    record.explanation = query_peek(query);
    record.last_words = query_peek(query);
    record.seconds = query_real(query);
    query_check(query, isfinite(record.seconds) && record.seconds >= 0, "games.seconds");
    record.start = query_peek(query);
    record.moves = query_peek(query);
    record.times = query_peek(query);
    return record;
}

typedef struct Visit {
    GameVisitor *visit;
    void        *context;
} Visit;

static bool visit_game(void *context, Query *query)
{
    const Visit *visit = context;
    GameRecord   record = game_of(query);
    return !query->damage && visit->visit(visit->context, &record);
}

bool records_each_game(Store *store, int64_t run, size_t pairing, GameVisitor *visit, void *context,
                       TurfError *error)
{
    Query query;
    if (!query_open(&query, store,
                    "SELECT " GAME_COLUMNS
                    " FROM games WHERE run=? AND pairing BETWEEN ? AND ? ORDER BY pairing, game",
                    error))
        return false;
    query_bind_number(&query, run);
    query_bind_number(&query, pairing == RECORDS_ALL ? 0 : (int64_t)pairing);
    query_bind_number(&query, pairing == RECORDS_ALL ? INT64_MAX : (int64_t)pairing);
    return query_visit(&query, visit_game, &(Visit){visit, context}, error);
}

bool records_find_game(Store *store, int64_t id, GameVisitor *visit, void *context,
                       TurfError *error)
{
    Query query;
    if (!query_open(&query, store, "SELECT " GAME_COLUMNS " FROM games WHERE id=?", error))
        return false;
    query_bind_number(&query, id);
    return query_visit_one(&query, visit_game, &(Visit){visit, context}, "there is no such game",
                           error);
}

bool records_last_game(Store *store, int64_t *id, TurfError *error)
{
    Query query;
    if (!query_open(&query, store, "SELECT coalesce(max(id), 0) FROM games", error))
        return false;
    *id = query_next(&query) ? query_number(&query) : 0;
    return query_end(&query, error);
}

/* A batch with swapped sides is stored as two rows. */
static void read_batch_row(Query *query, BatchRecord *batch, bool *is_next)
{
    size_t   pairing = (size_t)query_number_in(query, 0, MAX_STORED_PAIRINGS - 1, "chunks.pairing");
    uint64_t first_game =
        (uint64_t)query_number_in(query, 0, MAX_STORED_GAMES - 1, "chunks.first_game");
    bool        is_swapped = query_number(query) != 0;
    uint64_t    n_games = (uint64_t)query_number_in(query, 1, MAX_STORED_GAMES, "chunks.n_games");
    TurfTotals *totals = &batch->totals[is_swapped];
    *is_next = batch->n_games == 0 || batch->pairing != pairing || batch->first_game != first_game;
    if (*is_next)
        *batch = (BatchRecord){pairing, first_game, n_games, {TOTALS_NONE, TOTALS_NONE}};
    totals->n_games = (uint64_t)query_number_in(query, 1, (int64_t)n_games, "chunks.n_counted");
    uint64_t n_ended = 0;
    for (int ending = 0; ending < TURF_N_ENDINGS; ending++) {
        totals->endings[ending] =
            (uint64_t)query_number_in(query, 0, (int64_t)n_games, "the endings of chunks");
        n_ended += totals->endings[ending];
    }
    query_check(query, n_ended == totals->n_games, "the endings of chunks");
    totals->length_sum = (uint64_t)query_number_in(query, 0, INT64_MAX, "chunks.length_sum");
    totals->length_square_sum =
        (uint64_t)query_number_in(query, 0, INT64_MAX, "chunks.length_square_sum");
    totals->shortest = (uint32_t)query_number_in(query, 0, UINT32_MAX, "chunks.shortest");
    totals->longest = (uint32_t)query_number_in(query, 0, UINT32_MAX, "chunks.longest");
    totals->seconds = query_real(query);
    query_check(query, isfinite(totals->seconds) && totals->seconds >= 0, "chunks.seconds");
}

bool records_each_batch(Store *store, int64_t run, BatchVisitor *visit, void *context,
                        TurfError *error)
{
    Query       query;
    BatchRecord batch = {0};
    if (!query_open(
            &query, store,
            "SELECT pairing, first_game, is_swapped, n_games, n_counted, won_by_first, "
            "won_by_second, drawn,"
            " stalemate, exhausted, length_sum, length_square_sum, shortest, longest, seconds"
            " FROM chunks WHERE run=? ORDER BY pairing, first_game, is_swapped",
            error))
        return false;
    query_bind_number(&query, run);
    bool is_wanted = true;
    while (is_wanted && query_next(&query)) {
        BatchRecord last = batch;
        bool        is_next;
        read_batch_row(&query, &batch, &is_next);
        if (query.damage)
            break;
        is_wanted = !is_next || last.n_games == 0 || visit(context, &last);
    }
    if (!query_end(&query, error))
        return false;
    if (is_wanted && batch.n_games > 0)
        (void)visit(context, &batch);
    return true;
}

/* ---- totals ------------------------------------------------------------------------------- */

typedef struct Sum {
    TurfTotals (*totals)[2];
    size_t n_pairings;
} Sum;

static bool sum_game(void *context, const GameRecord *record)
{
    Sum *sum = context;
    if (record->is_sample || record->pairing >= sum->n_pairings)
        return true;
    TurfTotals *totals = &sum->totals[record->pairing][record->is_swapped];
    totals_add_game(totals, game_record_ending(record), record->length);
    totals->seconds += record->seconds;
    if (record->forfeiter >= 0)
        totals->forfeits[record->forfeiter ^ record->is_swapped][record->reason]++;
    return true;
}

static bool sum_batch(void *context, const BatchRecord *batch)
{
    Sum *sum = context;
    for (int i = 0; i < 2 && batch->pairing < sum->n_pairings; i++)
        totals_add(&sum->totals[batch->pairing][i], &batch->totals[i]);
    return true;
}

/* Do all games belong to pairings that there are, within their number, and no two batches overlap?
 */
static bool check_ranges(Store *store, int64_t run, TurfError *error)
{
    Query query;
    if (!query_open(
            &query, store,
            "SELECT (SELECT count(*) FROM games g LEFT JOIN pairings p ON p.run=g.run AND"
            "  p.pairing=g.pairing WHERE g.run=?1 AND (p.pairing IS NULL OR g.game>=p.n_games)),"
            " (SELECT count(*) FROM chunks c LEFT JOIN pairings p ON p.run=c.run AND"
            "  p.pairing=c.pairing WHERE c.run=?1 AND (p.pairing IS NULL OR"
            "  c.first_game+c.n_games>p.n_games)),"
            " (SELECT count(*) FROM (SELECT first_game, lag(first_game+n_games) OVER (PARTITION BY"
            "  pairing, is_swapped ORDER BY first_game) AS last FROM chunks WHERE run=?1) WHERE"
            "  last>first_game),"
            " (SELECT count(*) FROM pairings p LEFT JOIN entrants a ON a.run=p.run AND"
            "  a.entrant=p.first LEFT JOIN entrants b ON b.run=p.run AND b.entrant=p.second WHERE"
            "  p.run=?1 AND (a.entrant IS NULL OR b.entrant IS NULL)),"
            " (SELECT count(*) FROM (SELECT min(n_games) AS least, max(n_games) AS most,"
            "  sum(n_counted) AS counted FROM chunks WHERE run=?1 GROUP BY pairing, first_game)"
            "  WHERE counted<>least OR counted<>most),"
            " (SELECT count(*)-1-coalesce(max(pairing), -1) FROM pairings WHERE run=?1)",
            error))
        return false;
    query_bind_number(&query, run);
    if (query_next(&query)) {
        (void)query_number_in(&query, 0, 0, "games.game");
        (void)query_number_in(&query, 0, 0, "chunks.n_games");
        (void)query_number_in(&query, 0, 0, "chunks.first_game");
        (void)query_number_in(&query, 0, 0, "the entrants of pairings");
        (void)query_number_in(&query, 0, 0, "chunks.n_counted");
        (void)query_number_in(&query, 0, 0, "pairings.pairing");
    }
    return query_end(&query, error);
}

bool records_add_totals(Store *store, int64_t run, TurfTotals (*totals)[2], size_t n_pairings,
                        TurfError *error)
{
    Sum sum = {totals, n_pairings};
    return check_ranges(store, run, error) &&
           records_each_game(store, run, RECORDS_ALL, sum_game, &sum, error) &&
           records_each_batch(store, run, sum_batch, &sum, error);
}

bool records_count(Store *store, int64_t run, RecordCounts *counts, TurfError *error)
{
    Query query;
    if (!query_open(&query, store,
                    "SELECT (SELECT count(*) FROM games WHERE run=?1), (SELECT count(*) FROM games "
                    "WHERE run=?1 AND NOT"
                    " is_sample), (SELECT coalesce(sum(n_counted), 0) FROM chunks WHERE run=?1)",
                    error))
        return false;
    query_bind_number(&query, run);
    (void)query_next(&query);
    counts->n_recorded = (uint64_t)query_number(&query);
    counts->n_single = (uint64_t)query_number(&query);
    counts->n_in_batches = (uint64_t)query_number(&query);
    return query_end(&query, error);
}

static bool collect_ranges(Query *query, GameSet *played, TurfError *error)
{
    bool has_memory = true;
    while (has_memory && query_next(query)) {
        int64_t   pairing = query_number_in(query, 0, MAX_STORED_PAIRINGS - 1, "pairing");
        GameRange range = {.pairing = (size_t)pairing};
        range.first = (uint64_t)query_number_in(query, 0, MAX_STORED_GAMES - 1, "first_game");
        range.n = (uint64_t)query_number_in(query, 1, MAX_STORED_GAMES, "n_games");
        if (query->damage)
            break;
        has_memory = game_set_add(played, range);
    }
    return query_end(query, error) && (has_memory || error_no_memory(error));
}

bool records_played(Store *store, int64_t run, GameSet *played, TurfError *error)
{
    Query query;
    if (!check_ranges(store, run, error))
        return false;
    if (!query_open(&query, store,
                    "SELECT pairing, first_game, n_games FROM chunks WHERE run=? ORDER BY pairing, "
                    "first_game",
                    error))
        return false;
    query_bind_number(&query, run);
    if (!collect_ranges(&query, played, error))
        return false;
    if (!query_open(&query, store,
                    "SELECT pairing, game, 1 FROM games WHERE run=? AND NOT is_sample ORDER BY "
                    "pairing, game",
                    error))
        return false;
    query_bind_number(&query, run);
    return collect_ranges(&query, played, error);
}
