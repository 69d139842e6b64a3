/* The moves of players.
 *
 * A job is one side's choice in one position, on a thread of a pool. The game is locked while a job
 * reads and changes it, but not while a player starts or chooses. `generation` changes with the
 * position, so a job that finds another generation drops its choice. A side has at most one job at
 * a time, so a bot never has two questions. */
#include "web/hosted_game.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "live/choose_ply.h"
#include "web/server.h"

#include <stdlib.h>
#include <string.h>

typedef struct Job {
    HostedGame *hosted; /* retained */
    int         side;
    uint64_t    generation;

    /* The question, and the answer. */
    TurfState   state;
    TurfRng     rng;
    TurnContext turn;
    int64_t     used_ns;
    Ply         ply;
    Forfeit     forfeit;
    TurfError   error;
    TurfCell   *cells; /* of the ply; there while the job runs */
} Job;

void think_job_drop(void *context)
{
    Job *job = context;
    hosted_game_release(job->hosted);
    free(job->cells);
    free(job);
}

void hosted_game_stop_thinking(HostedGame *hosted)
{
    for (int side = 0; side < 2; side++)
        if (hosted->is_thinking[side])
            atomic_store(&hosted->stops[side], true);
}

/* Is the job still about the current position? */
static bool is_current(const Job *job)
{
    const HostedGame *hosted = job->hosted;
    return job->generation == hosted->generation && !hosted->live.is_over &&
           !atomic_load(&hosted->server->is_leaving);
}

/* ---- the question ------------------------------------------------------------------------- */

/* The time for thinking begins now. External players are told of the clock; the others take their
 * default time, or what is left if that is less. */
static void prepare(Job *job)
{
    HostedGame      *hosted = job->hosted;
    const GameClock *clock = &hosted->live.clock;
    int              side = job->side;
    int64_t          now_ns = clock_ns();
    job->state = hosted->live.history.state;
    job->rng = rng_stream(rng_stream_family(hosted->setup.seed, (uint64_t)side),
                          hosted->live.history.n_plies);
    job->turn = (TurnContext){.rng = &job->rng,
                              .stop = &hosted->stops[side],
                              .deadline_ns = now_ns + MAX_THINK_MS * INT64_C(1000000),
                              .used_ns = &job->used_ns,
                              .forfeit = &job->forfeit,
                              .error = &job->error};
    if (clock->since_ns[side]) {
        int64_t runs_out_ns = clock->since_ns[side] + clock->left_ns[side];
        if (runs_out_ns < job->turn.deadline_ns)
            job->turn.deadline_ns = runs_out_ns;
        if (hosted->seats[side].is_external)
            job->turn.time_gain_ms = clock->gain_ms > 0 ? clock->gain_ms : 1;
    }
    hosted->thinks_since_ns[side] = now_ns;
}

/* ---- the answer --------------------------------------------------------------------------- */

/* After a failure no player thinks for a while: the next attempt may fail too. */
static void rest(HostedGame *hosted)
{
    enum { REST_S = 1 };
    hosted->rests_until_ns = clock_ns() + REST_S * INT64_C(1000000000);
}

/* The server lacks something that the player needs; its clock stands until it can start. */
static void hold_up(HostedGame *hosted, int side, const TurfError *why)
{
    bool is_news = strcmp(hosted->holdups[side].text, why->text) != 0;
    hosted->holdups[side] = *why;
    hosted_game_update_clocks(hosted);
    if (is_news)
        hosted_game_publish_seats(hosted);
    rest(hosted);
}

static void end_holdup(HostedGame *hosted, int side)
{
    if (!hosted->holdups[side].text[0])
        return;
    hosted->holdups[side].text[0] = '\0';
    hosted_game_update_clocks(hosted);
    hosted_game_publish_seats(hosted);
}

static void forfeit(HostedGame *hosted, int side, const char *reason, const char *why)
{
    ApiError    dropped;
    const char *name = hosted->seats[side].name;
    char        text[300];
    snprintf(text, sizeof text, "%.*s: %.*s", (int)error_cut(name, 40), name,
             (int)error_cut(why, 240), why);
    Finish  finish = finish_by_loss(hosted->setup.game, side, reason, text);
    json_t *data = hosted_game_end(hosted, &finish, &dropped);
    if (!data)
        rest(hosted);
    json_decref(data);
}

static void play(const Job *job)
{
    HostedGame *hosted = job->hosted;
    ApiError    dropped;
    json_t     *data;
    if (game_is_simultaneous(hosted->setup.game))
        data = hosted_game_commit(hosted, job->side, &job->ply.actions[job->side], &dropped);
    else
        data = hosted_game_play(hosted, &job->ply, &dropped);
    if (!data)
        rest(hosted);
    json_decref(data);
}

