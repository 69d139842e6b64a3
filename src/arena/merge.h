/* Merging the shards of a run from their databases. */
#ifndef TURF_ARENA_MERGE_H
#define TURF_ARENA_MERGE_H

#include "arena/plan.h"
#include "store/runs.h"
#include "store/store.h"

/* The shards that were found. */
typedef struct MergeShards {
    int   n_shards; /* 0: the databases hold shards of different --shard k/N */
    bool *is_there; /* n_shards entries; freed by the caller */
} MergeShards;

/* For shards of a round of a league: which round the run is, and whether its plan may be. */
typedef struct MergeRound {
    int64_t round;
    bool (*accept)(void *context, const Plan *plan, TurfError *error);
    void *context;
} MergeRound;

/* Writes one run into `out`, with each game of the databases once. All must hold shards of one
 * plan: that of the last run in the first database. */
bool merge_runs(const char *const *paths, size_t n_paths, Store *out, int64_t *run,
                MergeShards *shards, TurfError *error);
/* The same for a round of a league. */
bool merge_round(const char *const *paths, size_t n_paths, Store *out, const MergeRound *round,
                 MergeShards *shards, TurfError *error);

#endif
