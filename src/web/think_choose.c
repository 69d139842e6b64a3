/* A player's choice on this thread: it is opened or was kept, and chooses without the lock. */
#include "web/think.h"

#include "base/clock.h"
#include "base/error.h"
#include "live/choose_ply.h"

#include <stdlib.h>

/* The player, ready to choose; it may wait for a slot, a process or a connection, which is not
 * thinking. NULL with job->error. The lock is held before and after. */
static TurfPlayer *open_player(ThinkJob *job)
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
    if (player && think_is_current(job)) {
        think_end_holdup(job);
        think_prepare(job);
    }
    return player;
}

/* False: it forfeits, or job->error says what the server lacks. */
static bool choose(ThinkJob *job, TurfPlayer *player)
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

void think_choose(ThinkJob *job)
{
    HostedGame *hosted = job->hosted;
    int         side = job->side;
    think_prepare(job);
    TurfPlayer *player = open_player(job);
    ThinkResult result = player ? THINK_FORFEITS : THINK_CANNOT_START;
    if (player && choose(job, player))
        result = THINK_CHOSE;
    if (result == THINK_CHOSE && !hosted->is_dismissed[side])
        hosted_game_keep_player(hosted, side, player);
    else
        hosted_game_dismiss_player(hosted, side, player);
    hosted->is_dismissed[side] = false;
    hosted->kept_used_ns = clock_ns();
    if (result != THINK_CHOSE && error_is_shortage(&job->error))
        result = THINK_HELD_UP;
    think_done(job, result);
}
