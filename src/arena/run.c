/* A run: pairings, cut into stretches of games, played by as many threads as are wanted. Totals add up in any order, so
 * the number of threads and the luck of who plays what change nothing but the time. */
#include "arena/run.h"

#include "base/cpu.h"
#include "base/error.h"
#include "games/totals.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { PROGRESS_EVERY_MS = 100 };

/* Parts of built-in games are kept together, ten times a second: each time waits for the disk. More of them than
 * this do not pile up. */
enum { KEEP_EVERY_MS = 100, MOST_PENDING = 4096 };

typedef struct Run {
    const RunJob         *job;
    const TurfRunOptions *options;
    Ground                ground;
    uint64_t              n_stretches;
    _Atomic uint64_t      next_stretch;
    atomic_bool           is_stopped;

    pthread_mutex_t lock;    /* guards what follows */
    pthread_cond_t  changed; /* for whoever watches */
    pthread_cond_t  arrived; /* for the keeper: there are parts, or there will be no more */
    pthread_cond_t  kept;    /* for workers: the parts up to number n_kept are safe */
    TurfTotals (*totals)[2];
    ArenaDelay delay;
    Part      *pending, **pending_end;
    size_t     n_pending;
    uint64_t   n_received, n_kept;
    bool       is_urgent; /* somebody waits */
    int        n_working;
    bool       is_keeping;
    bool       has_failed;
    TurfError  error;
} Run;

static bool is_stopped(const Run *run) { return atomic_load_explicit(&run->is_stopped, memory_order_relaxed); }

