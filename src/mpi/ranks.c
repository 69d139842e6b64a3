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
enum { ORDERS_AHEAD = 2, KEEP_EVERY_MS = 100, PROGRESS_EVERY_MS = 100 };

/* Goes through the stretches, and through what is missing of each. */
typedef struct Cursor {
    uint64_t index;
    Span     rest;
} Cursor;

typedef struct Office {
    const Event  *event;
    const RunJob *job;
    Ground        ground;
    uint64_t      n_stretches;
    TurfTotals (*totals)[2];
    TurfTotals *snapshot;
    atomic_bool is_stopped;
    int         n_out; /* orders that are not done */

    pthread_mutex_t lock; /* guards what follows, which the thread that plays here uses too */
    Cursor          recorded, others;
    Part           *pending, **pending_end;
    size_t          n_pending;
    bool            is_playing_here;
    bool            has_failed;
    TurfError       error;
} Office;

/* ---- what is left ------------------------------------------------------------------------- */

/* Games that are recorded are played here, since what is written down of them would have to travel. */
static bool next_games(Office *office, Cursor *cursor, bool are_recorded, Span *games)
{
    const RunJob *job = office->job;
    for (;;) {
        while (cursor->rest.n == 0) {
            if (cursor->index >= office->n_stretches)
                return false;
            Span stretch = stretch_at(&office->ground, cursor->index++);
            if ((stretch.first < job->n_recorded) == are_recorded)
                cursor->rest = stretch;
        }
        *games = job->played ? spans_first_missing(job->played, cursor->rest) : cursor->rest;
        uint64_t behind = games->first + games->n, end = cursor->rest.first + cursor->rest.n;
        cursor->rest.n = games->n > 0 ? end - behind : 0;
        cursor->rest.first = behind;
        if (games->n > 0)
            return true;
    }
}

