/* The threads of a selfplay run. Each plays whole games with its own copies of the player, one for
 * each side. Finished games wait in a ring until those before them have been delivered, and a
 * thread waits only if the ring is full: one long game does not hold up the others.
 *
 * Selfplay.lock guards the counters, the error and delivery; games are played without it. */
#include "arena/selfplay.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/rng.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The positions of a finished game; NULL: it is not finished. */
typedef struct FinishedGame {
    SelfplayPosition *positions;
    size_t            n_positions;
    bool              is_percent;
} FinishedGame;

typedef struct Selfplay {
    const SelfplayPlan *plan;
    const TurfGame     *game;
    uint64_t            streams;
    pthread_mutex_t     lock;
    pthread_cond_t      delivered;
    uint64_t            next, n_delivered; /* game numbers */
    FinishedGame       *ring;              /* game i is at i modulo n_ring */
    uint64_t            n_ring;
    int                 n_running; /* threads */
    bool                has_failed;
    atomic_bool         stop;
    TurfError           error;
} Selfplay;

typedef struct SelfplayWorker {
    Selfplay         *run;
    TurfPlayer       *players[2];
    SelfplayPosition *positions;
    size_t            n_positions, room;
    bool              is_percent;
    pthread_t         thread;
} SelfplayWorker;

/* ---- one game ------------------------------------------------------------------------------ */

static bool is_stopped(const Selfplay *run)
{
    return atomic_load_explicit(&run->stop, memory_order_relaxed);
}

static TurfMove random_move(const TurfGame *game, const TurfState *state, TurfRng *rng)
{
    TurfMove moves[TURF_MAX_MOVES];
    if (game->random_move)
        return game->random_move(state, rng);
    return moves[rng_below(rng, (uint32_t)game->moves(state, moves))];
}

static bool make_room(SelfplayWorker *worker)
{
    size_t            room = worker->room ? 2 * worker->room : 64;
    SelfplayPosition *more = realloc(worker->positions, room * sizeof *more);
    if (!more)
        return false;
    worker->positions = more;
    worker->room = room;
    return true;
}

static bool add_position(SelfplayWorker *worker, const SelfplayPosition *position)
{
    if (worker->n_positions == worker->room && !make_room(worker))
        return false;
    worker->positions[worker->n_positions++] = *position;
    return true;
}

/* The player chooses, and the position is noted. */
static bool choose(SelfplayWorker *worker, const TurfState *state, uint32_t ply, TurfRng *rng,
                   TurfMove *move)
{
    Selfplay        *run = worker->run;
    SearchInfo       info = {.is_brief = true};
    TurnContext      turn = {.rng = rng, .stop = &run->stop, .info = &info};
    TurfMove         moves[TURF_MAX_MOVES];
    SelfplayPosition position = {.side = (TurfSide)run->game->to_move(state), .ply = ply};
    memcpy(&position.state, state, run->game->state_size);
    (void)player_choose_move(worker->players[position.side], state, false, &turn, moves);
    position.move = *move = moves[0];
    position.has_value = info.n_moves > 0;
    position.value = info.moves[0].value;
    worker->is_percent = info.is_percent;
    if (!info.is_percent && info.unit > 0) /* which differs between a search and a solver */
        position.value = (int)((int64_t)info.moves[0].value * GAME_UNIT / info.unit);
    return add_position(worker, &position);
}

static void set_results(SelfplayWorker *worker, TurfEnding ending)
{
    for (size_t i = 0; i < worker->n_positions; i++) {
        SelfplayPosition *position = &worker->positions[i];
        position->result = 0;
        if (ending == TURF_WON_BY_FIRST || ending == TURF_WON_BY_SECOND)
            position->result =
                (ending == TURF_WON_BY_FIRST) == (position->side == TURF_FIRST) ? 1 : -1;
    }
}

/* False: see `error`, or the run was stopped. */
static bool play(SelfplayWorker *worker, uint64_t number, TurfError *error)
{
    Selfplay           *run = worker->run;
    const SelfplayPlan *plan = run->plan;
    TurfRng             rng = rng_stream(run->streams, number);
    TurfState           state = {{0}};
    TurfEnding          ending;
    worker->n_positions = 0;
    if (!worker->positions && !make_room(worker))
        return error_no_memory(error);
    if (!game_start(run->game, plan->start, &rng, &state, error))
        return false;
    for (int side = 0; side < 2; side++)
        if (!player_begin_game(worker->players[side], &run->stop, error))
            return false;
    uint32_t n_opening = rng_below(&rng, plan->max_opening + 1);
    for (uint32_t ply = 0; !run->game->is_over(&state, &ending); ply++) {
        bool     is_random = ply < n_opening || rng_below(&rng, 100) < plan->random_percent;
        TurfMove move;
        if (is_random)
            move = random_move(run->game, &state, &rng);
        else if (!choose(worker, &state, ply, &rng, &move))
            return error_no_memory(error);
        if (is_stopped(run))
            return error_set(error, TURF_ERROR_INTERRUPTED, "stopped");
        run->game->apply(&state, move);
    }
    set_results(worker, ending);
    return true;
}

/* ---- threads ------------------------------------------------------------------------------- */

static bool take_game(Selfplay *run, uint64_t *number)
{
    pthread_mutex_lock(&run->lock);
    bool is_taken = !run->has_failed && !is_stopped(run) && run->next < run->plan->end_game;
    if (is_taken)
        *number = run->next++;
    pthread_mutex_unlock(&run->lock);
    return is_taken;
}

static FinishedGame *slot_of(const Selfplay *run, uint64_t number)
{
    return &run->ring[number % run->n_ring];
}

