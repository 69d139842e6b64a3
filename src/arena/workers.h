/* A run, with what the arena needs besides turf_run: it can skip games that were played before,
 * play one shard of many, and have everything kept before it counts. */
#ifndef TURF_ARENA_WORKERS_H
#define TURF_ARENA_WORKERS_H

#include "arena/batch.h"

typedef struct WorkerJob {
    const TurfGame       *game;
    const TurfPairing    *pairings;
    size_t                n_pairings;
    const TurfRunOptions *options; /* `start` is not looked at */
    const char *const    *starts;  /* taken in turns; none: the usual one */
    size_t                n_starts;
    const GameSet        *played;          /* not to be played again; may be NULL */
    int                   shard, n_shards; /* from 1; n_shards 0 is all */
    uint64_t              n_recorded;      /* games of each pairing to write down move by move */
    bool                  counts_singly;   /* all games count one by one, as those of bots do */
    /* Keeps parts for good; what it has kept is counted, and the next game of a bot waits for it.
     * Called from one thread at a time. NULL: nothing is kept, and nothing is written down. False
     * ends the run. */
    bool (*keep)(void *context, BatchResult *const *results, size_t n_results, TurfError *error);
    void       *keep_context;
    ArenaDelay *delay; /* gets the arena's own delay in turns of bots; may be NULL */
} WorkerJob;

/* Adds what is played to `totals`, which are as in BatchRecord. */
bool workers_play(const WorkerJob *job, TurfTotals (*totals)[2], TurfError *error);

#endif
