/* The worker of submissions. Its lock guards `is_wanted` alone, and is never held while it works.
 */
#include "web/submission_worker.h"

#include "base/error.h"
#include "league/submission.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { NICENESS = 10, LOOK_EVERY_S = 5 };

struct SubmissionWorker {
    const char     *database, *turf;
    pthread_t       thread;
    pthread_mutex_t lock;
    pthread_cond_t  changed;
    bool            is_wanted;
    atomic_bool     stop;
};

/* Waits until something was handed in; looks by itself now and then, since another program may have
 * been killed at its work. */
static void wait_for_work(SubmissionWorker *worker)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += LOOK_EVERY_S;
    pthread_mutex_lock(&worker->lock);
    while (!worker->is_wanted && !atomic_load(&worker->stop) &&
           pthread_cond_timedwait(&worker->changed, &worker->lock, &until) == 0)
        ;
    worker->is_wanted = false;
    pthread_mutex_unlock(&worker->lock);
}

/* A failure is not the bot's: a full disk, a busy database. It is tried again later. */
static void *work(void *context)
{
    SubmissionWorker *worker = context;
    SubmissionTerms   terms = {.turf = worker->turf, .stop = &worker->stop};
    TurfError         error;
    Store            *store = NULL;
    (void)setpriority(PRIO_PROCESS, 0, NICENESS); /* on Linux of this thread alone */
    while (!atomic_load(&worker->stop)) {
        int64_t id = 0;
        if (!store)
            store = store_open(worker->database, STORE_WRITE, &error);
        bool is_good = store && submission_process_next(store, &terms, &id, &error);
        if (!is_good || id == 0)
            wait_for_work(worker);
    }
    store_close(store);
    return NULL;
}

SubmissionWorker *submission_worker_start(const char *database, const char *turf, TurfError *error)
{
    SubmissionWorker *worker = calloc(1, sizeof *worker);
    if (!worker) {
        error_no_memory(error);
        return NULL;
    }
    worker->database = database;
    worker->turf = turf;
    pthread_mutex_init(&worker->lock, NULL);
    pthread_cond_init(&worker->changed, NULL);
    sigset_t all, before; /* signals are for the main thread */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int why = pthread_create(&worker->thread, NULL, work, worker);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (why == 0)
        return worker;
    pthread_cond_destroy(&worker->changed);
    pthread_mutex_destroy(&worker->lock);
    free(worker);
    error_system(error, why, "a thread cannot be started: %s", strerror(why));
    return NULL;
}

void submission_worker_wake(SubmissionWorker *worker)
{
    pthread_mutex_lock(&worker->lock);
    worker->is_wanted = true;
    pthread_cond_signal(&worker->changed);
    pthread_mutex_unlock(&worker->lock);
}

void submission_worker_stop(SubmissionWorker *worker)
{
    if (!worker)
        return;
    pthread_mutex_lock(&worker->lock);
    atomic_store(&worker->stop, true);
    pthread_cond_signal(&worker->changed);
    pthread_mutex_unlock(&worker->lock);
    pthread_join(worker->thread, NULL);
    pthread_cond_destroy(&worker->changed);
    pthread_mutex_destroy(&worker->lock);
    free(worker);
}
