/* Batches: how the games of a run are cut into pieces, and how a piece is played. What a game
 * becomes depends on the seed, its players and its number alone, so pieces may be played by any
 * thread of any machine, in any order. */
#ifndef TURF_ARENA_BATCH_H
#define TURF_ARENA_BATCH_H

#include "arena/game_log.h"
#include "arena/game_play.h"
#include "store/records.h"
#include "store/game_set.h"

/* What a start became that may draw on its stream, and then is made anew for each game. */
typedef struct StartPosition {
    const char *text; /* NULL: the usual one */
    bool        varies;
    TurfState   state; /* if it does not */
} StartPosition;

/* A game that was written down. */
typedef struct LoggedGame {
    GameRecord record;
    GameLog    log;
    char      *texts[4]; /* that the record points to */
} LoggedGame;

/* What some games in a row of a pairing came to. */
typedef struct BatchResult {
    struct BatchResult *next;
    GameRange           games;
    TurfTotals          totals[2]; /* as in BatchRecord */
    bool                is_single; /* one game, which counts by its record */
    bool        is_unique; /* it cannot be played again, so the next game waits until it is safe */
    LoggedGame *logged;
    size_t      n_logged;
} BatchResult;

/* What the games of a run share. */
typedef struct BatchContext {
    const TurfGame    *game;
    const TurfPairing *pairings;
    size_t             n_pairings;
    uint64_t           seed;
    StartPosition     *starts; /* game by game in turns */
    size_t             n_starts;
    int64_t            time_ms, move_cap_ms;
    uint64_t           n_recorded; /* of each pairing, from the first */
    bool logs_singles;  /* games with bots or clocks are handed over one by one, with their moves */
    bool counts_singly; /* all games count one by one */
    bool tells_games;   /* no batch is left to a kernel */
    const atomic_bool *stop;
    /* Takes a part, which is the receiver's to free from then on. False: no more is wanted. */
    bool (*receive)(void *context, BatchResult *result);
    /* A game that counts was played. May be NULL. */
    void (*finished)(void *context, size_t pairing, uint64_t index, bool is_swapped,
                     const GameResult *result);
    void *context;
} BatchContext;

/* Checks players and starts, and makes the ground ready. `starts` may be empty: the usual one. */
bool batch_context_init(BatchContext *batch_context, const char *const *starts, size_t n_starts,
                        TurfError *error);
void batch_context_release(BatchContext *batch_context);

/* Do games of this pairing count one by one, because they cannot be played again or take their
 * time? */
bool pairing_is_single(const BatchContext *batch_context, size_t pairing);

/* How many batches there are, and which games a batch has: perhaps none. They take all pairings in
 * turns, so that every row of a table grows at the same time. */
uint64_t  batch_count(const BatchContext *batch_context);
GameRange batch_at(const BatchContext *batch_context, uint64_t index);
/* Which of `n_shards` plays it, from 1. */
int batch_shard(const BatchContext *batch_context, uint64_t index, int n_shards);

/* Plays games of one batch and hands them over in parts. */
bool batch_play(const BatchContext *batch_context, GameRange games, TurfError *error);

void batch_result_free(BatchResult *result);

#endif
