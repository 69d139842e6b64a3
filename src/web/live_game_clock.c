/* The clocks of a live game. All of it is called with its lock held. */
#include "web/live_game.h"

#include "base/clock.h"
#include "web/think.h"

#include <stdio.h>

int64_t live_game_left_ns(const LiveGame *live_game, int side)
{
    int64_t used_ns = live_game->since_ns[side] ? clock_ns() - live_game->since_ns[side] : 0;
    return live_game->left_ns[side] - used_ns;
}

int64_t live_game_left_ms(const LiveGame *live_game, int side)
{
    int64_t left = live_game_left_ns(live_game, side);
    return left > 0 ? left / 1000000 : 0;
}

static bool is_to_move(const LiveGame *live_game, int side)
{
    TurfMover mover = live_game->setup.game->to_move(&live_game->history.state);
    return !live_game->is_over &&
           ((int)mover == side || (mover == TURF_MOVER_BOTH && !live_game->pending[side].is_in));
}

/* A clock runs while its side is to move, once both seats are taken, unless the server holds it up.
 */
void live_game_set_clocks(LiveGame *live_game)
{
    bool is_on =
        live_game->setup.has_clock && live_game->seats[0].is_taken && live_game->seats[1].is_taken;
    for (int side = 0; side < 2; side++) {
        bool runs = is_on && is_to_move(live_game, side) && !live_game->holdups[side].text[0];
        if (runs && !live_game->since_ns[side]) {
            live_game->since_ns[side] = clock_ns();
        } else if (!runs && live_game->since_ns[side]) {
            live_game->left_ns[side] = live_game_left_ns(live_game, side);
            live_game->since_ns[side] = 0;
        }
    }
}

/* After a turn of its own a side gains time. */
static bool gains_time(const TurfGame *game, const TurfState *before, const Ply *ply,
                       const TurfState *after, int side)
{
    return ply->side == SIDE_BOTH ||
           (ply->side == side && game->to_move(before) != game->to_move(after));
}

void live_game_gain_time(LiveGame *live_game, const TurfState *before, const Ply *ply)
{
    const int64_t max_ns = INT64_C(30000000) * MAX_CLOCK_MS; /* thirty of the longest */
    for (int side = 0; side < 2; side++)
        if (gains_time(live_game->setup.game, before, ply, &live_game->history.state, side)) {
            live_game->left_ns[side] += live_game->setup.gain_ms * 1000000;
            if (live_game->left_ns[side] > max_ns)
                live_game->left_ns[side] = max_ns;
        }
}

/* What the moves from `ply` on have gained is lost with them: or to move and undo in turn would be
 * time for ever. */
void live_game_take_back_time(LiveGame *live_game, size_t first)
{
    TurfState before, after;
    if (!live_game->setup.has_clock)
        return;
    history_position_at(&live_game->history, first, &before);
    for (; first < live_game->history.n_plies; first++, before = after) {
        Ply ply = live_game->history.plies[first].ply;
        after = before;
        ply_apply(live_game->setup.game, &after, &ply);
        for (int side = 0; side < 2; side++)
            if (gains_time(live_game->setup.game, &before, &ply, &after, side))
                live_game->left_ns[side] -= live_game->setup.gain_ms * 1000000;
    }
}

/* Ends the game if a clock has run out. */
bool live_game_falls_on_time(LiveGame *live_game)
{
    ApiError unused;
    char     text[120];
    for (int side = 0; side < 2; side++)
        if (live_game->since_ns[side] && live_game_left_ns(live_game, side) <= 0) {
            snprintf(text, sizeof text, "%s ran out of time",
                     live_game->setup.game->side_names[side]);
            Finish finish = finish_by_loss(live_game->setup.game, side, "time", text);
            json_decref(live_game_end(live_game, &finish, &unused));
            return true;
        }
    return false;
}

void live_game_tick(LiveGame *live_game)
{
    enum { MAX_IDLE_S = 120, SAVE_EVERY_S = 2 };
    int64_t now_ns = clock_ns();
    if (!live_game->is_over)
        (void)live_game_falls_on_time(live_game);
    if (now_ns - live_game->saved_ns > SAVE_EVERY_S * INT64_C(1000000000))
        live_game_save_clocks(live_game);
    for (int side = 0; side < 2; side++)
        if (live_game->thinks_since_ns[side] && !live_game->is_beginning[side] &&
            now_ns - live_game->thinks_since_ns[side] > MAX_THINK_MS * INT64_C(1000000))
            atomic_store(&live_game->stops[side], true);
    bool is_idle = (live_game->kept[0] || live_game->kept[1]) && !live_game->is_thinking[0] &&
                   !live_game->is_thinking[1];
    if (is_idle && now_ns - live_game->kept_used_ns > MAX_IDLE_S * INT64_C(1000000000))
        live_game_dismiss_players(live_game);
}