/* Called with the lock held. */
static void fail(Run *run, const TurfError *error)
{
    if (!run->has_failed) {
        run->has_failed = true;
        run->error = *error;
    }
    atomic_store(&run->is_stopped, true);
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
static void count_part(Run *run, const Part *part)
{
    for (int i = 0; i < 2; i++)
        totals_add(&run->totals[part->games.pairing][i], &part->totals[i]);
    for (size_t i = 0; i < part->n_logged; i++)
        arena_delay_add(&run->delay, &part->logged[i].log.delay);
}

/* A worker has finished some games. A game of a bot is not followed by the next before it is safe. */
static bool receive(void *context, Part *part)
{
    Run *run = context;
    pthread_mutex_lock(&run->lock);
    if (!run->job->keep) {
        count_part(run, part);
        pthread_mutex_unlock(&run->lock);
        part_free(part);
        return true;
    }
    uint64_t number = ++run->n_received;
    bool     waits = part->is_unique;
    *run->pending_end = part;
    run->pending_end = &part->next;
    run->n_pending++;
    run->is_urgent |= waits || run->n_pending >= MOST_PENDING;
    if (run->n_pending == 1 || run->is_urgent) /* otherwise the keeper knows, and sleeps on */
        pthread_cond_signal(&run->arrived);
    while (!run->has_failed && (waits ? run->n_kept < number : run->n_pending >= MOST_PENDING))
        pthread_cond_wait(&run->kept, &run->lock);
    bool is_good = !run->has_failed;
    pthread_mutex_unlock(&run->lock);
    return is_good;
}

/* Keeps what has arrived. Called with the lock held, and gives it up meanwhile. */
static void keep_pending(Run *run)
{
    Part     *list = run->pending, *part;
    size_t    n_parts = run->n_pending, i = 0;
    uint64_t  last = run->n_received;
    TurfError error;
    run->pending = NULL;
    run->pending_end = &run->pending;
    run->n_pending = 0;
    run->is_urgent = false;
    pthread_mutex_unlock(&run->lock);

    Part **parts = calloc(n_parts, sizeof(Part *));
    for (part = list; part && parts; part = part->next)
        parts[i++] = part;
    bool is_kept =
        parts ? run->job->keep(run->job->keep_context, parts, n_parts, &error) : error_set(&error, "out of memory");

    pthread_mutex_lock(&run->lock);
    for (part = list; part; part = list) {
        list = part->next;
        if (is_kept)
            count_part(run, part);
        part_free(part);
    }
    free(parts);
    run->n_kept = last;
    if (!is_kept)
        fail(run, &error);
    pthread_cond_broadcast(&run->kept);
    pthread_cond_signal(&run->changed);
}

static void *keep_all(void *argument)
{
    Run *run = argument;
    pthread_mutex_lock(&run->lock);
    while (run->n_working > 0 || run->pending) {
        if (!run->pending)
            pthread_cond_wait(&run->arrived, &run->lock);
        struct timespec until = in_milliseconds(KEEP_EVERY_MS);
        while (!run->is_urgent && run->n_working > 0 && !is_stopped(run) &&
               pthread_cond_timedwait(&run->arrived, &run->lock, &until) == 0)
            ;
        if (run->pending)
            keep_pending(run);
    }
    run->is_keeping = false;
    pthread_cond_signal(&run->changed);
    pthread_mutex_unlock(&run->lock);
    return NULL;
}

/* ---- playing ------------------------------------------------------------------------------ */

/* Tells of a finished game whoever wants to know. */
static void tell(void *context, size_t pairing, uint64_t index, bool is_swapped, const MatchResult *result)
{
    Run                  *run = context;
    const TurfRunOptions *options = run->options;
    int                   loser = result->forfeiter >= 0 ? result->forfeiter ^ is_swapped : -1;
    GameRecord            record = {.is_swapped = is_swapped, .ending = result->ending};
    if (!options->finished && !(options->forfeited && loser >= 0))
        return;
    pthread_mutex_lock(&run->lock);
    if (options->forfeited && loser >= 0)
        options->forfeited(options->context, run->job->pairings[pairing].players[loser], index, result->forfeit.reason,
                           result->forfeit.text, result->errors);
    if (options->finished)
        options->finished(options->context, pairing, index, game_record_ending(&record), result->length);
    pthread_mutex_unlock(&run->lock);
}

/* What of a stretch has not been played before. */
static bool play_missing(Run *run, Span stretch, TurfError *error)
{
    while (stretch.n > 0 && !is_stopped(run)) {
        Span missing = run->job->played ? spans_first_missing(run->job->played, stretch) : stretch;
        if (missing.n > 0 && !stretch_play(&run->ground, missing, error))
            return false;
        uint64_t behind = missing.first + missing.n;
        stretch.n = missing.n > 0 ? stretch.first + stretch.n - behind : 0;
        stretch.first = behind;
    }
    return true;
}

static void *work(void *argument)
{
    Run          *run = argument;
    const RunJob *job = run->job;
    TurfError     error;
    while (!is_stopped(run)) {
        uint64_t index = atomic_fetch_add(&run->next_stretch, 1);
        if (index >= run->n_stretches)
            break;
        if (job->n_shards > 0 && stretch_shard(&run->ground, index, job->n_shards) != job->shard)
            continue;
        if (!play_missing(run, stretch_at(&run->ground, index), &error)) {
            pthread_mutex_lock(&run->lock);
            fail(run, &error);
            pthread_mutex_unlock(&run->lock);
        }
    }
    pthread_mutex_lock(&run->lock);
    run->n_working--;
    pthread_cond_signal(&run->changed);
    pthread_cond_signal(&run->arrived);
    pthread_mutex_unlock(&run->lock);
    return NULL;
}

/* Waits for the workers and the keeper, and tells how things stand every now and then. */
static void watch(Run *run, TurfTotals *snapshot)
{
    pthread_mutex_lock(&run->lock);
    while (run->n_working > 0 || run->is_keeping) {
        struct timespec until = in_milliseconds(PROGRESS_EVERY_MS);
        while ((run->n_working > 0 || run->is_keeping) &&
               pthread_cond_timedwait(&run->changed, &run->lock, &until) == 0)
            ;
        if (!run->options->progress || run->n_working == 0)
            continue;
        for (size_t p = 0; p < run->job->n_pairings; p++)
            snapshot[p] = totals_of_sides(run->totals[p]);
        pthread_mutex_unlock(&run->lock);
        if (!run->options->progress(run->options->context, snapshot, run->job->n_pairings))
            atomic_store(&run->is_stopped, true);
        pthread_mutex_lock(&run->lock);
    }
    pthread_mutex_unlock(&run->lock);
}

static int count_jobs(const RunJob *job)
{
    for (size_t p = 0; p < job->n_pairings; p++)
        if (job->pairings[p].players[0]->kind->plays_alone || job->pairings[p].players[1]->kind->plays_alone)
            return 1;
    return job->options->n_jobs > 0 ? job->options->n_jobs : cpu_count();
}

/* Starts everybody and waits for them. False, without a message, if nobody could be started. */
static bool play(Run *run, int n_jobs, pthread_t *threads, TurfTotals *snapshot)
{
    int n_threads = 0;
    pthread_mutex_lock(&run->lock);
    bool has_keeper = run->job->keep && !pthread_create(&threads[n_jobs], NULL, keep_all, run);
    while ((has_keeper || !run->job->keep) && n_threads < n_jobs &&
           !pthread_create(&threads[n_threads], NULL, work, run))
        n_threads++;
    run->n_working = n_threads;
    run->is_keeping = has_keeper;
    pthread_cond_signal(&run->arrived);
    pthread_mutex_unlock(&run->lock);
    watch(run, snapshot);
    for (int i = 0; i < n_threads; i++)
        pthread_join(threads[i], NULL);
    if (has_keeper)
        pthread_join(threads[n_jobs], NULL);
    return n_threads > 0;
}

static Ground ground_of(Run *run)
{
    const RunJob         *job = run->job;
    const TurfRunOptions *options = run->options;
    return (Ground){.game = job->game,
                    .pairings = job->pairings,
                    .n_pairings = job->n_pairings,
                    .seed = options->seed,
                    .time_ms = options->time_ms,
                    .move_cap_ms = options->move_cap_ms,
                    .n_recorded = job->keep ? job->n_recorded : 0,
                    .logs_singles = job->keep != NULL,
                    .counts_singly = job->counts_singly,
                    .tells_games = options->finished != NULL,
                    .stop = &run->is_stopped,
                    .receive = receive,
                    .finished = tell,
                    .context = run};
}

static void init_locks(Run *run)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&run->lock, NULL);
    pthread_cond_init(&run->changed, &monotonic);
    pthread_cond_init(&run->arrived, &monotonic);
    pthread_cond_init(&run->kept, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

static void destroy_locks(Run *run)
{
    pthread_cond_destroy(&run->kept);
    pthread_cond_destroy(&run->arrived);
    pthread_cond_destroy(&run->changed);
    pthread_mutex_destroy(&run->lock);
}

bool run_play(const RunJob *job, TurfTotals (*totals)[2], TurfError *error)
{
    Run run = {.job = job, .options = job->options, .totals = totals, .pending_end = &run.pending};
    run.ground = ground_of(&run);
    if (!ground_init(&run.ground, job->starts, job->n_starts, error))
        return false;
    run.n_stretches = stretch_count(&run.ground);
    init_locks(&run);

    int         n_jobs = count_jobs(job);
    TurfTotals *snapshot = calloc(job->n_pairings ? job->n_pairings : 1, sizeof *snapshot);
    pthread_t  *threads = calloc((size_t)n_jobs + 1, sizeof *threads);
    bool        is_good = snapshot && threads;
    if (!is_good)
        error_set(error, "out of memory");
    else if (!play(&run, n_jobs, threads, snapshot))
        is_good = error_set(error, "no thread could be started");
    else if (run.has_failed)
        is_good = error_set(error, "%s", run.error.text);
    if (job->delay)
        arena_delay_add(job->delay, &run.delay);

    destroy_locks(&run);
    ground_release(&run.ground);
    free(threads);
    free(snapshot);
    return is_good;
}

bool turf_run(const TurfGame *game, const TurfPairing *pairings, size_t n_pairings, const TurfRunOptions *options,
              TurfTotals *totals, TurfError *error)
{
    RunJob job = {.game = game,
                  .pairings = pairings,
                  .n_pairings = n_pairings,
                  .options = options,
                  .starts = &options->start,
                  .n_starts = options->start ? 1 : 0};
    TurfTotals(*sides)[2] = calloc(n_pairings ? n_pairings : 1, sizeof *sides);
    if (!sides)
        return error_set(error, "out of memory");
    for (size_t p = 0; p < n_pairings; p++)
        sides[p][0] = sides[p][1] = TOTALS_NONE;
    bool is_good = run_play(&job, sides, error);
    for (size_t p = 0; p < n_pairings; p++)
        totals[p] = totals_of_sides(sides[p]);
    free(sides);
    return is_good;
}