/* Delivers the games that are next in order; under the lock. */
static void deliver(Selfplay *run)
{
    FinishedGame *finished;
    while (!run->has_failed && (finished = slot_of(run, run->n_delivered))->positions) {
        SelfplayGame game = {.number = run->n_delivered,
                             .unit = finished->is_percent ? 0 : GAME_UNIT,
                             .positions = finished->positions,
                             .n_positions = finished->n_positions};
        run->has_failed = !run->plan->deliver(run->plan->context, &game, &run->error);
        run->n_delivered++;
        free(finished->positions);
        *finished = (FinishedGame){0};
    }
}

/* Puts the worker's game into the ring, which takes the positions over. */
static void finish_game(SelfplayWorker *worker, uint64_t number)
{
    Selfplay *run = worker->run;
    pthread_mutex_lock(&run->lock);
    while (number >= run->n_delivered + run->n_ring && !run->has_failed)
        pthread_cond_wait(&run->delivered, &run->lock);
    if (!run->has_failed) {
        *slot_of(run, number) =
            (FinishedGame){worker->positions, worker->n_positions, worker->is_percent};
        worker->positions = NULL;
        worker->room = 0;
        deliver(run);
    }
    pthread_cond_broadcast(&run->delivered);
    pthread_mutex_unlock(&run->lock);
}

static void fail(Selfplay *run, const TurfError *error)
{
    pthread_mutex_lock(&run->lock);
    if (!run->has_failed)
        run->error = *error;
    run->has_failed = true;
    pthread_cond_broadcast(&run->delivered);
    pthread_mutex_unlock(&run->lock);
}

static void *work(void *argument)
{
    SelfplayWorker *worker = argument;
    TurfError       error;
    for (uint64_t number; take_game(worker->run, &number);) {
        if (!play(worker, number, &error)) {
            fail(worker->run, &error);
            break;
        }
        finish_game(worker, number);
    }
    pthread_mutex_lock(&worker->run->lock);
    worker->run->n_running--;
    pthread_cond_broadcast(&worker->run->delivered);
    pthread_mutex_unlock(&worker->run->lock);
    return NULL;
}

static bool open_worker(Selfplay *run, SelfplayWorker *worker, TurfError *error)
{
    worker->run = run;
    for (int side = 0; side < 2; side++) {
        worker->players[side] = player_copy(run->plan->player, error);
        if (!worker->players[side])
            return false;
    }
    return true;
}

static void close_worker(SelfplayWorker *worker)
{
    turf_player_free(worker->players[0]);
    turf_player_free(worker->players[1]);
    free(worker->positions);
}

static bool start_worker(SelfplayWorker *worker)
{
    Selfplay *run = worker->run;
    pthread_mutex_lock(&run->lock);
    bool is_started = pthread_create(&worker->thread, NULL, work, worker) == 0;
    run->n_running += is_started;
    pthread_mutex_unlock(&run->lock);
    return is_started;
}

/* Waits until all threads have ended, and stops them if the run is interrupted. */
static void watch(Selfplay *run)
{
    enum { POLL_NS = 50000000, SECOND_NS = 1000000000 };
    pthread_mutex_lock(&run->lock);
    while (run->n_running > 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += POLL_NS;
        until.tv_sec += until.tv_nsec / SECOND_NS;
        until.tv_nsec %= SECOND_NS;
        (void)pthread_cond_timedwait(&run->delivered, &run->lock, &until);
        if (run->plan->is_interrupted && run->plan->is_interrupted())
            atomic_store(&run->stop, true);
    }
    pthread_mutex_unlock(&run->lock);
}

/* A thread for each worker; fewer than wanted will do. */
static bool run_workers(Selfplay *run, SelfplayWorker *workers, int n_workers, TurfError *error)
{
    int n_started = 0;
    while (n_started < n_workers && start_worker(&workers[n_started]))
        n_started++;
    watch(run);
    for (int i = 0; i < n_started; i++)
        pthread_join(workers[i].thread, NULL);
    return n_started > 0 || error_set(error, TURF_ERROR_NO_MEMORY, "no thread could be started");
}

bool selfplay_run(const SelfplayPlan *plan, TurfError *error)
{
    enum { GAMES_AHEAD = 64 }; /* for each thread */
    const char     *spec = plan->player->spec;
    Selfplay        run = {.plan = plan,
                           .game = plan->player->game,
                           .streams = rng_stream_family(plan->seed, hash_bytes(spec, strlen(spec))),
                           .lock = PTHREAD_MUTEX_INITIALIZER,
                           .delivered = PTHREAD_COND_INITIALIZER,
                           .next = plan->first_game,
                           .n_delivered = plan->first_game};
    SelfplayWorker *workers = calloc((size_t)plan->n_jobs, sizeof *workers);
    run.n_ring = GAMES_AHEAD * (uint64_t)plan->n_jobs;
    run.ring = calloc(run.n_ring, sizeof *run.ring);
    bool is_good = (workers && run.ring) || error_no_memory(error);
    for (int i = 0; is_good && i < plan->n_jobs; i++)
        is_good = open_worker(&run, &workers[i], error);
    if (is_good)
        is_good = run_workers(&run, workers, plan->n_jobs, error);
    for (int i = 0; workers && i < plan->n_jobs; i++)
        close_worker(&workers[i]);
    for (uint64_t i = 0; run.ring && i < run.n_ring; i++)
        free(run.ring[i].positions);
    free(run.ring);
    free(workers);
    if (!is_good)
        return false;
    if (!run.has_failed || run.error.code == TURF_ERROR_INTERRUPTED)
        return true;
    return error_set(error, run.error.code, "%s", run.error.text);
}
