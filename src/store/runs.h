/* Runs: what was to be played, by whom, and who meets whom. */
#ifndef TURF_STORE_RUNS_H
#define TURF_STORE_RUNS_H

#include "store/store.h"

typedef struct RunRecord {
    int64_t id;
    char   *game;
    char   *plan; /* as plan_to_json writes it: equal plans are equal texts */
    char   *plan_hash;
    char   *version;         /* of the turf that began it */
    int64_t created;         /* seconds since 1970 */
    int     shard, n_shards; /* 1 of 1: all of it */
    bool    is_finished;     /* every game of it (or of its shard) has been played */
} RunRecord;

typedef struct EntrantRecord {
    char *name, *spec;
    /* Of its own, if it has them; the plan alone knows. */
    char   *folder;  /* where a bot runs, or NULL */
    int64_t time_ms; /* gained for each turn, or 0 */
} EntrantRecord;

typedef struct PairingRecord {
    int      round;         /* from 1 */
    size_t   first, second; /* entrants, from 0 */
    uint64_t n_games;
    bool     swaps_sides; /* in every other game, as in TurfPairing */
} PairingRecord;

/* Writes a run and its entrants; `run->id` and `run->created` are filled in. This and the next are
 * to be called between store_begin and store_commit. */
bool runs_add(Store *store, RunRecord *run, const EntrantRecord *entrants, size_t n_entrants,
              TurfError *error);
/* Pairing number `first_index` and those after it. */
bool runs_add_pairings(Store *store, int64_t run, size_t first_index, const PairingRecord *pairings,
                       size_t n_pairings, TurfError *error);
/* Says so for whoever looks at the runs. It follows from the games, so it need not wait for the
 * disk. */
bool runs_set_finished(Store *store, int64_t run, TurfError *error);

/* All runs, oldest first; runs_free frees them. */
bool runs_read(Store *store, RunRecord **runs, size_t *n_runs, TurfError *error);
void runs_free(RunRecord *runs, size_t n_runs);
/* A copy, to be freed with run_record_release. NOT_FOUND, with the numbers that there are, if there
 * is none. */
bool runs_find(Store *store, int64_t id, RunRecord *run, TurfError *error);
void run_record_release(RunRecord *run);

/* The entrants of a run, in order; entrants_free frees them. */
bool runs_entrants(Store *store, int64_t run, EntrantRecord **entrants, size_t *n_entrants,
                   TurfError *error);
void entrants_free(EntrantRecord *entrants, size_t n_entrants);
/* The pairings that have been decided, in order: all of them, but in a Swiss event those of later
 * rounds come later. Freed with free. */
bool runs_pairings(Store *store, int64_t run, PairingRecord **pairings, size_t *n_pairings,
                   TurfError *error);

#endif
