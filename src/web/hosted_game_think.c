/* The moves of players. A job is one side's thinking about one position, on a thread of a pool; the
 * live game is not locked meanwhile, and if the position has changed when the thought is done, it
 * comes to nothing. One side has at most one job at a time, so that a bot never has two questions.
 */
#include "web/hosted_game.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "web/server.h"
#include "web/think.h"

#include <stdlib.h>
#include <string.h>

typedef struct Job {
    HostedGame *hosted; /* retained */
    int         side;
    uint64_t    generation;
} Job;

void think_job_drop(void *context)
{
    Job *job = context;
    hosted_game_release(job->hosted);
    free(job);
}

void hosted_game_stop_thinking(HostedGame *hosted)
{
    for (int side = 0; side < 2; side++)
        if (hosted->is_thinking[side])
            atomic_store(&hosted->stops[side], true);
}

/* ---- thinking ----------------------------------------------------------------------------- */

static void prepare(HostedGame *hosted, int side, Thought *thought)
{
    int64_t now_ns = clock_ns();
    *thought = (Thought){.game = hosted->setup.game,
                         .state = hosted->live.history.state,
                         .side = (TurfSide)side,
                         .rng = rng_stream(rng_stream_family(hosted->setup.seed, (uint64_t)side),
                                           hosted->live.history.n_plies),
                         .stop = &hosted->stops[side],
                         .deadline_ns = now_ns + MAX_THINK_MS * INT64_C(1000000)};
    if (hosted->live.clock.since_ns[side]) {
        int64_t falls_ns = hosted->live.clock.since_ns[side] + hosted->live.clock.left_ns[side];
        if (falls_ns < thought->deadline_ns)
            thought->deadline_ns = falls_ns;
        if (hosted->seats[side]
                .is_external) /* the others take their usual time, and no more than there is */
            thought->gain_ms = hosted->setup.gain_ms > 0 ? hosted->setup.gain_ms : 1;
    }
    hosted->thinks_since_ns[side] = now_ns;
}

/* What could not be kept has not happened, and is thought about again: not at once, since it may
 * fail for long. */
static void rest(HostedGame *hosted)
{
    enum { REST_S = 1 };
    hosted->rests_until_ns = clock_ns() + REST_S * INT64_C(1000000000);
}

/* A player cannot begin for now, and its clock stands until it can. */
static void hold_up(HostedGame *hosted, int side, const TurfError *why)
{
    bool is_news = strcmp(hosted->holdups[side].text, why->text) != 0;
    hosted->holdups[side] = *why;
    hosted_game_update_clocks(hosted);
    if (is_news)
        hosted_game_publish_seats(hosted);
    rest(hosted);
}

static void go_on(HostedGame *hosted, int side)
{
    if (!hosted->holdups[side].text[0])
        return;
    hosted->holdups[side].text[0] = '\0';
    hosted_game_update_clocks(hosted);
    hosted_game_publish_seats(hosted);
}

/* The player cannot go on, and has lost. */
static void forfeit(HostedGame *hosted, int side, const char *reason, const char *why)
{
    ApiError    unused;
    const char *name = hosted->seats[side].name;
    char        text[300];
    snprintf(text, sizeof text, "%.*s: %.*s", (int)error_cut(name, 40), name,
             (int)error_cut(why, 240), why);
    Finish  finish = finish_by_loss(hosted->setup.game, side, reason, text);
    json_t *data = hosted_game_end(hosted, &finish, &unused);
    if (!data)
        rest(hosted);
    json_decref(data);
}

static void play(HostedGame *hosted, int side, const Thought *thought, const TurfCell *cells)
{
    ApiError unused;
    Ply      ply = {.side = side, .move = thought->move};
    json_t  *data =
        game_is_simultaneous(hosted->setup.game)
             ? hosted_game_commit(hosted, side, &(TurfAction){cells, thought->n_cells}, &unused)
             : hosted_game_play(hosted, &ply, &unused);
    if (!data)
        rest(hosted);
    json_decref(data);
}

