/* A run: pairings, cut into batches of games, played by as many threads as are wanted. Totals add
 * up in any order, so the number of threads and the luck of who plays what change nothing but the
 * time. */
#include "arena/workers.h"

#include "base/cpu.h"
#include "base/error.h"
#include "games/totals.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { PROGRESS_EVERY_MS = 100 };

/* Parts of built-in games are kept together, ten times a second: each time waits for the disk. More
 * of them than this do not pile up. */
enum { COMMIT_EVERY_MS = 100, MAX_PENDING = 4096 };

typedef struct Workers {
    const WorkerJob      *job;
    const TurfRunOptions *options;
    BatchContext          batch_context;
    uint64_t              n_batches;
    _Atomic uint64_t      next_batch;
    atomic_bool           is_stopped;

    pthread_mutex_t lock;    /* guards what follows */
    pthread_cond_t  changed; /* for whoever watches */
    pthread_cond_t  arrived; /* for the keeper: there are parts, or there will be no more */
    pthread_cond_t  kept;    /* for workers: the parts up to number n_kept are safe */
    TurfTotals (*totals)[2];
    ArenaDelay   delay;
    BatchResult *pending, **pending_end;
    size_t       n_pending;
    uint64_t     n_received, n_kept;
    bool         is_urgent; /* somebody waits */
    int          n_working;
    bool         is_committing;
    bool         has_failed;
    TurfError    error;
} Workers;

static bool is_stopped(const Workers *workers)
{
    return atomic_load_explicit(&workers->is_stopped, memory_order_relaxed);
}

/* Called with the lock held. */
static void fail(Workers *workers, const TurfError *error)
{
    if (!workers->has_failed) {
        workers->has_failed = true;
        workers->error = *error;
    }
    atomic_store(&workers->is_stopped, true);
}

static struct timespec in_milliseconds(long ms)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += ms * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    return until;
}

/* ---- keeping ------------------------------------------------------------------------------ */

/* Called with the lock held. */
static void count_part(Workers *workers, const BatchResult *result)
{
    for (int i = 0; i < 2; i++)
        totals_add(&workers->totals[result->games.pairing][i], &result->totals[i]);
    for (size_t i = 0; i < result->n_logged; i++)
        arena_delay_add(&workers->delay, &result->logged[i].log.delay);
}

/* A worker has finished some games. A game of a bot is not followed by the next before it is safe.
 */
static bool receive(void *context, BatchResult *result)
{
    Workers *workers = context;
    pthread_mutex_lock(&workers->lock);
    if (!workers->job->keep) {
        count_part(workers, result);
        pthread_mutex_unlock(&workers->lock);
        batch_result_free(result);
        return true;
    }
    uint64_t number = ++workers->n_received;
    bool     waits = result->is_unique;
    *workers->pending_end = result;
    workers->pending_end = &result->next;
    workers->n_pending++;
    workers->is_urgent |= waits || workers->n_pending >= MAX_PENDING;
    if (workers->n_pending == 1 ||
        workers->is_urgent) /* otherwise the keeper knows, and sleeps on */
        pthread_cond_signal(&workers->arrived);
    while (!workers->has_failed &&
           (waits ? workers->n_kept < number : workers->n_pending >= MAX_PENDING))
        pthread_cond_wait(&workers->kept, &workers->lock);
    bool is_good = !workers->has_failed;
    pthread_mutex_unlock(&workers->lock);
    return is_good;
}

/* Keeps what has arrived. Called with the lock held, and gives it up meanwhile. */
static void keep_pending(Workers *workers)
{
    BatchResult *list = workers->pending, *result;
    size_t       n_results = workers->n_pending, i = 0;
    uint64_t     last = workers->n_received;
    TurfError    error;
    workers->pending = NULL;
    workers->pending_end = &workers->pending;
    workers->n_pending = 0;
    workers->is_urgent = false;
    pthread_mutex_unlock(&workers->lock);

    BatchResult **results = calloc(n_results, sizeof(BatchResult *));
    for (result = list; result && results; result = result->next)
        results[i++] = result;
    bool is_kept = results
                       ? workers->job->keep(workers->job->keep_context, results, n_results, &error)
                       : error_no_memory(&error);

    pthread_mutex_lock(&workers->lock);
    for (result = list; result; result = list) {
        list = result->next;
        if (is_kept)
            count_part(workers, result);
        batch_result_free(result);
    }
    free(results);
    workers->n_kept = last;
    if (!is_kept)
        fail(workers, &error);
    pthread_cond_broadcast(&workers->kept);
    pthread_cond_signal(&workers->changed);
}

