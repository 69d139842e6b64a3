/* An event: a plan, its players, and what has been played of it, in a store or not. A match is a
 * small event, and one that was interrupted is an event like any other. */
#ifndef TURF_ARENA_RUN_H
#define TURF_ARENA_RUN_H

#include "arena/plan.h"
#include "arena/workers.h"
#include "store/store.h"

typedef struct Run {
    Plan         plan;
    int          shard, n_shards; /* 1 of 1: all of it */
    TurfPlayer **players;         /* one for each entrant */
    Store       *store;           /* NULL: nothing is kept */
    int64_t      run_id;          /* its number there */

    /* The pairings that have been decided, and what their games came to; as in BatchRecord. */
    size_t         n_pairings;
    PairingRecord *schedule;
    TurfPairing   *pairings;
    TurfTotals (*totals)[2];
    GameSet    played;
    uint64_t   n_before; /* games that had been played when it was resumed */
    ArenaDelay delay;

    /* Of a match with changing sides whose games count one by one: what the first entrant got in
     * each game, in halves and one more; 0 is not known. */
    uint8_t     *points;
    uint64_t     n_points;
    SprtStanding test; /* where the test of the plan stands, if it has one */
} Run;

/* Plays the games of a job that has a keeper, in another way than workers_play does. */
typedef bool RemotePlay(void *context, const Run *run, const WorkerJob *job,
                        TurfTotals (*totals)[2], TurfError *error);
typedef struct RemoteWorkers {
    RemotePlay *play;
    void       *context;
} RemoteWorkers;

/* What happens beside the games. All may be NULL. */
typedef struct RunHooks {
    int                  n_jobs;
    const RemoteWorkers *elsewhere; /* NULL: the threads of this program play */
    /* As in TurfRunOptions. */
    bool (*progress)(void *context, const TurfTotals *totals, size_t n_pairings);
    void (*forfeited)(void *context, const TurfPlayer *player, uint64_t game, TurfForfeit reason,
                      const char *text, const char *errors);
    /* Parts that have just been kept; called from another thread, one call at a time. */
    void (*kept)(void *context, BatchResult *const *results, size_t n_results);
    /* Who meets whom has been decided, for all or for the next round. */
    void (*paired)(void *context, const Run *run);
    void *context;
} RunHooks;

/* Takes the plan over, and opens its players. If only results are wanted, they need not be able to
 * play: then nothing is looked for or listened to. */
bool run_init(Run *run, Plan *plan, bool will_play, TurfError *error);
void run_release(Run *run);

/* Writes a new run into the store and attaches the event to it; the store stays the caller's. */
bool run_begin(Run *run, Store *store, TurfError *error);
/* Makes an event of a run in the store, with all that has been played of it. */
bool run_resume(Run *run, Store *store, const RunRecord *record, bool will_play, TurfError *error);

/* Decides on the first pairings, which run_play would do as well. */
bool run_prepare(Run *run, TurfError *error);
/* Plays what is missing. True also when it was stopped early: see run_is_whole. */
bool run_play(Run *run, const RunHooks *hooks, TurfError *error);

/* How many games the event, or its shard, has in all, and how many were played. */
uint64_t run_n_games(const Run *run);
uint64_t run_n_played(const Run *run);
bool     run_is_whole(const Run *run);

/* The games that are missing, as a set. */
bool run_missing(const Run *run, GameSet *missing);

#endif
