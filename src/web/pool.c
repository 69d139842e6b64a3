/* The thread pool; see pool.h for the order of jobs.
 *
 * One lock guards everything; it is released while a job runs. `changed` is signalled when a job is
 * added, when a thread takes one while others wait, and when the pool ends. */
#include "web/pool.h"

#include "base/clock.h"
#include "base/error.h"
#include "web/quota.h"

#include <pthread.h>
#include <stdlib.h>

/* Clients are remembered after their last job: a client that always has just one job would
 * otherwise always be new, and come first. */
enum { MAX_OWNERS = 256 };

typedef struct Owner {
    struct Owner *next;
    Client        client;
    size_t        n_waiting, n_running;
    size_t        n_awaited; /* running jobs that are not background jobs */
    uint64_t      served;    /* number of its last job; 0: none yet */
} Owner;

typedef struct Job {
    struct Job *next;
    PoolJob     what;
    Owner      *owner;
} Job;

struct Pool {
    pthread_mutex_t lock;
    pthread_cond_t  changed;
    Job            *jobs; /* waiting, by due time */
    size_t          n_jobs, max_jobs;
    Owner          *owners;
    size_t          n_owners;
    uint64_t        n_served;
    bool            is_ending;
    int             n_threads, n_busy;
    pthread_t       threads[];
};

/* ---- scheduling --------------------------------------------------------------------------- */

/* Frees the owner without jobs that was served longest ago. */
static void forget_owner(Pool *pool)
{
    Owner **oldest = NULL;
    for (Owner **at = &pool->owners; *at; at = &(*at)->next)
        if (!(*at)->n_waiting && !(*at)->n_running &&
            (!oldest || (*at)->served < (*oldest)->served))
            oldest = at;
    if (!oldest)
        return;
    Owner *gone = *oldest;
    *oldest = gone->next;
    pool->n_owners--;
    free(gone);
}

static Owner *find_owner(Pool *pool, const Client *client)
{
    for (Owner *each = pool->owners; each; each = each->next)
        if (client_equals(&each->client, client))
            return each;
    if (pool->n_owners >= MAX_OWNERS)
        forget_owner(pool);
    Owner *owner = calloc(1, sizeof *owner);
    if (!owner)
        return NULL;
    *owner = (Owner){.next = pool->owners, .client = *client};
    pool->owners = owner;
    pool->n_owners++;
    return owner;
}

static bool may_run(const Pool *pool, const Job *job)
{
    bool is_last_thread = pool->n_threads > 1 && pool->n_busy == pool->n_threads - 1;
    return pool->is_ending || !is_last_thread ||
           (!job->what.is_background && job->owner->n_awaited == 0);
}

static bool comes_before(const Job *job, const Job *other)
{
    if (job->what.is_background != other->what.is_background)
        return other->what.is_background;
    return job->owner->served < other->owner->served;
}

/* Takes the next job out of the queue. NULL: no job that is due may run; the next one is due at
 * `next_ns`, or none waits if that is 0. */
static Job *take_job(Pool *pool, int64_t *next_ns)
{
    int64_t now_ns = clock_ns();
    Job   **best = NULL, **at = &pool->jobs;
    for (; *at && (*at)->what.due_ns <= now_ns; at = &(*at)->next)
        if (may_run(pool, *at) && (!best || comes_before(*at, *best)))
            best = at;
    *next_ns = *at ? (*at)->what.due_ns : 0;
    if (!best)
        return NULL;
    Job *job = *best;
    *best = job->next;
    pool->n_jobs--;
    job->owner->n_waiting--;
    job->owner->n_running++;
    job->owner->n_awaited += !job->what.is_background;
    job->owner->served = ++pool->n_served;
    return job;
}

/* ---- threads ------------------------------------------------------------------------------ */

/* Waits for the next job; NULL when the pool ends. */
static Job *wait_for_job(Pool *pool)
{
    for (;;) {
        int64_t next_ns;
        Job    *job = take_job(pool, &next_ns);
        if (job) {
            pool->n_busy++;
            if (pool->jobs) /* a thread that sleeps without a timeout must wait for the next one */
                pthread_cond_signal(&pool->changed);
            return job;
        }
        if (pool->is_ending)
            return NULL;
        if (!next_ns) {
            pthread_cond_wait(&pool->changed, &pool->lock);
        } else {
            struct timespec until = {.tv_sec = next_ns / 1000000000,
                                     .tv_nsec = next_ns % 1000000000};
            pthread_cond_timedwait(&pool->changed, &pool->lock, &until);
        }
    }
}

static void *work(void *argument)
{
    Pool *pool = argument;
    pthread_mutex_lock(&pool->lock);
    for (Job *job; (job = wait_for_job(pool));) {
        pthread_mutex_unlock(&pool->lock);
        job->what.run(job->what.context);
        pthread_mutex_lock(&pool->lock);
        job->owner->n_running--;
        job->owner->n_awaited -= !job->what.is_background;
        pool->n_busy--;
        free(job);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

Pool *pool_new(int n_threads, size_t max_jobs, TurfError *error)
{
    Pool *pool = calloc(1, sizeof *pool + (size_t)n_threads * sizeof pool->threads[0]);
    if (!pool) {
        error_no_memory(error);
        return NULL;
    }
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pool->max_jobs = max_jobs;
    pthread_mutex_lock(&pool->lock); /* the first threads read n_threads */
    while (pool->n_threads < n_threads &&
           !pthread_create(&pool->threads[pool->n_threads], NULL, work, pool))
        pool->n_threads++;
    bool is_good = pool->n_threads == n_threads;
    pthread_mutex_unlock(&pool->lock);
    if (is_good)
        return pool;
    error_set(error, TURF_ERROR_NO_MEMORY, "no more threads could be started");
    pool_free(pool, NULL);
    return NULL;
}

bool pool_add(Pool *pool, const PoolJob *what)
{
    Job *job = calloc(1, sizeof *job);
    if (!job)
        return false;
    job->what = *what;
    if (job->what.due_ns <= 0)
        job->what.due_ns = clock_ns();
    pthread_mutex_lock(&pool->lock);
    job->owner = pool->is_ending ? NULL : find_owner(pool, &what->client);
    bool is_taken = job->owner && quota_rule(pool->max_jobs, pool->n_jobs, job->owner->n_waiting) ==
                                      QUOTA_GRANTED;
    if (is_taken) {
        Job **at = &pool->jobs;
        while (*at && (*at)->what.due_ns <= job->what.due_ns)
            at = &(*at)->next;
        job->next = *at;
        *at = job;
        pool->n_jobs++;
        job->owner->n_waiting++;
        pthread_cond_signal(&pool->changed);
    }
    pthread_mutex_unlock(&pool->lock);
    if (!is_taken)
        free(job);
    return is_taken;
}

void pool_stop(Pool *pool, void (*drop)(void *context))
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->is_ending = true;
    int n_threads = pool->n_threads;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < n_threads; i++)
        pthread_join(pool->threads[i], NULL);
    pool->n_threads = 0;
    for (Job *job; (job = pool->jobs);) {
        pool->jobs = job->next;
        if (drop)
            drop(job->what.context);
        free(job);
    }
}

void pool_free(Pool *pool, void (*drop)(void *context))
{
    if (!pool)
        return;
    pool_stop(pool, drop);
    for (Owner *each = pool->owners, *next; each; each = next) {
        next = each->next;
        free(each);
    }
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}