static void *keep_all(void *argument)
{
    Workers *workers = argument;
    pthread_mutex_lock(&workers->lock);
    while (workers->n_working > 0 || workers->pending) {
        if (!workers->pending)
            pthread_cond_wait(&workers->arrived, &workers->lock);
        struct timespec until = in_milliseconds(COMMIT_EVERY_MS);
        while (!workers->is_urgent && workers->n_working > 0 && !is_stopped(workers) &&
               pthread_cond_timedwait(&workers->arrived, &workers->lock, &until) == 0)
            ;
        if (workers->pending)
            keep_pending(workers);
    }
    workers->is_committing = false;
    pthread_cond_signal(&workers->changed);
    pthread_mutex_unlock(&workers->lock);
    return NULL;
}

/* ---- playing ------------------------------------------------------------------------------ */

/* Tells of a finished game whoever wants to know. */
static void tell(void *context, size_t pairing, uint64_t index, bool is_swapped,
                 const GameResult *result)
{
    Workers              *workers = context;
    const TurfRunOptions *options = workers->options;
    int                   loser = result->forfeiter >= 0 ? result->forfeiter ^ is_swapped : -1;
    GameRecord            record = {.is_swapped = is_swapped, .ending = result->ending};
    if (!options->finished && !(options->forfeited && loser >= 0))
        return;
    pthread_mutex_lock(&workers->lock);
    if (options->forfeited && loser >= 0)
        options->forfeited(options->context, workers->job->pairings[pairing].players[loser], index,
                           result->forfeit.reason, result->forfeit.text, result->errors);
    if (options->finished)
        options->finished(options->context, pairing, index, game_record_ending(&record),
                          result->length);
    pthread_mutex_unlock(&workers->lock);
}

/* What of a batch has not been played before. */
static bool play_missing(Workers *workers, GameRange batch, TurfError *error)
{
    while (batch.n > 0 && !is_stopped(workers)) {
        GameRange missing =
            workers->job->played ? game_set_first_missing(workers->job->played, batch) : batch;
        if (missing.n > 0 && !batch_play(&workers->batch_context, missing, error))
            return false;
        uint64_t behind = missing.first + missing.n;
        batch.n = missing.n > 0 ? batch.first + batch.n - behind : 0;
        batch.first = behind;
    }
    return true;
}

static void *work(void *argument)
{
    Workers         *workers = argument;
    const WorkerJob *job = workers->job;
    TurfError        error;
    while (!is_stopped(workers)) {
        uint64_t index = atomic_fetch_add(&workers->next_batch, 1);
        if (index >= workers->n_batches)
            break;
        if (job->n_shards > 0 &&
            batch_shard(&workers->batch_context, index, job->n_shards) != job->shard)
            continue;
        if (!play_missing(workers, batch_at(&workers->batch_context, index), &error)) {
            pthread_mutex_lock(&workers->lock);
            fail(workers, &error);
            pthread_mutex_unlock(&workers->lock);
        }
    }
    pthread_mutex_lock(&workers->lock);
    workers->n_working--;
    pthread_cond_signal(&workers->changed);
    pthread_cond_signal(&workers->arrived);
    pthread_mutex_unlock(&workers->lock);
    return NULL;
}

/* Waits for the workers and the keeper, and tells how things stand every now and then. */
static void watch(Workers *workers, TurfTotals *snapshot)
{
    pthread_mutex_lock(&workers->lock);
    while (workers->n_working > 0 || workers->is_committing) {
        struct timespec until = in_milliseconds(PROGRESS_EVERY_MS);
        while ((workers->n_working > 0 || workers->is_committing) &&
               pthread_cond_timedwait(&workers->changed, &workers->lock, &until) == 0)
            ;
        if (!workers->options->progress || workers->n_working == 0)
            continue;
        for (size_t p = 0; p < workers->job->n_pairings; p++)
            snapshot[p] = totals_of_sides(workers->totals[p]);
        pthread_mutex_unlock(&workers->lock);
        if (!workers->options->progress(workers->options->context, snapshot,
                                        workers->job->n_pairings))
            atomic_store(&workers->is_stopped, true);
        pthread_mutex_lock(&workers->lock);
    }
    pthread_mutex_unlock(&workers->lock);
}

static int count_jobs(const WorkerJob *job)
{
    for (size_t p = 0; p < job->n_pairings; p++)
        if (job->pairings[p].players[0]->kind->plays_alone ||
            job->pairings[p].players[1]->kind->plays_alone)
            return 1;
    return job->options->n_jobs > 0 ? job->options->n_jobs : cpu_count();
}

