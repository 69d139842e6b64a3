#include "web/pool.h"

#include "base/clock.h"
#include "base/error.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct Job {
    struct Job *next;
    void (*run)(void *context);
    void   *context;
    int64_t due_ns;
} Job;

struct Pool {
    pthread_mutex_t lock;
    pthread_cond_t  changed;
    Job            *jobs; /* by when they fall due */
    size_t          n_jobs, most_jobs;
    bool            is_ending;
    int             n_threads;
    pthread_t       threads[];
};

/* The next job, once it is due; NULL when the pool ends. */
static Job *wait_for_job(Pool *pool)
{
    for (;;) {
        int64_t now_ns = clock_ns();
        Job    *job = pool->jobs;
        if (job && job->due_ns <= now_ns) {
            pool->jobs = job->next;
            pool->n_jobs--;
            if (pool->jobs) /* whoever sleeps without a limit may have to wake for the next one */
                pthread_cond_signal(&pool->changed);
            return job;
        }
        if (pool->is_ending)
            return NULL;
        if (!job) {
            pthread_cond_wait(&pool->changed, &pool->lock);
        } else {
            struct timespec until = {.tv_sec = job->due_ns / 1000000000, .tv_nsec = job->due_ns % 1000000000};
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
        job->run(job->context);
        free(job);
        pthread_mutex_lock(&pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

Pool *pool_new(int n_threads, size_t most_jobs, TurfError *error)
{
    Pool *pool = calloc(1, sizeof *pool + (size_t)n_threads * sizeof pool->threads[0]);
    if (!pool) {
        error_set(error, "out of memory");
        return NULL;
    }
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pool->most_jobs = most_jobs;
    while (pool->n_threads < n_threads && !pthread_create(&pool->threads[pool->n_threads], NULL, work, pool))
        pool->n_threads++;
    if (pool->n_threads == n_threads)
        return pool;
    error_set(error, "no more threads could be started");
    pool_free(pool, NULL);
    return NULL;
}

bool pool_add(Pool *pool, void (*run)(void *context), void *context, int64_t due_ns)
{
    Job *job = calloc(1, sizeof *job);
    if (!job)
        return false;
    *job = (Job){.run = run, .context = context, .due_ns = due_ns > 0 ? due_ns : clock_ns()};
    pthread_mutex_lock(&pool->lock);
    bool is_taken = !pool->is_ending && pool->n_jobs < pool->most_jobs;
    if (is_taken) {
        Job **at = &pool->jobs;
        while (*at && (*at)->due_ns <= job->due_ns)
            at = &(*at)->next;
        job->next = *at;
        *at = job;
        pool->n_jobs++;
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
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->n_threads; i++)
        pthread_join(pool->threads[i], NULL);
    pool->n_threads = 0;
    for (Job *job; (job = pool->jobs);) {
        pool->jobs = job->next;
        if (drop)
            drop(job->context);
        free(job);
    }
}

void pool_free(Pool *pool, void (*drop)(void *context))
{
    if (!pool)
        return;
    pool_stop(pool, drop);
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}
