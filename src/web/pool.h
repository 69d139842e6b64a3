/* A pool of threads for jobs of many clients, scheduled so that one client's many jobs do not hold
 * up the others:
 *
 * - jobs that a client waits for run before background jobs;
 * - clients take turns, the one served longest ago first; each client's jobs run in order of due
 *   time;
 * - the last free thread is reserved for a client that waits and has no job running that it waits
 * for;
 * - the queue is bounded, and shared by the rule for slots in web/quota.h.
 *
 * Thread safety: pool_add may be called from any thread, jobs included. */
#ifndef TURF_WEB_POOL_H
#define TURF_WEB_POOL_H

#include "turf.h"
#include "web/client.h"

typedef struct Pool Pool;

typedef struct PoolJob {
    void (*run)(void *context);
    void   *context;
    Client  client;
    bool    is_background; /* no client waits for it */
    int64_t due_ns;        /* on the monotonic clock; 0 is now */
} PoolJob;

Pool *pool_new(int n_threads, size_t max_jobs, TurfError *error);
/* False if the client, or all together, have too many jobs waiting, or the pool is being stopped.
 */
bool pool_add(Pool *pool, const PoolJob *job);
/* Runs the jobs that are due, calls `drop` for the others, and joins the threads. */
void pool_stop(Pool *pool, void (*drop)(void *context));
/* The same, and frees it. NULL is fine for both. */
void pool_free(Pool *pool, void (*drop)(void *context));

#endif
