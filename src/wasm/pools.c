/* Pools without threads (web/pool.h). A pool of no threads runs a job at once, in the caller's
 * call; a pool of one keeps it until it is due, for pools_run. */
#include "wasm/house.h"

#include "base/clock.h"
#include "base/error.h"

#include <stdlib.h>

typedef struct Waiting {
    struct Waiting *next;
    PoolJob         job;
} Waiting;

struct Pool {
    int      n_threads;
    Waiting *first, **end;
};

Pool *pool_new(int n_threads, size_t max_jobs, TurfError *error)
{
    (void)max_jobs;
    Pool *pool = calloc(1, sizeof *pool);
    if (!pool) {
        error_no_memory(error);
        return NULL;
    }
    *pool = (Pool){.n_threads = n_threads, .end = &pool->first};
    return pool;
}

bool pool_add(Pool *pool, const PoolJob *job)
{
    if (pool->n_threads == 0) {
        job->run(job->context);
        return true;
    }
    Waiting *waiting = malloc(sizeof *waiting);
    if (!waiting)
        return false;
    *waiting = (Waiting){.job = *job};
    *pool->end = waiting;
    pool->end = &waiting->next;
    return true;
}

/* Runs the jobs that are due; those that they add wait for the next call. */
static void run_due(Pool *pool)
{
    Waiting *list = pool->first;
    pool->first = NULL;
    pool->end = &pool->first;
    for (Waiting *next; list; list = next) {
        next = list->next;
        if (list->job.due_ns > clock_ns()) {
            list->next = NULL;
            *pool->end = list;
            pool->end = &list->next;
            continue;
        }
        list->job.run(list->job.context);
        free(list);
    }
}

EXPORT("work") void pools_run(void)
{
    run_due(house()->players);
    run_due(house()->bots);
}
