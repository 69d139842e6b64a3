/* Putting the parts of a run together, from the databases of its shards. */
#ifndef TURF_ARENA_MERGE_H
#define TURF_ARENA_MERGE_H

#include "store/runs.h"
#include "store/store.h"

/* Which shards there were. */
typedef struct MergeShards {
    int   n_shards; /* 0: those of different cuts, or no shards at all */
    bool *is_there; /* n_shards of them; freed by the caller */
} MergeShards;

/* Writes one run into `out`, with every game that is in one of the databases once. All must hold
 * parts of the same plan: the last run of the first database says which. */
bool merge_runs(const char *const *paths, size_t n_paths, Store *out, int64_t *run,
                MergeShards *shards, TurfError *error);

#endif
