/* Records: what became of games. A game is counted once: on its own, or in the sums of a chunk. One
 * that is in a chunk may be kept as well to be looked at, and is marked as a sample then. */
#ifndef TURF_STORE_RECORDS_H
#define TURF_STORE_RECORDS_H

#include "store/game_set.h"
#include "store/store.h"

/* What is said of sides here is said of the board: TURF_FIRST moved first. */
typedef struct GameRecord {
    int64_t     id;  /* of the record; filled in when it is read */
    int64_t     run; /* likewise */
    size_t      pairing;
    uint64_t    game;       /* in its pairing, from 0 */
    bool        is_swapped; /* the first entrant of the pairing moved second */
    bool        is_sample;  /* counted in a chunk */
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

/* The sums over games first_game to first_game + n_games - 1 of a pairing. In the totals "first" is
 * the pairing's first entrant: [0] has the games in which it moved first, [1] those in which it
 * moved second. */
typedef struct BatchRecord {
    size_t     pairing;
    uint64_t   first_game, n_games;
    TurfTotals totals[2];
} BatchRecord;

/* The ending that the store has a word for: first, second, draw, stalemate, exhausted. */
TurfEnding ending_of_word(const char *word);
/* The ending as the pairing sees it, where "first" is its first entrant. */
TurfEnding game_record_ending(const GameRecord *record);

/* To be called between store_begin and store_commit. A game that is there already is an error. */
bool records_add_game(Store *store, int64_t run, const GameRecord *record, TurfError *error);
/* The same, but a game that is there already stays as it is. */
bool records_put_game(Store *store, int64_t run, const GameRecord *record, TurfError *error);
bool records_add_batch(Store *store, int64_t run, const BatchRecord *batch, TurfError *error);

/* Calls `visit` for every record in the order of pairings and games until it returns false, which
 * is no error. The texts are valid during the call. `pairing` narrows it down to one; RECORDS_ALL
 * is all. */
#define RECORDS_ALL SIZE_MAX
typedef bool GameVisitor(void *context, const GameRecord *record);
typedef bool ChunkVisitor(void *context, const BatchRecord *batch);
bool records_each_game(Store *store, int64_t run, size_t pairing, GameVisitor *visit, void *context,
                       TurfError *error);
bool records_each_batch(Store *store, int64_t run, ChunkVisitor *visit, void *context,
                        TurfError *error);
/* The same for one record by its id; NOT_FOUND if there is none. */
bool records_find_game(Store *store, int64_t id, GameVisitor *visit, void *context,
                       TurfError *error);

/* The id of the game that was recorded last, in any run; 0 if none was. */
bool records_last_game(Store *store, int64_t *id, TurfError *error);

/* Adds everything that counts to the totals, one pair for each pairing as in BatchRecord. */
bool records_add_totals(Store *store, int64_t run, TurfTotals (*totals)[2], size_t n_pairings,
                        TurfError *error);
/* How many games of a run there are: recorded one by one, those of them that count by their record,
 * and in chunks. */
typedef struct RecordCounts {
    uint64_t n_recorded, n_single, n_in_batches;
} RecordCounts;
bool records_count(Store *store, int64_t run, RecordCounts *counts, TurfError *error);
/* Which games of which pairings count, as a set. */
bool records_played(Store *store, int64_t run, GameSet *played, TurfError *error);

#endif
