/* The moves of players. A job is one side's thinking about one position, on a thread of a pool; the
 * live game is not locked meanwhile, and if the position has changed when the thought is done, it
 * comes to nothing. One side has at most one job at a time, so that a bot never has two questions.
 */
#include "web/live_game.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "web/server.h"
#include "web/think.h"

#include <stdlib.h>
#include <string.h>

typedef struct Job {
    LiveGame *live_game; /* retained */
    int       side;
    uint64_t  generation;
} Job;

void think_job_drop(void *context)
{
    Job *job = context;
    live_game_release(job->live_game);
    free(job);
}

void live_game_stop_thinking(LiveGame *live_game)
{
    for (int side = 0; side < 2; side++)
        if (live_game->is_thinking[side])
            atomic_store(&live_game->stops[side], true);
}

/* ---- thinking ----------------------------------------------------------------------------- */

static void prepare(LiveGame *live_game, int side, Thought *thought)
{
    int64_t now_ns = clock_ns();
    *thought = (Thought){.game = live_game->setup.game,
                         .state = live_game->history.state,
                         .side = (TurfSide)side,
                         .rng = rng_stream(rng_stream_family(live_game->setup.seed, (uint64_t)side),
                                           live_game->history.n_plies),
                         .stop = &live_game->stops[side],
                         .deadline_ns = now_ns + MAX_THINK_MS * INT64_C(1000000)};
    if (live_game->since_ns[side]) {
        int64_t falls_ns = live_game->since_ns[side] + live_game->left_ns[side];
        if (falls_ns < thought->deadline_ns)
            thought->deadline_ns = falls_ns;
        if (live_game->seats[side]
                .is_bot) /* the others take their usual time, and no more than there is */
            thought->gain_ms = live_game->setup.gain_ms > 0 ? live_game->setup.gain_ms : 1;
    }
    live_game->thinks_since_ns[side] = now_ns;
}

/* What could not be kept has not happened, and is thought about again: not at once, since it may
 * fail for long. */
static void rest(LiveGame *live_game)
{
    enum { REST_S = 1 };
    live_game->rests_until_ns = clock_ns() + REST_S * INT64_C(1000000000);
}

/* A player cannot begin for now, and its clock stands until it can. */
static void hold_up(LiveGame *live_game, int side, const TurfError *why)
{
    bool is_news = strcmp(live_game->holdups[side].text, why->text) != 0;
    live_game->holdups[side] = *why;
    live_game_set_clocks(live_game);
    if (is_news)
        live_game_publish_seats(live_game);
    rest(live_game);
}

static void go_on(LiveGame *live_game, int side)
{
    if (!live_game->holdups[side].text[0])
        return;
    live_game->holdups[side].text[0] = '\0';
    live_game_set_clocks(live_game);
    live_game_publish_seats(live_game);
}

/* The player cannot go on, and has lost. */
static void forfeit(LiveGame *live_game, int side, const char *reason, const char *why)
{
    ApiError    unused;
    const char *name = live_game->seats[side].name;
    char        text[300];
    snprintf(text, sizeof text, "%.*s: %.*s", (int)error_cut(name, 40), name,
             (int)error_cut(why, 240), why);
    Finish  finish = finish_by_loss(live_game->setup.game, side, reason, text);
    json_t *data = live_game_end(live_game, &finish, &unused);
    if (!data)
        rest(live_game);
    json_decref(data);
}

static void play(LiveGame *live_game, int side, const Thought *thought, const TurfCell *cells)
{
    ApiError unused;
    Ply      ply = {.side = side, .move = thought->move};
    json_t  *data = game_is_simultaneous(live_game->setup.game)
                        ? live_game_commit(live_game, side, cells, thought->n_cells, &unused)
                        : live_game_do(live_game, &ply, &unused);
    if (!data)
        rest(live_game);
    json_decref(data);
}

