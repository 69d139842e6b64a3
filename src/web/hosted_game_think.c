/* The moves of players.
 *
 * A job is one side's choice in one position, on a thread of a pool. The game is locked while a job
 * reads and changes it, but not while a player starts or chooses. `generation` changes with the
 * position, so a job that finds another generation drops its choice. A side has at most one job at
 * a time, so a bot never has two questions. */
#include "web/think.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "web/league_practice.h"
#include "web/server.h"

#include <stdlib.h>
#include <string.h>

void think_job_drop(void *context)
{
    ThinkJob *job = context;
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

bool think_is_current(const ThinkJob *job)
{
    const HostedGame *hosted = job->hosted;
    return job->generation == hosted->generation && !hosted->live.is_over &&
           !atomic_load(&hosted->server->is_leaving);
}

/* ---- the question ------------------------------------------------------------------------- */

/* The time for thinking begins now. External players are told of the clock; the others take their
 * default time, or what is left if that is less. */
void think_prepare(ThinkJob *job)
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

void think_end_holdup(ThinkJob *job)
{
    HostedGame *hosted = job->hosted;
    int         side = job->side;
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
    if (is_practice(hosted->seats[side].player)) /* what it wrote is for its team alone */
        why = reason;
    snprintf(text, sizeof text, "%.*s: %.*s", (int)error_cut(name, 40), name,
             (int)error_cut(why, 240), why);
    Finish  finish = finish_by_loss(hosted->setup.game, side, reason, text);
    json_t *data = hosted_game_end(hosted, &finish, &dropped);
    if (!data)
        rest(hosted);
    json_decref(data);
}

static void play(const ThinkJob *job)
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

/* What follows from the answer; `job` is current. */
static void take_answer(ThinkJob *job, ThinkResult result)
{
    HostedGame *hosted = job->hosted;
    int         side = job->side;
    switch (result) {
    case THINK_CHOSE: play(job); break;
    case THINK_HELD_UP: hold_up(hosted, side, &job->error); break;
    case THINK_FORFEITS:
        forfeit(hosted, side, turf_forfeit_name(job->forfeit.reason), job->forfeit.text);
        break;
    case THINK_CANNOT_START:
        forfeit(hosted, side, hosted->seats[side].spec ? "crash" : "abandoned", job->error.text);
        break;
    }
}

static void end_job(ThinkJob *job)
{
    HostedGame *hosted = job->hosted;
    hosted->is_thinking[job->side] = false;
    if (hosted->live.is_over)
        hosted_game_dismiss_players(hosted);
    hosted_game_let_players_think(hosted);
}

void think_done(ThinkJob *job, ThinkResult result)
{
    HostedGame *hosted = job->hosted;
    hosted->thinks_since_ns[job->side] = 0;
    if (think_is_current(job))
        take_answer(job, result);
    end_job(job);
    think_job_drop(job);
}

static void run_job(void *context)
{
    ThinkJob   *job = context;
    HostedGame *hosted = hosted_game_retain(job->hosted);
    int         side = job->side;
    pthread_mutex_lock(&hosted->lock);
    if (think_is_current(job)) {
        think_choose(job);
    } else {
        if (hosted->is_dismissed[side]) { /* before the job began */
            hosted_game_dismiss_player(hosted, side, hosted->kept[side]);
            hosted->is_dismissed[side] = false;
        }
        end_job(job);
        think_job_drop(job);
    }
    pthread_mutex_unlock(&hosted->lock);
    hosted_game_release(hosted);
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
    ThinkJob   *job = malloc(sizeof *job);
    if (!job)
        return;
    *job = (ThinkJob){
        .hosted = hosted_game_retain(hosted), .side = side, .generation = hosted->generation};
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
