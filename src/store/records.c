/* The tables games and chunks (a chunk is a stored batch; see schema.h). A game counts once, by its
 * own row or by the chunk that covers it: records_add_batch refuses a batch that overlaps one. */
#include "store/records.h"

#include "base/error.h"
#include "games/totals.h"
#include "store/sql.h"

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

static TurfEnding read_ending(Query *query)
{
    const char *word = query_text(query, "games.ending");
    TurfEnding  ending = ending_of_word(word);
    query_check(query, !strcmp(word, ending_words[ending]), "games.ending");
    return ending;
}

/* A side, or -1 for SQL's NULL. */
static int read_forfeiter(Query *query)
{
    const char *word = query_text_or_null(query, "games.forfeiter");
    bool        is_second = word && !strcmp(word, ending_words[TURF_SECOND]);
    query_check(query, !word || is_second || !strcmp(word, ending_words[TURF_FIRST]),
                "games.forfeiter");
    return word ? is_second : -1;
}

static TurfForfeit read_reason(Query *query, bool is_forfeit)
{
    const char *word = query_text_or_null(query, "games.reason");
    int         reason = 0;
    while (word && reason < TURF_N_FORFEITS - 1 &&
           strcmp(word, turf_forfeit_name((TurfForfeit)reason)))
        reason++;
    query_check(query,
                is_forfeit == (word != NULL) &&
                    (!word || !strcmp(word, turf_forfeit_name((TurfForfeit)reason))),
                "games.reason");
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
    bool is_overlapped =
        query_next(&query) &&
        query_number_in(&query, 1, MAX_STORED_GAMES, "chunks.n_games") > (int64_t)batch->first_game;
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

static void read_forfeit(Query *query, GameRecord *record)
{
    record->forfeiter = read_forfeiter(query);
    record->reason = read_reason(query, record->forfeiter >= 0);
    query_check(query, record->forfeiter < 0 || (int)record->ending == !record->forfeiter,
                "games.ending");
}

void records_read_ending(Query *query, GameRecord *record)
{
    record->ending = read_ending(query);
    read_forfeit(query, record);
}

static GameRecord game_of(Query *query)
{
    GameRecord record = {.id = query_number_in(query, 1, INT64_MAX, "games.id")};
    record.run = query_number_in(query, 1, INT64_MAX, "games.run");
    record.pairing = (size_t)query_number_in(query, 0, MAX_STORED_PAIRINGS - 1, "games.pairing");
    record.game = (uint64_t)query_number_in(query, 0, MAX_STORED_GAMES - 1, "games.game");
    record.is_swapped = query_flag(query, "games.is_swapped");
    record.is_sample = query_flag(query, "games.is_sample");
    record.ending = read_ending(query);
    record.length = (uint32_t)query_number_in(query, 0, MAX_STORED_LENGTH, "games.length");
    read_forfeit(query, &record);
    record.explanation = query_text_or_null(query, "games.explanation");
    record.last_words = query_text_or_null(query, "games.last_words");
    record.seconds = query_seconds(query, "games.seconds");
    record.start = query_text(query, "games.start");
    record.moves = query_text(query, "games.moves");
    record.times = query_text(query, "games.times");
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
    *id = query_next(&query) ? query_number_in(&query, 0, INT64_MAX, "games.id") : 0;
    return query_end(&query, error);
}

/* Could these sums be those of so many games? `longest` leaves out exhausted games. */
static bool is_length_possible(const TurfTotals *totals)
{
    double n = (double)totals->n_games, sum = (double)totals->length_sum;
    bool   has_longest = totals->endings[TURF_EXHAUSTED] < totals->n_games;
    double longest = totals->endings[TURF_EXHAUSTED] ? MAX_STORED_LENGTH : totals->longest;
    return (has_longest ? totals->shortest <= totals->longest : totals->longest == 0) &&
           sum >= n * totals->shortest && sum <= n * longest &&
           (double)totals->length_square_sum * n >= sum * sum * (1 - 1e-9) &&
           (double)totals->length_square_sum <= sum * longest * (1 + 1e-9);
}

static void read_totals(Query *query, int64_t n_games, TurfTotals *totals)
{
    uint64_t n_ended = 0;
    totals->n_games = (uint64_t)query_number_in(query, 1, n_games, "chunks.n_counted");
    for (int ending = 0; ending < TURF_N_ENDINGS; ending++) {
        totals->endings[ending] =
            (uint64_t)query_number_in(query, 0, n_games, "the endings of chunks");
        n_ended += totals->endings[ending];
    }
    query_check(query, n_ended == totals->n_games, "the endings of chunks");
    totals->length_sum = (uint64_t)query_number_in(query, 0, INT64_MAX, "chunks.length_sum");
    totals->length_square_sum =
        (uint64_t)query_number_in(query, 0, INT64_MAX, "chunks.length_square_sum");
    totals->shortest = (uint32_t)query_number_in(query, 0, MAX_STORED_LENGTH, "chunks.shortest");
    totals->longest = (uint32_t)query_number_in(query, 0, MAX_STORED_LENGTH, "chunks.longest");
    query_check(query, is_length_possible(totals), "the lengths of chunks");
    totals->seconds = query_seconds(query, "chunks.seconds");
}

/* A batch with swapped sides is stored as two rows. */
static void read_batch_row(Query *query, BatchRecord *batch, bool *is_next)
{
    size_t   pairing = (size_t)query_number_in(query, 0, MAX_STORED_PAIRINGS - 1, "chunks.pairing");
    uint64_t first_game =
        (uint64_t)query_number_in(query, 0, MAX_STORED_GAMES - 1, "chunks.first_game");
    bool        is_swapped = query_flag(query, "chunks.is_swapped");
    uint64_t    n_games = (uint64_t)query_number_in(query, 1, MAX_STORED_GAMES, "chunks.n_games");
    TurfTotals *totals = &batch->totals[is_swapped];
    *is_next = batch->n_games == 0 || batch->pairing != pairing || batch->first_game != first_game;
    if (*is_next)
        *batch = (BatchRecord){pairing, first_game, n_games, {TOTALS_NONE, TOTALS_NONE}};
    read_totals(query, (int64_t)n_games, totals);
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

/* Games within their pairings, swapped as their pairings say, and none counted twice; batches that
 * do not overlap, and count as many games on each side as they have; the numbers of pairings and
 * entrants without gaps. */
static const char check_games[] =
    "SELECT (SELECT count(*) FROM games g LEFT JOIN pairings p ON p.run=g.run AND"
    "  p.pairing=g.pairing WHERE g.run=?1 AND (p.pairing IS NULL OR g.game>=p.n_games OR"
    "  g.is_swapped<>(p.swaps_sides AND g.game%2))),"
    " (SELECT count(*) FROM games g WHERE g.run=?1 AND NOT g.is_sample AND g.game<(SELECT"
    "  c.first_game+c.n_games FROM chunks c WHERE c.run=g.run AND c.pairing=g.pairing AND"
    "  c.first_game<=g.game ORDER BY c.first_game DESC LIMIT 1)),"
    " (SELECT count(*)-count(DISTINCT pairing||','||game) FROM games WHERE run=?1),"
    " (SELECT count(*) FROM chunks c LEFT JOIN pairings p ON p.run=c.run AND"
    "  p.pairing=c.pairing WHERE c.run=?1 AND (p.pairing IS NULL OR"
    "  c.first_game+c.n_games>p.n_games OR c.n_counted<>iif(p.swaps_sides,"
    "  (c.n_games+(c.first_game+c.is_swapped+1)%2)/2, c.n_games*(1-c.is_swapped)))),"
    " (SELECT count(*) FROM (SELECT first_game, lag(first_game+n_games) OVER (PARTITION BY"
    "  pairing ORDER BY first_game) AS last FROM (SELECT pairing, first_game,"
    "  max(n_games) AS n_games FROM chunks WHERE run=?1 GROUP BY pairing, first_game)) WHERE"
    "  last>first_game),"
    " (SELECT count(*) FROM (SELECT sum(n_counted) AS counted, min(n_games) AS least,"
    "  max(n_games) AS most FROM chunks WHERE run=?1 GROUP BY pairing, first_game)"
    "  WHERE counted<>least OR counted<>most),"
    " (SELECT coalesce(min(pairing)<>0 OR max(pairing)+1<>count(*), 0) FROM pairings WHERE run=?1),"
    " (SELECT coalesce(min(entrant)<>0 OR max(entrant)+1<>count(*), 0) FROM entrants WHERE run=?1)";

bool records_check(Store *store, int64_t run, TurfError *error)
{
    static const char *const names[] = {"games.game",       "games.is_sample",   "games.game",
                                        "chunks.n_games",   "chunks.first_game", "chunks.n_counted",
                                        "pairings.pairing", "entrants.entrant"};
    Query                    query;
    if (!query_open(&query, store, check_games, error))
        return false;
    query_bind_number(&query, run);
    for (size_t i = 0, has_row = query_next(&query); has_row && i < sizeof names / sizeof *names;
         i++)
        (void)query_number_in(&query, 0, 0, names[i]);
    return query_end(&query, error);
}

bool records_add_totals(Store *store, int64_t run, TurfTotals (*totals)[2], size_t n_pairings,
                        TurfError *error)
{
    Sum sum = {totals, n_pairings};
    return records_each_game(store, run, RECORDS_ALL, sum_game, &sum, error) &&
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
    counts->n_recorded = (uint64_t)query_number_in(&query, 0, INT64_MAX, "games.run");
    counts->n_single = (uint64_t)query_number_in(&query, 0, INT64_MAX, "games.is_sample");
    counts->n_in_batches = (uint64_t)query_number_in(&query, 0, INT64_MAX, "chunks.n_counted");
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