/* Thinks without the lock, and plays if the position is still the same. */
static void think_and_play(LiveGame *live_game, int side, uint64_t generation)
{
    Thought     thought;
    TurfError   error = {.code = TURF_ERROR_NO_MEMORY, .text = "out of memory"};
    TurfCell   *cells = malloc(TURF_MAX_CELLS * sizeof *cells);
    TurfPlayer *player = NULL;
    bool        is_ours = true;
    prepare(live_game, side, &thought);
    live_game->is_beginning[side] = true;
    pthread_mutex_unlock(&live_game->lock);
    player = cells ? live_game_open_player(live_game, side, &is_ours, &error) : NULL;
    pthread_mutex_lock(&live_game->lock);
    live_game->is_beginning[side] = false;
    /* It may have waited for a place or for somebody to connect, which is not thinking. */
    if (generation == live_game->generation && !atomic_load(&live_game->server->is_leaving)) {
        if (player)
            go_on(live_game, side);
        prepare(live_game, side, &thought);
    }
    pthread_mutex_unlock(&live_game->lock);
    bool has_played = player && think(player, &thought, cells);
    if (player && !has_played)
        player_end_game(player, thought.forfeit.text);
    pthread_mutex_lock(&live_game->lock);

    if (has_played && !live_game->is_dismissed[side])
        live_game_keep_player(live_game, side, player);
    else
        live_game_dismiss_player(live_game, side, player);
    bool has_player = player != NULL;
    live_game->is_dismissed[side] = false;
    live_game->kept_used_ns = clock_ns();
    live_game->thinks_since_ns[side] = 0;
    if (generation == live_game->generation && !live_game->is_over &&
        !atomic_load(&live_game->server->is_leaving)) {
        if (has_played)
            play(live_game, side, &thought, cells);
        else if (has_player)
            forfeit(live_game, side, turf_forfeit_name(thought.forfeit.reason),
                    thought.forfeit.text);
        else if (is_ours)
            hold_up(live_game, side, &error);
        else
            forfeit(live_game, side, live_game->seats[side].spec ? "crash" : "abandoned",
                    error.text);
    }
    free(cells);
}

static void run_job(void *context)
{
    Job      *job = context;
    LiveGame *live_game = job->live_game;
    pthread_mutex_lock(&live_game->lock);
    if (job->generation == live_game->generation && !atomic_load(&live_game->server->is_leaving)) {
        think_and_play(live_game, job->side, job->generation);
    } else if (live_game->is_dismissed[job->side]) { /* while the job had not begun */
        live_game_dismiss_player(live_game, job->side, live_game->kept[job->side]);
        live_game->is_dismissed[job->side] = false;
    }
    live_game->is_thinking[job->side] = false;
    if (live_game->is_over)
        live_game_dismiss_players(live_game);
    live_game_let_players_think(live_game);
    pthread_mutex_unlock(&live_game->lock);
    think_job_drop(job);
}

void live_game_let_players_think(LiveGame *live_game)
{
    Server   *server = live_game->server;
    TurfMover mover = live_game->setup.game->to_move(&live_game->history.state);
    if (live_game->is_over || atomic_load(&server->is_leaving))
        return;
    for (int side = 0; side < 2; side++) {
        const Seat *seat = &live_game->seats[side];
        bool        is_due =
            (int)mover == side || (mover == TURF_MOVER_BOTH && !live_game->pending[side].is_in);
        if (seat->is_person || live_game->is_thinking[side] || !is_due)
            continue;
        Job *job = malloc(sizeof *job);
        if (!job)
            continue; /* the next tick tries again */
        *job = (Job){.live_game = live_game_retain(live_game),
                     .side = side,
                     .generation = live_game->generation};
        atomic_store(&live_game->stops[side], false);
        live_game->is_thinking[side] = true;
        int64_t due_ns = live_game->setup.delay_ms
                             ? live_game->changed_ns + live_game->setup.delay_ms * 1000000
                             : 0;
        if (due_ns < live_game->rests_until_ns)
            due_ns = live_game->rests_until_ns;
        PoolJob turn = {.run = run_job,
                        .context = job,
                        .client = live_game->asker,
                        .is_show = !live_game->seats[!side].is_person,
                        .due_ns = due_ns};
        if (!pool_add(seat->is_bot ? server->bots : server->players, &turn)) {
            live_game->is_thinking[side] = false;
            think_job_drop(job);
        }
    }
}
