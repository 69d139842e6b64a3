/* Rank 0: who plays what, and what has come of it. */
#include "mpi/ranks.h"

#include "base/clock.h"
#include "base/error.h"
#include "games/totals.h"
#include "mpi/wire.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Each rank has the next order before it is done with the last. */
enum { ORDERS_AHEAD = 2, COMMIT_EVERY_MS = 100, PROGRESS_EVERY_MS = 100 };

/* Goes through the batches, and through what is missing of each. */
typedef struct Cursor {
    uint64_t  index;
    GameRange rest;
} Cursor;

typedef struct Office {
    const Run       *run;
    const WorkerJob *job;
    BatchContext     batch_context;
    uint64_t         n_batches;
    TurfTotals (*totals)[2];
    TurfTotals *snapshot;
    atomic_bool is_stopped;
    int         n_out; /* orders that are not done */

    pthread_mutex_t lock; /* guards what follows, which the thread that plays here uses too */
    Cursor          recorded, others;
    BatchResult    *pending, **pending_end;
    size_t          n_pending;
    bool            is_playing_here;
    bool            has_failed;
    TurfError       error;
} Office;

/* ---- what is left ------------------------------------------------------------------------- */

/* Games that are recorded are played here, since what is written down of them would have to travel.
 */
static bool next_games(Office *office, Cursor *cursor, bool are_recorded, GameRange *games)
{
    const WorkerJob *job = office->job;
    for (;;) {
        while (cursor->rest.n == 0) {
            if (cursor->index >= office->n_batches)
                return false;
            GameRange batch = batch_at(&office->batch_context, cursor->index++);
            if ((batch.first < job->n_recorded) == are_recorded)
                cursor->rest = batch;
        }
        *games = job->played ? game_set_first_missing(job->played, cursor->rest) : cursor->rest;
        uint64_t behind = games->first + games->n, end = cursor->rest.first + cursor->rest.n;
        cursor->rest.n = games->n > 0 ? end - behind : 0;
        cursor->rest.first = behind;
        if (games->n > 0)
            return true;
    }
}

static bool take_games(Office *office, bool is_here, GameRange *games)
{
    pthread_mutex_lock(&office->lock);
    bool is_there = !atomic_load(&office->is_stopped) &&
                    ((is_here && next_games(office, &office->recorded, true, games)) ||
                     next_games(office, &office->others, false, games));
    pthread_mutex_unlock(&office->lock);
    return is_there;
}

/* ---- what has come back ------------------------------------------------------------------- */

static void fail(Office *office, const TurfError *error)
{
    pthread_mutex_lock(&office->lock);
    if (!office->has_failed)
        office->error = *error;
    office->has_failed = true;
    pthread_mutex_unlock(&office->lock);
    atomic_store(&office->is_stopped, true);
}

static bool receive(void *context, BatchResult *result)
{
    Office *office = context;
    pthread_mutex_lock(&office->lock);
    *office->pending_end = result;
    office->pending_end = &result->next;
    office->n_pending++;
    pthread_mutex_unlock(&office->lock);
    return !atomic_load(&office->is_stopped);
}

static void keep_pending(Office *office)
{
    TurfError error;
    pthread_mutex_lock(&office->lock);
    BatchResult *list = office->pending, *result;
    size_t       n_results = office->n_pending, i = 0;
    office->pending = NULL;
    office->pending_end = &office->pending;
    office->n_pending = 0;
    pthread_mutex_unlock(&office->lock);
    if (!list)
        return;
    BatchResult **results = calloc(n_results, sizeof(BatchResult *));
    for (result = list; result && results; result = result->next)
        results[i++] = result;
    bool is_kept = results
                       ? office->job->keep(office->job->keep_context, results, n_results, &error)
                       : error_no_memory(&error);
    if (!is_kept)
        fail(office, &error);
    for (result = list; result; result = list) {
        list = result->next;
        for (int side = 0; side < 2 && is_kept; side++)
            totals_add(&office->totals[result->games.pairing][side], &result->totals[side]);
        batch_result_free(result);
    }
    free(results);
}

/* ---- orders ------------------------------------------------------------------------------- */

static void give_order(Office *office, int rank)
{
    GameRange games;
    if (!take_games(office, false, &games))
        return;
    const PairingRecord *pairing = &office->run->schedule[games.pairing];
    WorkOrder            order = {games, pairing->first, pairing->second, pairing->n_games,
                                  pairing->swaps_sides};
    MPI_Send(&order, sizeof order, MPI_BYTE, rank, TAG_WORK, MPI_COMM_WORLD);
    office->n_out++;
}

static void take_part(Office *office, int rank)
{
    PlayedBatch  played;
    TurfError    error;
    BatchResult *result = calloc(1, sizeof *result);
    MPI_Recv(&played, sizeof played, MPI_BYTE, rank, TAG_RESULT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!result) {
        error_no_memory(&error);
        fail(office, &error);
        return;
    }
    result->games = played.games;
    memcpy(result->totals, played.totals, sizeof result->totals);
    (void)receive(office, result);
}

