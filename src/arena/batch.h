/* Batches: a range of consecutive games of one pairing, played by one thread.
 *
 * A game is a function of (seed, players, game number), so batches can be played in any order, by
 * any thread or machine, and the totals are the same to the byte.
 *
 * Thread safety: a BatchContext is read-only while workers play; a worker owns a BatchResult until
 * it hands it to `deliver`. */
#ifndef TURF_ARENA_BATCH_H
#define TURF_ARENA_BATCH_H

#include "arena/run.h"

/* A parsed start position. */
typedef struct StartPosition {
    const char *text;      /* NULL: the game's default start */
    bool        is_random; /* drawn anew for each game */
    TurfState   state;     /* unless is_random */
} StartPosition;

/* A game that is listed in a result: to be stored move by move, or to be reported to a hook. */
typedef struct PlayedGame {
    GameRecord record; /* `start`, `moves` and `times` are NULL if it is not to be stored */
    ArenaDelay delay;
    char      *texts[5]; /* those that the record points to */
} PlayedGame;

/* The games of a batch, or the first part of them, with their totals. */
typedef struct BatchResult {
    struct BatchResult *next; /* in the writer's queue */
    GameRange           games;
    TurfTotals          totals[2]; /* as in BatchRecord */
    bool                is_single; /* one game, stored by its record and not in a batch */
    bool must_commit_first; /* not reproducible (bots, clocks): commit before the next game */
    PlayedGame *played;
    size_t      n_played;
} BatchResult;

/* What the batches of a run share. The caller fills in the first six. */
typedef struct BatchContext {
    const Run         *run;
    bool               logs_games;  /* record the plan's n_recorded games and all single ones */
    bool               lists_games; /* list every game in the results; rules out fast kernels */
    const atomic_bool *stop;
    atomic_bool       *has_absent; /* set when a game is left out; may be NULL */
    /* Takes a result over. False: play no more. */
    bool (*deliver)(void *context, BatchResult *result);
    void *context;

    StartPosition *starts; /* of the games in turn */
    size_t         n_starts;
} BatchContext;

/* Checks the players and parses the starts. */
bool batch_context_init(BatchContext *context, TurfError *error);
void batch_context_release(BatchContext *context);

/* Are the games of this pairing stored one by one? True with bots, clocks and an SPRT by pairs. */
bool pairing_is_single(const Run *run, size_t pairing);

/* Plays the games and delivers them in one result or more. */
bool batch_play(const BatchContext *context, GameRange games, TurfError *error);

/* How a device would play the games of a pairing: those as listed, or with `is_swapped` those with
 * sides swapped. False: it cannot. */
bool batch_for_device(const BatchContext *context, size_t pairing, bool is_swapped,
                      DeviceGames *games);

/* A result without games, for those that were played elsewhere. NULL: out of memory. */
BatchResult *batch_result_new(GameRange games, TurfError *error);
void         batch_result_free(BatchResult *result);

#endif
