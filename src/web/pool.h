/* A few threads that do the jobs of many callers, so that nobody waits because of another's many:
 *
 * - a job that somebody waits for comes before one that is only to be looked at;
 * - callers take turns, whoever was served longest ago first; the jobs of one are done as they fall
 * due;
 * - the last free thread is for somebody who waits, and for whom nothing is being done yet;
 * - the queue is bounded, and shared as web/quota.h says. */
#ifndef TURF_WEB_POOL_H
#define TURF_WEB_POOL_H

#include "turf.h"
#include "web/client.h"

typedef struct Pool Pool;

typedef struct PoolJob {
    void (*run)(void *context);
    void   *context;
    Client  client;
    bool    is_show; /* nobody waits for it */
    int64_t due_ns;  /* on the monotonic clock; 0 is now */
} PoolJob;

Pool *pool_new(int n_threads, size_t max_jobs, TurfError *error);
/* Refuses when the caller, or all together, have too many waiting already, or the pool is being
 * freed. */
bool pool_add(Pool *pool, const PoolJob *job);
/* Does the jobs that are due, drops those that are not with `drop`, ends the threads, and takes no
 * more. */
void pool_stop(Pool *pool, void (*drop)(void *context));
/* The same, and frees it. NULL is fine for both. */
void pool_free(Pool *pool, void (*drop)(void *context));

#endif