static void answer(Office *office, const MPI_Status *status)
{
    TurfError error;
    if (status->MPI_TAG == TAG_RESULT) {
        take_part(office, status->MPI_SOURCE);
        return;
    }
    MPI_Recv(&error, sizeof error, MPI_BYTE, status->MPI_SOURCE, TAG_DONE, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    office->n_out--;
    if (error.code)
        fail(office, &error);
    give_order(office, status->MPI_SOURCE);
}

static void *play_here(void *context)
{
    Office   *office = context;
    GameRange games;
    TurfError error;
    bool      is_good = true;
    while (is_good && take_games(office, true, &games))
        is_good = batch_play(&office->batch_context, games, &error);
    if (!is_good)
        fail(office, &error);
    pthread_mutex_lock(&office->lock);
    office->is_playing_here = false;
    pthread_mutex_unlock(&office->lock);
    return NULL;
}

/* Does anybody play? If not, are there parts that are not safe yet? */
static void look_around(Office *office, bool *is_playing, bool *is_busy)
{
    pthread_mutex_lock(&office->lock);
    *is_playing = office->n_out > 0 || office->is_playing_here;
    *is_busy = *is_playing || office->pending;
    pthread_mutex_unlock(&office->lock);
}

/* Tells how things stand, and stops everybody when nobody wants the rest. */
static void show_progress(Office *office, const Ranks *ranks, bool *is_told)
{
    const TurfRunOptions *options = office->job->options;
    for (size_t p = 0; p < office->job->n_pairings; p++)
        office->snapshot[p] = totals_of_sides(office->totals[p]);
    if (options->progress &&
        !options->progress(options->context, office->snapshot, office->job->n_pairings))
        atomic_store(&office->is_stopped, true);
    if (!atomic_load(&office->is_stopped) || *is_told)
        return;
    *is_told = true;
    for (int rank = 1; rank < ranks->n_ranks; rank++)
        MPI_Send(NULL, 0, MPI_BYTE, rank, TAG_STOP, MPI_COMM_WORLD);
}

static void manage(Office *office, const Ranks *ranks)
{
    int64_t keep_ns = clock_ns(), progress_ns = keep_ns;
    bool    is_told = false, is_playing, is_busy;
    for (int i = 0; i < ORDERS_AHEAD; i++)
        for (int rank = 1; rank < ranks->n_ranks; rank++)
            give_order(office, rank);
    for (look_around(office, &is_playing, &is_busy); is_busy;
         look_around(office, &is_playing, &is_busy)) {
        MPI_Status status;
        bool       has_message = wire_has_message(&status);
        int64_t    now_ns = clock_ns();
        if (has_message)
            answer(office, &status);
        if (now_ns - keep_ns > COMMIT_EVERY_MS * INT64_C(1000000) || !is_playing) {
            keep_pending(office);
            keep_ns = clock_ns();
        }
        if (now_ns - progress_ns > PROGRESS_EVERY_MS * INT64_C(1000000)) {
            show_progress(office, ranks, &is_told);
            progress_ns = now_ns;
        }
        if (!has_message)
            nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
}

/* ---- the job ------------------------------------------------------------------------------ */

static bool send_plan(Ranks *ranks, const Run *run, TurfError *error)
{
    if (ranks->has_plan)
        return true;
    char *json = plan_to_json(&run->plan);
    if (!json)
        return error_no_memory(error);
    for (int rank = 1; rank < ranks->n_ranks; rank++)
        MPI_Send(json, (int)strlen(json), MPI_CHAR, rank, TAG_PLAN, MPI_COMM_WORLD);
    free(json);
    ranks->has_plan = true;
    return true;
}

bool ranks_play(void *context, const Run *run, const WorkerJob *job, TurfTotals (*totals)[2],
                TurfError *error)
{
    Ranks *ranks = context;
    Office office = {.run = run, .job = job, .totals = totals, .lock = PTHREAD_MUTEX_INITIALIZER};
    office.pending_end = &office.pending;
    office.batch_context = (BatchContext){.game = job->game,
                                          .pairings = job->pairings,
                                          .n_pairings = job->n_pairings,
                                          .seed = job->options->seed,
                                          .time_ms = job->options->time_ms,
                                          .move_cap_ms = job->options->move_cap_ms,
                                          .n_recorded = job->n_recorded,
                                          .stop = &office.is_stopped,
                                          .receive = receive,
                                          .context = &office};
    if (run->plan.has_sprt)
        return error_invalid(
            error,
            "a match with --sprt is not for turf-mpi, because each look at it waits for all games");
    for (size_t p = 0; p < job->n_pairings; p++)
        if (pairing_is_single(&office.batch_context, p))
            return error_invalid(error, "bots and clocks are not for turf-mpi; 'turf tournament "
                                        "--shard' spreads their games");
    if (!send_plan(ranks, run, error) ||
        !batch_context_init(&office.batch_context, job->starts, job->n_starts, error))
        return false;
    pthread_t thread;
    office.n_batches = batch_count(&office.batch_context);
    office.snapshot = calloc(job->n_pairings + 1, sizeof *office.snapshot);
    office.is_playing_here = true;
    if (!office.snapshot || pthread_create(&thread, NULL, play_here, &office) != 0) {
        free(office.snapshot);
        batch_context_release(&office.batch_context);
        return error_set(error, TURF_ERROR_NO_MEMORY, "no thread could be started");
    }
    manage(&office, ranks);
    pthread_join(thread, NULL);
    free(office.snapshot);
    batch_context_release(&office.batch_context);
    pthread_mutex_destroy(&office.lock);
    return !office.has_failed || error_set(error, office.error.code, "%s", office.error.text);
}

void ranks_dismiss(Ranks *ranks)
{
    for (int rank = 1; rank < ranks->n_ranks; rank++)
        MPI_Send(NULL, 0, MPI_BYTE, rank, TAG_HOME, MPI_COMM_WORLD);
    ranks->n_ranks = 1;
}
