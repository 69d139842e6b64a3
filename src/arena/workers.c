/* Workers and the writer.
 *
 * Threads: each worker takes a range of games, plays it and delivers the results into a queue; the
 * writer takes the whole queue, commits it in one transaction, and only then counts it; the thread
 * that called run_play reports progress. One mutex, `lock`, guards the queue, the iterators and the
 * Run; it is not held while games are played or committed. Totals add up in any order, so results
 * do not depend on the number of threads. */
#include "arena/workers.h"

#include "arena/commit.h"
#include "base/checked_json.h"
#include "base/cpu.h"
#include "base/error.h"
#include "games/totals.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { PROGRESS_EVERY_MS = 100 };

/* Each commit waits for the disk, so results are collected for 100 ms unless a worker waits. */
enum { COMMIT_EVERY_MS = 100, MAX_QUEUED = 4096 };

/* The games that are left to the device. If it fails the processor plays them: first those that it
 * had taken, then the rest. */
typedef struct DeviceShare {
    bool           is_playing;
    bool          *is_left;  /* for each pairing; NULL: there is no device */
    GameIterator  *games;    /* of each pairing */
    GameRange     *returned; /* taken, and not played */
    size_t         n_returned, next_pairing;
    pthread_cond_t changed; /* for workers: is_playing has changed */
} DeviceShare;

struct Workers {
    Run            *run;
    const RunHooks *hooks;
    DeviceWork     *play_on_device;
    BatchContext    batch_context;
    TurfTotals     *snapshot; /* for the progress hook */
    atomic_bool     is_stopped, has_absent;

    pthread_mutex_t lock;      /* guards what follows, and the Run */
    pthread_cond_t  changed;   /* for run_play: something was committed, or a thread has ended */
    pthread_cond_t  arrived;   /* for the writer: something is queued, or a worker has ended */
    pthread_cond_t  committed; /* for workers: n_committed has changed */
    GameIterator    recorded, unrecorded; /* the games left */
    DeviceShare     device;               /* those left to the device */
    BatchResult    *queue, **queue_end;
    size_t          n_queued;
    uint64_t        n_delivered, n_committed; /* results */
    bool            is_urgent;                /* a worker waits for a commit */
    int             n_working;
    bool            is_writing; /* the writer has not ended */
    bool            has_failed;
    TurfError       error;
};

static bool is_stopped(const Workers *workers)
{
    return atomic_load_explicit(&workers->is_stopped, memory_order_relaxed);
}

/* The lock is held. */
static void fail(Workers *workers, const TurfError *error)
{
    if (!workers->has_failed) {
        workers->has_failed = true;
        workers->error = *error;
    }
    atomic_store(&workers->is_stopped, true);
}

