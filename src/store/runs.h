/* Runs: their plans, entrants and pairings. */
#ifndef TURF_STORE_RUNS_H
#define TURF_STORE_RUNS_H

#include "store/store.h"

typedef struct RunRecord {
    int64_t id;
    char   *game;
    char   *plan; /* JSON, as plan_to_json writes it: equal plans are equal texts */
    char   *plan_hash;
    char   *version;         /* of the turf that started it */
    int64_t created;         /* seconds since 1970 */
    int     shard, n_shards; /* from 1; 1 of 1 is the whole run */
    char   *signature;       /* of the plan, or NULL; runs_add takes it, runs_signature reads it */
    int64_t league_round;    /* runs_add takes it: the round of a league, from 1; 0: none */
    bool    is_league_final; /* likewise */
    bool    is_finished;     /* every game of the run (or of its shard) has been played */
} RunRecord;

typedef struct EntrantRecord {
    char *name, *spec;
    /* From the plan only: runs_entrants leaves these empty. */
    char   *folder;  /* working directory of a bot, or NULL */
    int64_t time_ms; /* gained for each turn, or 0 */
} EntrantRecord;

typedef struct PairingRecord {
    int      round;         /* from 1 */
    size_t   first, second; /* entrants, from 0 */
    uint64_t n_games;
    bool     swaps_sides; /* in every other game, as in TurfPairing */
} PairingRecord;

/* Inserts a run and its entrants, and sets `run->id` and `run->created`. Call this and
 * runs_add_pairings in a transaction. */
bool runs_add(Store *store, RunRecord *run, const EntrantRecord *entrants, size_t n_entrants,
              TurfError *error);
/* Inserts pairings with the numbers `first_index` and up. */
bool runs_add_pairings(Store *store, int64_t run, size_t first_index, const PairingRecord *pairings,
                       size_t n_pairings, TurfError *error);
/* Marks a run as finished, for lists of runs. The commit does not wait for the disk, since the mark
 * follows from the games. */
bool runs_set_finished(Store *store, int64_t run, TurfError *error);

/* All runs, oldest first; free them with runs_free. */
bool runs_read(Store *store, RunRecord **runs, size_t *n_runs, TurfError *error);
void runs_free(RunRecord *runs, size_t n_runs);
/* A copy, to be freed with run_record_release; an id of 0 is the last run. NOT_FOUND, with the
 * numbers that there are, if there is none. */
bool runs_find(Store *store, int64_t id, RunRecord *run, TurfError *error);
void run_record_release(RunRecord *run);

/* The signature of a run's plan, empty if it has none; cut if it is longer than any that turf
 * writes. */
bool runs_signature(Store *store, int64_t run, char *signature, size_t room, TurfError *error);

/* The entrants of a run, in order; free them with entrants_free. */
bool runs_entrants(Store *store, int64_t run, EntrantRecord **entrants, size_t *n_entrants,
                   TurfError *error);
void entrants_free(EntrantRecord *entrants, size_t n_entrants);
/* The pairings of a run, in order; in a Swiss tournament those of the rounds drawn so far. Free
 * them with free. */
bool runs_pairings(Store *store, int64_t run, PairingRecord **pairings, size_t *n_pairings,
                   TurfError *error);

#endif
