/* The results of games. A game is stored as a single record or counted in the totals of a batch,
 * never both. A game of a batch can also be recorded as a sample, which does not count. */
#ifndef TURF_STORE_RECORDS_H
#define TURF_STORE_RECORDS_H

#include "store/game_set.h"
#include "store/store.h"

/* One game. TURF_FIRST is the side that moved first, whichever entrant that was. */
typedef struct GameRecord {
    int64_t     id, run; /* set when it is read */
    size_t      pairing;
    uint64_t    game;       /* in its pairing, from 0 */
    bool        is_swapped; /* the first entrant of the pairing moved second */
    bool        is_sample;  /* counted in a batch */
    TurfEnding  ending;
    uint32_t    length;
    int         forfeiter;                /* a side, or -1 */
    TurfForfeit reason;                   /* if there is one */
    const char *explanation, *last_words; /* of a forfeit; may be NULL */
    double      seconds;
    const char *start; /* a position, JSON */
    const char *moves; /* JSON: a list of moves, or of both sides' actions */
    const char *times; /* JSON: microseconds for each move, or a pair of them */
} GameRecord;

/* The totals of games first_game to first_game + n_games - 1 of a pairing. In the totals "first" is
 * the pairing's first entrant: [0] has the games in which it moved first, [1] the others. */
typedef struct BatchRecord {
    size_t     pairing;
    uint64_t   first_game, n_games;
    TurfTotals totals[2];
} BatchRecord;

/* The ending for a word in the database: first, second, draw, stalemate, exhausted. */
TurfEnding ending_of_word(const char *word);
/* The ending seen from the pairing: "first" is its first entrant. */
TurfEnding game_record_ending(const GameRecord *record);

/* Call these in a transaction. A game that is stored already is an error. */
bool records_add_game(Store *store, int64_t run, const GameRecord *record, TurfError *error);
/* The same, but a game that is stored already stays as it is. */
bool records_put_game(Store *store, int64_t run, const GameRecord *record, TurfError *error);
bool records_add_batch(Store *store, int64_t run, const BatchRecord *batch, TurfError *error);

/* Calls `visit` for every record in the order of pairings and games until it returns false, which
 * is no error. The texts are valid during the call. `pairing` narrows it down to one; RECORDS_ALL
 * is all. */
#define RECORDS_ALL SIZE_MAX
typedef bool GameVisitor(void *context, const GameRecord *record);
typedef bool BatchVisitor(void *context, const BatchRecord *batch);
bool records_each_game(Store *store, int64_t run, size_t pairing, GameVisitor *visit, void *context,
                       TurfError *error);
bool records_each_batch(Store *store, int64_t run, BatchVisitor *visit, void *context,
                        TurfError *error);
/* The same for one record by its id; NOT_FOUND if there is none. */
bool records_find_game(Store *store, int64_t id, GameVisitor *visit, void *context,
                       TurfError *error);

/* Reads the columns ending, forfeiter and reason of `games`, in this order; for src/store. */
struct Query;
void records_read_ending(struct Query *query, GameRecord *record);

/* Do the games, batches, pairings and entrants of a run fit together? */
bool records_check(Store *store, int64_t run, TurfError *error);

/* The id of the last recorded game of all runs; 0 if there is none. */
bool records_last_game(Store *store, int64_t *id, TurfError *error);

/* Adds all games that count to the totals, a pair for each pairing as in BatchRecord. */
bool records_add_totals(Store *store, int64_t run, TurfTotals (*totals)[2], size_t n_pairings,
                        TurfError *error);
typedef struct RecordCounts {
    uint64_t n_recorded;   /* single records, samples included */
    uint64_t n_single;     /* single records that count */
    uint64_t n_in_batches; /* games counted in batches */
} RecordCounts;
bool records_count(Store *store, int64_t run, RecordCounts *counts, TurfError *error);
/* The games of a run that have been played. */
bool records_played(Store *store, int64_t run, GameSet *played, TurfError *error);

#endif