/* Thinks without the lock, and plays if the position is still the same. */
static void think_and_play(HostedGame *hosted, int side, uint64_t generation)
{
    Thought     thought;
    TurfError   error = {.code = TURF_ERROR_NO_MEMORY, .text = "out of memory"};
    TurfCell   *cells = malloc(TURF_MAX_CELLS * sizeof *cells);
    TurfPlayer *player = NULL;
    prepare(hosted, side, &thought);
    hosted->is_beginning[side] = true;
    pthread_mutex_unlock(&hosted->lock);
    player = cells ? hosted_game_open_player(hosted, side, &error) : NULL;
    pthread_mutex_lock(&hosted->lock);
    hosted->is_beginning[side] = false;
    /* It may have waited for a place or for somebody to connect, which is not thinking. */
    if (generation == hosted->generation && !atomic_load(&hosted->server->is_leaving)) {
        if (player)
            go_on(hosted, side);
        prepare(hosted, side, &thought);
    }
    pthread_mutex_unlock(&hosted->lock);
    bool has_played = player && think(player, &thought, cells, &error);
    bool is_short = !has_played && error_is_shortage(&error); /* the player is not to blame */
    if (player && !has_played)
        player_end_game(player, is_short ? NULL : thought.forfeit.text);
    pthread_mutex_lock(&hosted->lock);

    if (has_played && !hosted->is_dismissed[side])
        hosted_game_keep_player(hosted, side, player);
    else
        hosted_game_dismiss_player(hosted, side, player);
    bool has_player = player != NULL;
    hosted->is_dismissed[side] = false;
    hosted->kept_used_ns = clock_ns();
    hosted->thinks_since_ns[side] = 0;
    if (generation == hosted->generation && !hosted->live.is_over &&
        !atomic_load(&hosted->server->is_leaving)) {
        if (has_played)
            play(hosted, side, &thought, cells);
        else if (is_short)
            hold_up(hosted, side, &error);
        else if (has_player)
            forfeit(hosted, side, turf_forfeit_name(thought.forfeit.reason), thought.forfeit.text);
        else
            forfeit(hosted, side, hosted->seats[side].spec ? "crash" : "abandoned", error.text);
    }
    free(cells);
}

static void run_job(void *context)
{
    Job        *job = context;
    HostedGame *hosted = job->hosted;
    pthread_mutex_lock(&hosted->lock);
    if (job->generation == hosted->generation && !atomic_load(&hosted->server->is_leaving)) {
        think_and_play(hosted, job->side, job->generation);
    } else if (hosted->is_dismissed[job->side]) { /* while the job had not begun */
        hosted_game_dismiss_player(hosted, job->side, hosted->kept[job->side]);
        hosted->is_dismissed[job->side] = false;
    }
    hosted->is_thinking[job->side] = false;
    if (hosted->live.is_over)
        hosted_game_dismiss_players(hosted);
    hosted_game_let_players_think(hosted);
    pthread_mutex_unlock(&hosted->lock);
    think_job_drop(job);
}

void hosted_game_let_players_think(HostedGame *hosted)
{
    Server *server = hosted->server;
    if (hosted->live.is_over || atomic_load(&server->is_leaving))
        return;
    for (int side = 0; side < 2; side++) {
        const Seat *seat = &hosted->seats[side];
        if (seat->is_person || hosted->is_thinking[side] || !live_game_is_due(&hosted->live, side))
            continue;
        Job *job = malloc(sizeof *job);
        if (!job)
            continue; /* the next tick tries again */
        *job = (Job){
            .hosted = hosted_game_retain(hosted), .side = side, .generation = hosted->generation};
        atomic_store(&hosted->stops[side], false);
        hosted->is_thinking[side] = true;
        int64_t due_ns =
            hosted->setup.delay_ms ? hosted->live.changed_ns + hosted->setup.delay_ms * 1000000 : 0;
        if (due_ns < hosted->rests_until_ns)
            due_ns = hosted->rests_until_ns;
        PoolJob turn = {.run = run_job,
                        .context = job,
                        .client = hosted->asker,
                        .is_background = !hosted->seats[!side].is_person,
                        .due_ns = due_ns};
        if (!pool_add(seat->is_external ? server->bots : server->players, &turn)) {
            hosted->is_thinking[side] = false;
            think_job_drop(job);
        }
    }
}
