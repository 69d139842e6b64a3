/* The moves of players. A job is one side's thinking about one position, on a thread of a pool; the sitting is not
 * locked meanwhile, and if the position has changed when the thought is done, it comes to nothing. One side has at
 * most one job at a time, so that a bot never has two questions. */
#include "web/sitting.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "web/server.h"
#include "web/think.h"

#include <stdlib.h>
#include <string.h>

typedef struct Job {
    Sitting *sitting; /* retained */
    int      side;
    uint64_t generation;
} Job;

void think_job_drop(void *context)
{
    Job *job = context;
    sitting_release(job->sitting);
    free(job);
}

void sitting_stop_thinking(Sitting *sitting)
{
    for (int side = 0; side < 2; side++)
        if (sitting->is_thinking[side])
            atomic_store(&sitting->stops[side], true);
}

/* ---- thinking ----------------------------------------------------------------------------- */

static void prepare(Sitting *sitting, int side, Thought *thought)
{
    int64_t now_ns = clock_ns();
    *thought = (Thought){.game = sitting->setup.game,
                         .state = sitting->line.state,
                         .side = (TurfSide)side,
                         .rng = rng_stream(rng_family(sitting->setup.seed, (uint64_t)side), sitting->line.n_turns),
                         .stop = &sitting->stops[side],
                         .deadline_ns = now_ns + THINK_MOST_MS * INT64_C(1000000)};
    if (sitting->since_ns[side]) {
        int64_t falls_ns = sitting->since_ns[side] + sitting->left_ns[side];
        if (falls_ns < thought->deadline_ns)
            thought->deadline_ns = falls_ns;
        if (sitting->seats[side].is_bot) /* the others take their usual time, and no more than there is */
            thought->gain_ms = sitting->setup.gain_ms > 0 ? sitting->setup.gain_ms : 1;
    }
    sitting->thinks_since_ns[side] = now_ns;
}

/* What could not be kept has not happened, and is thought about again: not at once, since it may fail for long. */
static void rest(Sitting *sitting)
{
    enum { REST_S = 1 };
    sitting->rests_until_ns = clock_ns() + REST_S * INT64_C(1000000000);
}

/* A player cannot begin for now, and its clock stands until it can. */
static void hold_up(Sitting *sitting, int side, const TurfError *why)
{
    bool is_news = strcmp(sitting->holdups[side].text, why->text) != 0;
    sitting->holdups[side] = *why;
    sitting_set_clocks(sitting);
    if (is_news)
        sitting_publish_seats(sitting);
    rest(sitting);
}

static void go_on(Sitting *sitting, int side)
{
    if (!sitting->holdups[side].text[0])
        return;
    sitting->holdups[side].text[0] = '\0';
    sitting_set_clocks(sitting);
    sitting_publish_seats(sitting);
}

/* The player cannot go on, and has lost. */
static void forfeit(Sitting *sitting, int side, const char *reason, const char *why)
{
    Refusal     unused;
    Finish      finish;
    const char *name = sitting->seats[side].name;
    char        text[sizeof finish.text];
    snprintf(text, sizeof text, "%.*s: %.*s", (int)error_cut(name, 40), name, (int)error_cut(why, 240), why);
    sitting_lose(sitting, side, reason, text, &finish);
    json_t *data = sitting_end(sitting, &finish, &unused);
    if (!data)
        rest(sitting);
    json_decref(data);
}

static void play(Sitting *sitting, int side, const Thought *thought, const TurfCell *cells)
{
    Refusal unused;
    Deed    deed = {.side = side, .move = thought->move};
    json_t *data = game_is_simultaneous(sitting->setup.game)
                       ? sitting_commit(sitting, side, cells, thought->n_cells, &unused)
                       : sitting_do(sitting, &deed, &unused);
    if (!data)
        rest(sitting);
    json_decref(data);
}

