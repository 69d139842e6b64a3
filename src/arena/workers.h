/* Playing a run: worker threads play batches, and a writer thread commits what they deliver.
 *
 * A game is counted, shown and reported only after its commit. A game that cannot be reproduced
 * (bots, clocks) is committed before its worker begins the next one. */
#ifndef TURF_ARENA_WORKERS_H
#define TURF_ARENA_WORKERS_H

#include "arena/batch.h"

typedef struct Workers Workers;

/* Workers outside of this process: the other ranks of an MPI job. */
typedef struct RemoteWorkers {
    /* Called before any game is played. False: they cannot play this run. */
    bool (*begin)(const Run *run, TurfError *error);
    /* Takes games, delivers their results, and calls workers_report several times a second. Ends
     * when workers_take has no more and all results are delivered. */
    void (*play)(Workers *workers);
} RemoteWorkers;

/* What is called while a run is played. All may be NULL. */
typedef struct RunHooks {
    /* As in TurfRunOptions. The last two are called after the commit. */
    bool (*progress)(void *context, const TurfTotals *totals, size_t n_pairings);
    void (*finished)(void *context, const TurfFinished *game);
    void (*forfeited)(void *context, const TurfPlayer *player, uint64_t game, TurfForfeit reason,
                      const char *text, const char *errors);
    /* A list of results that were just committed; from the writer's thread. */
    void (*committed)(void *context, const BatchResult *results);
    void                *context;
    const RemoteWorkers *remote; /* play as well, besides one thread of this process */
} RunHooks;

/* Plays the pairings in `is_left` on the run's device until no games are left, the run is stopped,
 * or the device has failed (workers_lose_device). */
typedef void DeviceWork(Workers *workers, const BatchContext *context, const bool *is_left);

/* Plays the games not yet played of the pairings decided so far. True also when it was stopped
 * early. */
bool workers_play(Run *run, const RunHooks *hooks, DeviceWork *play_on_device, TurfError *error);

/* ---- for RemoteWorkers and the device; all are thread-safe ---- */

const Run *workers_run(const Workers *workers);
/* The next games not yet played. False: there are none, or the run was stopped. Recorded games are
 * not for remote workers: their moves would have to travel. */
bool workers_take(Workers *workers, bool is_remote, GameRange *games);
/* For the device: up to `n_games` games of a pairing that is left to it, in ranges of consecutive
 * games, up to `room`. Returns the number of ranges. */
size_t workers_take_for_device(Workers *workers, size_t pairing, uint64_t n_games,
                               GameRange *ranges, size_t room);
/* The device has failed: these games and all others that were left to it go to the processor. */
void workers_lose_device(Workers *workers, const GameRange *ranges, size_t n_ranges);
/* Takes a result over for the writer; a deliver function for a BatchContext. False: the run has
 * failed. */
bool workers_deliver(void *workers, BatchResult *result);
void workers_fail(Workers *workers, const TurfError *error);
/* Calls the progress hook. False: the run was stopped. */
bool workers_report(Workers *workers);

#endif
