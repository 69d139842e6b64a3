/* A few threads that do jobs in the order in which they fall due. */
#ifndef TURF_WEB_POOL_H
#define TURF_WEB_POOL_H

#include "turf.h"

typedef struct Pool Pool;

Pool *pool_new(int n_threads, size_t most_jobs, TurfError *error);
/* Refuses when there are too many already, or the pool is being freed. `due_ns` is on the monotonic clock; 0 is now. */
bool pool_add(Pool *pool, void (*run)(void *context), void *context, int64_t due_ns);
/* Does the jobs that are due, drops those that are not with `drop`, ends the threads, and takes no more. */
void pool_stop(Pool *pool, void (*drop)(void *context));
/* The same, and frees it. NULL is fine for both. */
void pool_free(Pool *pool, void (*drop)(void *context));

#endif