/* Starts everybody and waits for them. False, without a message, if nobody could be started. */
static bool play(Workers *workers, int n_jobs, pthread_t *threads, TurfTotals *snapshot)
{
    int n_threads = 0;
    pthread_mutex_lock(&workers->lock);
    bool has_writer =
        workers->job->keep && !pthread_create(&threads[n_jobs], NULL, keep_all, workers);
    while ((has_writer || !workers->job->keep) && n_threads < n_jobs &&
           !pthread_create(&threads[n_threads], NULL, work, workers))
        n_threads++;
    workers->n_working = n_threads;
    workers->is_committing = has_writer;
    pthread_cond_signal(&workers->arrived);
    pthread_mutex_unlock(&workers->lock);
    watch(workers, snapshot);
    for (int i = 0; i < n_threads; i++)
        pthread_join(threads[i], NULL);
    if (has_writer)
        pthread_join(threads[n_jobs], NULL);
    return n_threads > 0;
}

static BatchContext batch_context_of(Workers *workers)
{
    const WorkerJob      *job = workers->job;
    const TurfRunOptions *options = workers->options;
    return (BatchContext){.game = job->game,
                          .pairings = job->pairings,
                          .n_pairings = job->n_pairings,
                          .seed = options->seed,
                          .time_ms = options->time_ms,
                          .move_cap_ms = options->move_cap_ms,
                          .n_recorded = job->keep ? job->n_recorded : 0,
                          .logs_singles = job->keep != NULL,
                          .counts_singly = job->counts_singly,
                          .tells_games = options->finished != NULL,
                          .stop = &workers->is_stopped,
                          .receive = receive,
                          .finished = tell,
                          .context = workers};
}

static void init_locks(Workers *workers)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&workers->lock, NULL);
    pthread_cond_init(&workers->changed, &monotonic);
    pthread_cond_init(&workers->arrived, &monotonic);
    pthread_cond_init(&workers->kept, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

static void destroy_locks(Workers *workers)
{
    pthread_cond_destroy(&workers->kept);
    pthread_cond_destroy(&workers->arrived);
    pthread_cond_destroy(&workers->changed);
    pthread_mutex_destroy(&workers->lock);
}

bool workers_play(const WorkerJob *job, TurfTotals (*totals)[2], TurfError *error)
{
    Workers workers = {
        .job = job, .options = job->options, .totals = totals, .pending_end = &workers.pending};
    workers.batch_context = batch_context_of(&workers);
    if (!batch_context_init(&workers.batch_context, job->starts, job->n_starts, error))
        return false;
    workers.n_batches = batch_count(&workers.batch_context);
    init_locks(&workers);

    int         n_jobs = count_jobs(job);
    TurfTotals *snapshot = calloc(job->n_pairings ? job->n_pairings : 1, sizeof *snapshot);
    pthread_t  *threads = calloc((size_t)n_jobs + 1, sizeof *threads);
    bool        is_good = snapshot && threads;
    if (!is_good)
        error_no_memory(error);
    else if (!play(&workers, n_jobs, threads, snapshot))
        is_good = error_set(error, TURF_ERROR_NO_MEMORY, "no thread could be started");
    else if (workers.has_failed)
        is_good = error_set(error, workers.error.code, "%s", workers.error.text);
    if (job->delay)
        arena_delay_add(job->delay, &workers.delay);

    destroy_locks(&workers);
    batch_context_release(&workers.batch_context);
    free(threads);
    free(snapshot);
    return is_good;
}

bool turf_run(const TurfGame *game, const TurfPairing *pairings, size_t n_pairings,
              const TurfRunOptions *options, TurfTotals *totals, TurfError *error)
{
    WorkerJob job = {.game = game,
                     .pairings = pairings,
                     .n_pairings = n_pairings,
                     .options = options,
                     .starts = &options->start,
                     .n_starts = options->start ? 1 : 0};
    TurfTotals(*sides)[2] = calloc(n_pairings ? n_pairings : 1, sizeof *sides);
    if (!sides)
        return error_no_memory(error);
    for (size_t p = 0; p < n_pairings; p++)
        sides[p][0] = sides[p][1] = TOTALS_NONE;
    bool is_good = workers_play(&job, sides, error);
    for (size_t p = 0; p < n_pairings; p++)
        totals[p] = totals_of_sides(sides[p]);
    free(sides);
    return is_good;
}