static bool take_games(Office *office, bool is_here, Span *games)
{
    pthread_mutex_lock(&office->lock);
    bool is_there =
        !atomic_load(&office->is_stopped) && ((is_here && next_games(office, &office->recorded, true, games)) ||
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

static bool receive(void *context, Part *part)
{
    Office *office = context;
    pthread_mutex_lock(&office->lock);
    *office->pending_end = part;
    office->pending_end = &part->next;
    office->n_pending++;
    pthread_mutex_unlock(&office->lock);
    return !atomic_load(&office->is_stopped);
}

static void keep_pending(Office *office)
{
    TurfError error;
    pthread_mutex_lock(&office->lock);
    Part  *list = office->pending, *part;
    size_t n_parts = office->n_pending, i = 0;
    office->pending = NULL;
    office->pending_end = &office->pending;
    office->n_pending = 0;
    pthread_mutex_unlock(&office->lock);
    if (!list)
        return;
    Part **parts = calloc(n_parts, sizeof(Part *));
    for (part = list; part && parts; part = part->next)
        parts[i++] = part;
    bool is_kept = parts ? office->job->keep(office->job->keep_context, parts, n_parts, &error)
                         : error_set(&error, "out of memory");
    if (!is_kept)
        fail(office, &error);
    for (part = list; part; part = list) {
        list = part->next;
        for (int side = 0; side < 2 && is_kept; side++)
            totals_add(&office->totals[part->games.pairing][side], &part->totals[side]);
        part_free(part);
    }
    free(parts);
}

/* ---- orders ------------------------------------------------------------------------------- */

static void give_order(Office *office, int rank)
{
    Span games;
    if (!take_games(office, false, &games))
        return;
    const StoredPairing *pairing = &office->event->schedule[games.pairing];
    WorkOrder            order = {games, pairing->first, pairing->second, pairing->n_games, pairing->swaps_sides};
    MPI_Send(&order, sizeof order, MPI_BYTE, rank, TAG_WORK, MPI_COMM_WORLD);
    office->n_out++;
}

static void take_part(Office *office, int rank)
{
    PlayedPart played;
    TurfError  error;
    Part      *part = calloc(1, sizeof *part);
    MPI_Recv(&played, sizeof played, MPI_BYTE, rank, TAG_PART, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!part) {
        error_set(&error, "out of memory");
        fail(office, &error);
        return;
    }
    part->games = played.games;
    memcpy(part->totals, played.totals, sizeof part->totals);
    (void)receive(office, part);
}

static void answer(Office *office, const MPI_Status *status)
{
    TurfError error;
    if (status->MPI_TAG == TAG_PART) {
        take_part(office, status->MPI_SOURCE);
        return;
    }
    MPI_Recv(&error, sizeof error, MPI_BYTE, status->MPI_SOURCE, TAG_DONE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    office->n_out--;
    if (*error.text)
        fail(office, &error);
    give_order(office, status->MPI_SOURCE);
}

static void *play_here(void *context)
{
    Office   *office = context;
    Span      games;
    TurfError error;
    bool      is_good = true;
    while (is_good && take_games(office, true, &games))
        is_good = stretch_play(&office->ground, games, &error);
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
    if (options->progress && !options->progress(options->context, office->snapshot, office->job->n_pairings))
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
    for (look_around(office, &is_playing, &is_busy); is_busy; look_around(office, &is_playing, &is_busy)) {
        MPI_Status status;
        bool       has_message = wire_has_message(&status);
        int64_t    now_ns = clock_ns();
        if (has_message)
            answer(office, &status);
        if (now_ns - keep_ns > KEEP_EVERY_MS * INT64_C(1000000) || !is_playing) {
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

static bool send_plan(Ranks *ranks, const Event *event, TurfError *error)
{
    if (ranks->has_plan)
        return true;
    char *json = plan_to_json(&event->plan);
    if (!json)
        return error_set(error, "out of memory");
    for (int rank = 1; rank < ranks->n_ranks; rank++)
        MPI_Send(json, (int)strlen(json), MPI_CHAR, rank, TAG_PLAN, MPI_COMM_WORLD);
    free(json);
    ranks->has_plan = true;
    return true;
}

bool ranks_play(void *context, const Event *event, const RunJob *job, TurfTotals (*totals)[2], TurfError *error)
{
    Ranks *ranks = context;
    Office office = {.event = event, .job = job, .totals = totals, .lock = PTHREAD_MUTEX_INITIALIZER};
    office.pending_end = &office.pending;
    office.ground = (Ground){.game = job->game,
                             .pairings = job->pairings,
                             .n_pairings = job->n_pairings,
                             .seed = job->options->seed,
                             .time_ms = job->options->time_ms,
                             .move_cap_ms = job->options->move_cap_ms,
                             .n_recorded = job->n_recorded,
                             .stop = &office.is_stopped,
                             .receive = receive,
                             .context = &office};
    if (event->plan.has_sprt)
        return error_set(error, "a match with --sprt is not for turf-mpi, because each look at it waits for all games");
    for (size_t p = 0; p < job->n_pairings; p++)
        if (pairing_is_single(&office.ground, p))
            return error_set(error,
                             "bots and clocks are not for turf-mpi; 'turf tournament --shard' spreads their games");
    if (!send_plan(ranks, event, error) || !ground_init(&office.ground, job->starts, job->n_starts, error))
        return false;
    pthread_t thread;
    office.n_stretches = stretch_count(&office.ground);
    office.snapshot = calloc(job->n_pairings + 1, sizeof *office.snapshot);
    office.is_playing_here = true;
    if (!office.snapshot || pthread_create(&thread, NULL, play_here, &office) != 0) {
        free(office.snapshot);
        ground_release(&office.ground);
        return error_set(error, "no thread could be started");
    }
    manage(&office, ranks);
    pthread_join(thread, NULL);
    free(office.snapshot);
    ground_release(&office.ground);
    pthread_mutex_destroy(&office.lock);
    return !office.has_failed || error_set(error, "%s", office.error.text);
}

void ranks_dismiss(Ranks *ranks)
{
    for (int rank = 1; rank < ranks->n_ranks; rank++)
        MPI_Send(NULL, 0, MPI_BYTE, rank, TAG_HOME, MPI_COMM_WORLD);
    ranks->n_ranks = 1;
}