void workers_fail(Workers *workers, const TurfError *error)
{
    pthread_mutex_lock(&workers->lock);
    fail(workers, error);
    pthread_mutex_unlock(&workers->lock);
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

/* ---- committing --------------------------------------------------------------------------- */

static const char *text_or_empty(const char *text) { return text ? text : ""; }

/* The moves of a recorded game as numbers; NULL where both sides move at once, or if out of memory.
 */
static TurfMove *read_moves(const TurfGame *game, const GameRecord *record)
{
    json_t   *start = json_read(record->start, 0, NULL), *list = json_read(record->moves, 0, NULL);
    TurfMove *moves = calloc((size_t)record->length + 1, sizeof *moves);
    TurfState state = {{0}};
    bool      is_good = start && list && moves && json_array_size(list) <= record->length &&
                   game->from_json(&state, start, NULL);
    for (size_t i = 0; is_good && i < json_array_size(list); i++) {
        is_good = game->move_from_json(&state, json_array_get(list, i), &moves[i], NULL);
        if (is_good)
            game->apply(&state, moves[i]);
    }
    json_decref(start);
    json_decref(list);
    if (is_good)
        return moves;
    free(moves);
    return NULL;
}

static void report_finished(const Workers *workers, const GameRecord *record)
{
    const TurfGame *game = workers->run->plan.game;
    TurfMove       *moves = NULL;
    TurfFinished    finished = {.pairing = record->pairing,
                                .game = record->game,
                                .ending = game_record_ending(record),
                                .length = record->length,
                                .is_swapped = record->is_swapped};
    if (workers->run->plan.n_recorded > 0 && record->moves) {
        finished.start = record->start;
        finished.moves_json = record->moves;
        if (!game_is_simultaneous(game))
            finished.moves = moves = read_moves(game, record);
    }
    workers->hooks->finished(workers->hooks->context, &finished);
    free(moves);
}

/* Calls the hooks for the listed games of a result. The lock is held: one call at a time. */
static void report_games(const Workers *workers, const BatchResult *result)
{
    const RunHooks *hooks = workers->hooks;
    for (size_t i = 0; i < result->n_played; i++) {
        const GameRecord  *game = &result->played[i].record;
        const TurfPairing *pairing = &workers->run->pairings[game->pairing];
        if (hooks->forfeited && game->forfeiter >= 0)
            hooks->forfeited(hooks->context, pairing->players[game->forfeiter ^ game->is_swapped],
                             game->game, game->reason, text_or_empty(game->explanation),
                             text_or_empty(game->last_words));
        if (hooks->finished)
            report_finished(workers, game);
    }
}

/* The lock is held. */
static bool count_result(Workers *workers, const BatchResult *result)
{
    Run *run = workers->run;
    if (!run_count(run, result->games, result->totals,
                   result->is_single ? &result->played[0].record : NULL))
        return false;
    for (size_t i = 0; i < result->n_played; i++)
        arena_delay_add(&run->delay, &result->played[i].delay);
    report_games(workers, result);
    return true;
}

/* Commits and then counts what is queued. The lock is held, but not during the commit. */
static void commit_queue(Workers *workers)
{
    const RunHooks *hooks = workers->hooks;
    BatchResult    *results = workers->queue;
    size_t          n_results = workers->n_queued;
    uint64_t        last = workers->n_delivered;
    TurfError       error;
    workers->queue = NULL;
    workers->queue_end = &workers->queue;
    workers->n_queued = 0;
    workers->is_urgent = false;
    pthread_mutex_unlock(&workers->lock);
    bool is_good = !workers->run->store || results_commit(workers->run, results, n_results, &error);
    if (is_good && hooks->committed)
        hooks->committed(hooks->context, results);
    pthread_mutex_lock(&workers->lock);
    for (BatchResult *result = results, *next; result; result = next) {
        next = result->next;
        if (is_good && !count_result(workers, result))
            is_good = error_no_memory(&error);
        batch_result_free(result);
    }
    if (!is_good)
        fail(workers, &error);
    workers->n_committed = last;
    pthread_cond_broadcast(&workers->committed);
    pthread_cond_signal(&workers->changed);
}

static void *write_results(void *argument)
{
    Workers *workers = argument;
    pthread_mutex_lock(&workers->lock);
    while (workers->n_working > 0 || workers->queue) {
        if (!workers->queue)
            pthread_cond_wait(&workers->arrived, &workers->lock);
        struct timespec until = in_milliseconds(COMMIT_EVERY_MS);
        while (!workers->is_urgent && workers->n_working > 0 && !is_stopped(workers) &&
               pthread_cond_timedwait(&workers->arrived, &workers->lock, &until) == 0)
            ;
        if (workers->queue)
            commit_queue(workers);
    }
    workers->is_writing = false;
    pthread_cond_signal(&workers->changed);
    pthread_mutex_unlock(&workers->lock);
    return NULL;
}

/* ---- workers ------------------------------------------------------------------------------ */

const Run *workers_run(const Workers *workers) { return workers->run; }

/* Games that were left to a device that has failed. The lock is held. */
static bool take_from_device(Workers *workers, GameRange *games)
{
    enum { MAX_GAMES = 1 << 16 };
    DeviceShare *device = &workers->device;
    if (!device->is_left)
        return false;
    if (device->n_returned > 0) {
        GameRange *last = &device->returned[device->n_returned - 1];
        *games = *last;
        games->n = last->n < MAX_GAMES ? last->n : MAX_GAMES;
        last->first += games->n;
        last->n -= games->n;
        device->n_returned -= last->n == 0;
        return true;
    }
    for (; device->next_pairing < workers->run->n_pairings; device->next_pairing++)
        if (device->is_left[device->next_pairing] &&
            next_games(&device->games[device->next_pairing], games))
            return true;
    return false;
}

/* The lock is held. */
static bool take(Workers *workers, bool is_remote, GameRange *games)
{
    for (;;) {
        if (is_stopped(workers))
            return false;
        if ((!is_remote && next_games(&workers->recorded, games)) ||
            next_games(&workers->unrecorded, games))
            return true;
        if (!workers->device.is_playing)
            return take_from_device(workers, games);
        pthread_cond_wait(&workers->device.changed, &workers->lock);
    }
}

bool workers_take(Workers *workers, bool is_remote, GameRange *games)
{
    pthread_mutex_lock(&workers->lock);
    bool is_there = take(workers, is_remote, games);
    pthread_mutex_unlock(&workers->lock);
    return is_there;
}

size_t workers_take_for_device(Workers *workers, size_t pairing, uint64_t n_games,
                               GameRange *ranges, size_t room)
{
    size_t        n_ranges = 0;
    GameIterator *left = &workers->device.games[pairing];
    pthread_mutex_lock(&workers->lock);
    for (GameRange games;
         n_games > 0 && n_ranges < room && !is_stopped(workers) && next_games(left, &games);) {
        uint64_t n_beyond = games.n > n_games ? games.n - n_games : 0;
        games.n -= n_beyond;
        left->rest.first -= n_beyond;
        left->rest.n += n_beyond;
        n_games -= games.n;
        GameRange *last = n_ranges > 0 ? &ranges[n_ranges - 1] : NULL;
        if (last && last->first + last->n == games.first)
            last->n += games.n;
        else
            ranges[n_ranges++] = games;
    }
    pthread_mutex_unlock(&workers->lock);
    return n_ranges;
}

void workers_lose_device(Workers *workers, const GameRange *ranges, size_t n_ranges)
{
    DeviceShare *device = &workers->device;
    TurfError    error;
    pthread_mutex_lock(&workers->lock);
    device->returned = calloc(n_ranges + 1, sizeof *device->returned);
    if (!device->returned && !error_no_memory(&error))
        fail(workers, &error);
    for (; device->returned && device->n_returned < n_ranges; device->n_returned++)
        device->returned[device->n_returned] = ranges[device->n_returned];
    pthread_mutex_unlock(&workers->lock);
}

bool workers_deliver(void *context, BatchResult *result)
{
    Workers *workers = context;
    pthread_mutex_lock(&workers->lock);
    uint64_t number = ++workers->n_delivered;
    bool     must_wait = result->must_commit_first;
    *workers->queue_end = result;
    workers->queue_end = &result->next;
    workers->n_queued++;
    workers->is_urgent |= must_wait || workers->n_queued >= MAX_QUEUED;
    if (workers->n_queued == 1 || workers->is_urgent) /* else the writer waits for more */
        pthread_cond_signal(&workers->arrived);
    while (!workers->has_failed &&
           (must_wait ? workers->n_committed < number : workers->n_queued >= MAX_QUEUED))
        pthread_cond_wait(&workers->committed, &workers->lock);
    bool is_good = !workers->has_failed;
    pthread_mutex_unlock(&workers->lock);
    return is_good;
}

static void leave(Workers *workers)
{
    pthread_mutex_lock(&workers->lock);
    workers->n_working--;
    pthread_cond_signal(&workers->changed);
    pthread_cond_signal(&workers->arrived);
    pthread_mutex_unlock(&workers->lock);
}

static void *work(void *argument)
{
    Workers  *workers = argument;
    TurfError error;
    for (GameRange games; workers_take(workers, false, &games);)
        if (!batch_play(&workers->batch_context, games, &error))
            workers_fail(workers, &error);
    leave(workers);
    return NULL;
}

static void *work_with_device(void *argument)
{
    Workers *workers = argument;
    workers->play_on_device(workers, &workers->batch_context, workers->device.is_left);
    pthread_mutex_lock(&workers->lock);
    workers->device.is_playing = false;
    pthread_cond_broadcast(&workers->device.changed);
    pthread_mutex_unlock(&workers->lock);
    leave(workers);
    return NULL;
}

bool workers_report(Workers *workers)
{
    const RunHooks *hooks = workers->hooks;
    size_t          n_pairings = workers->run->n_pairings;
    if (hooks->progress) {
        pthread_mutex_lock(&workers->lock);
        for (size_t p = 0; p < n_pairings; p++)
            workers->snapshot[p] = totals_of_sides(workers->run->totals[p]);
        pthread_mutex_unlock(&workers->lock);
        if (!hooks->progress(hooks->context, workers->snapshot, n_pairings))
            atomic_store(&workers->is_stopped, true);
    }
    return !is_stopped(workers);
}

/* Reports progress until the workers and the writer have ended. */
static void watch(Workers *workers)
{
    pthread_mutex_lock(&workers->lock);
    while (workers->n_working > 0 || workers->is_writing) {
        struct timespec until = in_milliseconds(PROGRESS_EVERY_MS);
        while ((workers->n_working > 0 || workers->is_writing) &&
               pthread_cond_timedwait(&workers->changed, &workers->lock, &until) == 0)
            ;
        if (workers->n_working == 0)
            continue;
        pthread_mutex_unlock(&workers->lock);
        (void)workers_report(workers);
        pthread_mutex_lock(&workers->lock);
    }
    pthread_mutex_unlock(&workers->lock);
}

/* ---- starting and ending ------------------------------------------------------------------ */

static void init_locks(Workers *workers)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&workers->lock, NULL);
    pthread_cond_init(&workers->changed, &monotonic);
    pthread_cond_init(&workers->arrived, &monotonic);
    pthread_cond_init(&workers->committed, &monotonic);
    pthread_cond_init(&workers->device.changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

static void destroy_locks(Workers *workers)
{
    pthread_cond_destroy(&workers->device.changed);
    pthread_cond_destroy(&workers->committed);
    pthread_cond_destroy(&workers->arrived);
    pthread_cond_destroy(&workers->changed);
    pthread_mutex_destroy(&workers->lock);
}

/* Leaves to the device what it can play. */
static bool share_with_device(Workers *workers, TurfError *error)
{
    const Run   *run = workers->run;
    DeviceShare *device = &workers->device;
    if (!run->device || device_fault(run->device) || workers->hooks->remote)
        return true;
    device->is_left = calloc(run->n_pairings + 1, sizeof *device->is_left);
    device->games = calloc(run->n_pairings + 1, sizeof *device->games);
    if (!device->is_left || !device->games)
        return error_no_memory(error);
    for (size_t p = 0; p < run->n_pairings; p++) {
        DeviceGames unused;
        device->is_left[p] = batch_for_device(&workers->batch_context, p, false, &unused);
        device->games[p] = run_games_left_of(run, p);
        device->is_playing |= device->is_left[p];
    }
    workers->unrecorded.skipped = device->is_left;
    return true;
}

static void release_device(DeviceShare *device)
{
    free(device->is_left);
    free(device->games);
    free(device->returned);
}

static int count_threads(const Run *run, const RunHooks *hooks)
{
    if (hooks->remote)
        return 1;
    for (size_t p = 0; p < run->n_pairings; p++)
        if (run->pairings[p].players[0]->kind->plays_alone ||
            run->pairings[p].players[1]->kind->plays_alone)
            return 1;
    return run->n_jobs > 0 ? run->n_jobs : cpu_count();
}

/* Starts the writer and the workers, and waits for them. False: no thread could be started. */
static bool run_threads(Workers *workers, int n_max, pthread_t *threads)
{
    const RemoteWorkers *remote = workers->hooks->remote;
    pthread_t            writer, device;
    int                  n_threads = 0;
    pthread_mutex_lock(&workers->lock);
    workers->is_writing = !pthread_create(&writer, NULL, write_results, workers);
    bool has_writer = workers->is_writing;
    while (has_writer && n_threads < n_max &&
           !pthread_create(&threads[n_threads], NULL, work, workers))
        n_threads++;
    bool has_remote = n_threads > 0 && remote;
    /* Without a thread for the device the processor plays all. */
    workers->device.is_playing = workers->device.is_playing && n_threads > 0 &&
                                 !pthread_create(&device, NULL, work_with_device, workers);
    bool has_device = workers->device.is_playing;
    workers->n_working = n_threads + has_remote + has_device;
    pthread_cond_signal(&workers->arrived);
    pthread_mutex_unlock(&workers->lock);
    if (has_remote) {
        remote->play(workers);
        leave(workers);
    }
    watch(workers);
    for (int i = 0; i < n_threads; i++)
        pthread_join(threads[i], NULL);
    if (has_device)
        pthread_join(device, NULL);
    if (has_writer)
        pthread_join(writer, NULL);
    return n_threads > 0;
}

bool workers_play(Run *run, const RunHooks *hooks, DeviceWork *play_on_device, TurfError *error)
{
    bool logs_games = run->store || hooks->committed || hooks->remote || run_is_paired(run) ||
                      run->plan.n_recorded > 0;
    Workers workers = {.run = run,
                       .hooks = hooks,
                       .play_on_device = play_on_device,
                       .batch_context = {.run = run,
                                         .logs_games = logs_games,
                                         .lists_games = hooks->finished != NULL,
                                         .stop = &workers.is_stopped,
                                         .has_absent = &workers.has_absent,
                                         .deliver = workers_deliver,
                                         .context = &workers},
                       .recorded = run_games_left(run, ONLY_RECORDED),
                       .unrecorded = run_games_left(run, NOT_RECORDED),
                       .queue_end = &workers.queue};
    if (hooks->remote && !hooks->remote->begin(run, error))
        return false;
    if (!batch_context_init(&workers.batch_context, error))
        return false;
    int        n_max = count_threads(run, hooks);
    pthread_t *threads = calloc((size_t)n_max, sizeof *threads);
    bool       is_good = false;
    workers.snapshot = calloc(run->n_pairings + 1, sizeof *workers.snapshot);
    init_locks(&workers);
    if (!threads || !workers.snapshot)
        error_no_memory(error);
    else if (!share_with_device(&workers, error))
        ; /* out of memory */
    else if (!run_threads(&workers, n_max, threads))
        error_set(error, TURF_ERROR_NO_MEMORY, "no thread could be started");
    else if (workers.has_failed)
        error_set(error, workers.error.code, "%s", workers.error.text);
    else
        is_good = true;
    run->leaves_out = atomic_load(&workers.has_absent) && !is_stopped(&workers);
    destroy_locks(&workers);
    release_device(&workers.device);
    batch_context_release(&workers.batch_context);
    free(workers.snapshot);
    free(threads);
    return is_good;
}