/* ---- jobs --------------------------------------------------------------------------------- */

/* The player, ready to choose; it may wait for a slot, a process or a connection, which is not
 * thinking. NULL with job->error. The lock is held before and after. */
static TurfPlayer *open_player(Job *job)
{
    HostedGame *hosted = job->hosted;
    job->cells = malloc(TURF_MAX_CELLS * sizeof *job->cells);
    if (!job->cells) {
        error_no_memory(&job->error);
        return NULL;
    }
    hosted->is_beginning[job->side] = true;
    pthread_mutex_unlock(&hosted->lock);
    TurfPlayer *player = hosted_game_open_player(hosted, job->side, &job->error);
    pthread_mutex_lock(&hosted->lock);
    hosted->is_beginning[job->side] = false;
    if (player && is_current(job)) {
        end_holdup(hosted, job->side);
        prepare(job);
    }
    return player;
}

/* False: it forfeits, or job->error says what the server lacks. */
static bool choose(Job *job, TurfPlayer *player)
{
    HostedGame *hosted = job->hosted;
    job->error = (TurfError){.code = TURF_OK};
    pthread_mutex_unlock(&hosted->lock);
    bool has_chosen =
        choose_ply(player, &job->state, (TurfSide)job->side, &job->turn, job->cells, &job->ply);
    if (!has_chosen)
        player_end_game(player, error_is_shortage(&job->error) ? NULL : job->forfeit.text);
    pthread_mutex_lock(&hosted->lock);
    return has_chosen;
}

static void choose_and_play(Job *job)
{
    HostedGame *hosted = job->hosted;
    int         side = job->side;
    prepare(job);
    TurfPlayer *player = open_player(job);
    bool        has_player = player != NULL, has_chosen = has_player && choose(job, player);
    if (has_chosen && !hosted->is_dismissed[side])
        hosted_game_keep_player(hosted, side, player);
    else
        hosted_game_dismiss_player(hosted, side, player);
    hosted->is_dismissed[side] = false;
    hosted->kept_used_ns = clock_ns();
    hosted->thinks_since_ns[side] = 0;
    if (!is_current(job))
        return;
    if (has_chosen)
        play(job);
    else if (error_is_shortage(&job->error))
        hold_up(hosted, side, &job->error);
    else if (has_player)
        forfeit(hosted, side, turf_forfeit_name(job->forfeit.reason), job->forfeit.text);
    else
        forfeit(hosted, side, hosted->seats[side].spec ? "crash" : "abandoned", job->error.text);
}

static void run_job(void *context)
{
    Job        *job = context;
    HostedGame *hosted = job->hosted;
    int         side = job->side;
    pthread_mutex_lock(&hosted->lock);
    if (is_current(job)) {
        choose_and_play(job);
    } else if (hosted->is_dismissed[side]) { /* before the job began */
        hosted_game_dismiss_player(hosted, side, hosted->kept[side]);
        hosted->is_dismissed[side] = false;
    }
    hosted->is_thinking[side] = false;
    if (hosted->live.is_over)
        hosted_game_dismiss_players(hosted);
    hosted_game_let_players_think(hosted);
    pthread_mutex_unlock(&hosted->lock);
    think_job_drop(job);
}

static int64_t due_ns(const HostedGame *hosted)
{
    int64_t delay_ms = hosted->setup.delay_ms;
    int64_t after_ns = delay_ms ? hosted->live.changed_ns + delay_ms * 1000000 : 0;
    return after_ns > hosted->rests_until_ns ? after_ns : hosted->rests_until_ns;
}

/* Without memory or a place in the queue, the next tick tries again. */
static void add_job(HostedGame *hosted, int side)
{
    Server     *server = hosted->server;
    const Seat *seat = &hosted->seats[side];
    Job        *job = malloc(sizeof *job);
    if (!job)
        return;
    *job =
        (Job){.hosted = hosted_game_retain(hosted), .side = side, .generation = hosted->generation};
    atomic_store(&hosted->stops[side], false);
    hosted->is_thinking[side] = true;
    PoolJob turn = {.run = run_job,
                    .context = job,
                    .client = hosted->asker,
                    .is_background = !hosted->seats[!side].is_person,
                    .due_ns = due_ns(hosted)};
    if (!pool_add(seat->is_external ? server->bots : server->players, &turn)) {
        hosted->is_thinking[side] = false;
        think_job_drop(job);
    }
}

void hosted_game_let_players_think(HostedGame *hosted)
{
    if (atomic_load(&hosted->server->is_leaving) || hosted->is_paused)
        return;
    for (int side = 0; side < 2; side++)
        if (!hosted->seats[side].is_person && !hosted->is_thinking[side] &&
            live_game_is_due(&hosted->live, side))
            add_job(hosted, side);
}