/* Thinks without the lock, and plays if the position is still the same. */
static void think_and_play(Sitting *sitting, int side, uint64_t generation)
{
    Thought     thought;
    TurfError   error = {"out of memory"};
    TurfCell   *cells = malloc(TURF_MOST_CELLS * sizeof *cells);
    TurfPlayer *player = NULL;
    bool        is_ours = true;
    prepare(sitting, side, &thought);
    sitting->is_beginning[side] = true;
    pthread_mutex_unlock(&sitting->lock);
    player = cells ? sitting_open_player(sitting, side, &is_ours, &error) : NULL;
    pthread_mutex_lock(&sitting->lock);
    sitting->is_beginning[side] = false;
    /* It may have waited for a place or for somebody to connect, which is not thinking. */
    if (generation == sitting->generation && !atomic_load(&sitting->server->is_leaving)) {
        if (player)
            go_on(sitting, side);
        prepare(sitting, side, &thought);
    }
    pthread_mutex_unlock(&sitting->lock);
    bool has_played = player && think(player, &thought, cells);
    if (player && !has_played)
        player_end_game(player, thought.forfeit.text);
    pthread_mutex_lock(&sitting->lock);

    if (has_played && !sitting->is_dismissed[side])
        sitting_keep_player(sitting, side, player);
    else
        sitting_dismiss_player(sitting, side, player);
    bool has_player = player != NULL;
    sitting->is_dismissed[side] = false;
    sitting->kept_used_ns = clock_ns();
    sitting->thinks_since_ns[side] = 0;
    if (generation == sitting->generation && !sitting->is_over && !atomic_load(&sitting->server->is_leaving)) {
        if (has_played)
            play(sitting, side, &thought, cells);
        else if (has_player)
            forfeit(sitting, side, turf_forfeit_name(thought.forfeit.reason), thought.forfeit.text);
        else if (is_ours)
            hold_up(sitting, side, &error);
        else
            forfeit(sitting, side, sitting->seats[side].spec ? "crash" : "abandoned", error.text);
    }
    free(cells);
}

static void run_job(void *context)
{
    Job     *job = context;
    Sitting *sitting = job->sitting;
    pthread_mutex_lock(&sitting->lock);
    if (job->generation == sitting->generation && !atomic_load(&sitting->server->is_leaving)) {
        think_and_play(sitting, job->side, job->generation);
    } else if (sitting->is_dismissed[job->side]) { /* while the job had not begun */
        sitting_dismiss_player(sitting, job->side, sitting->kept[job->side]);
        sitting->is_dismissed[job->side] = false;
    }
    sitting->is_thinking[job->side] = false;
    if (sitting->is_over)
        sitting_dismiss_players(sitting);
    sitting_let_players_think(sitting);
    pthread_mutex_unlock(&sitting->lock);
    think_job_drop(job);
}

void sitting_let_players_think(Sitting *sitting)
{
    Server   *server = sitting->server;
    TurfMover mover = sitting->setup.game->to_move(&sitting->line.state);
    if (sitting->is_over || atomic_load(&server->is_leaving))
        return;
    for (int side = 0; side < 2; side++) {
        const Seat *seat = &sitting->seats[side];
        bool        is_due = (int)mover == side || (mover == TURF_MOVER_BOTH && !sitting->pending[side].is_in);
        if (seat->is_person || sitting->is_thinking[side] || !is_due)
            continue;
        Job *job = malloc(sizeof *job);
        if (!job)
            continue; /* the next tick tries again */
        *job = (Job){.sitting = sitting_retain(sitting), .side = side, .generation = sitting->generation};
        atomic_store(&sitting->stops[side], false);
        sitting->is_thinking[side] = true;
        int64_t due_ns = sitting->setup.delay_ms ? sitting->changed_ns + sitting->setup.delay_ms * 1000000 : 0;
        if (due_ns < sitting->rests_until_ns)
            due_ns = sitting->rests_until_ns;
        PoolJob thinking = {.run = run_job,
                            .context = job,
                            .caller = sitting->asker,
                            .is_show = !sitting->seats[!side].is_person,
                            .due_ns = due_ns};
        if (!pool_add(seat->is_bot ? server->bots : server->players, &thinking)) {
            sitting->is_thinking[side] = false;
            think_job_drop(job);
        }
    }
}
