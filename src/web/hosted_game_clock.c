/* The clocks of a live game. All of it is called with its lock held. */
#include "web/hosted_game.h"

#include "base/clock.h"
#include "web/think.h"

#include <stdio.h>

int64_t hosted_game_left_ns(const HostedGame *hosted, int side)
{
    int64_t used_ns = hosted->since_ns[side] ? clock_ns() - hosted->since_ns[side] : 0;
    return hosted->left_ns[side] - used_ns;
}

int64_t hosted_game_left_ms(const HostedGame *hosted, int side)
{
    int64_t left = hosted_game_left_ns(hosted, side);
    return left > 0 ? left / 1000000 : 0;
}

static bool is_to_move(const HostedGame *hosted, int side)
{
    TurfMover mover = hosted->setup.game->to_move(&hosted->history.state);
    return !hosted->is_over &&
           ((int)mover == side || (mover == TURF_MOVER_BOTH && !hosted->pending[side].is_in));
}

/* A clock runs while its side is to move, once both seats are taken, unless the server holds it up.
 */
void hosted_game_set_clocks(HostedGame *hosted)
{
    bool is_on = hosted->setup.has_clock && hosted->seats[0].is_taken && hosted->seats[1].is_taken;
    for (int side = 0; side < 2; side++) {
        bool runs = is_on && is_to_move(hosted, side) && !hosted->holdups[side].text[0];
        if (runs && !hosted->since_ns[side]) {
            hosted->since_ns[side] = clock_ns();
        } else if (!runs && hosted->since_ns[side]) {
            hosted->left_ns[side] = hosted_game_left_ns(hosted, side);
            hosted->since_ns[side] = 0;
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

void hosted_game_gain_time(HostedGame *hosted, const TurfState *before, const Ply *ply)
{
    const int64_t max_ns = INT64_C(30000000) * MAX_CLOCK_MS; /* thirty of the longest */
    for (int side = 0; side < 2; side++)
        if (gains_time(hosted->setup.game, before, ply, &hosted->history.state, side)) {
            hosted->left_ns[side] += hosted->setup.gain_ms * 1000000;
            if (hosted->left_ns[side] > max_ns)
                hosted->left_ns[side] = max_ns;
        }
}

/* What the moves from `ply` on have gained is lost with them: or to move and undo in turn would be
 * time for ever. */
void hosted_game_take_back_time(HostedGame *hosted, size_t first)
{
    TurfState before, after;
    if (!hosted->setup.has_clock)
        return;
    history_position_at(&hosted->history, first, &before);
    for (; first < hosted->history.n_plies; first++, before = after) {
        Ply ply = hosted->history.plies[first].ply;
        after = before;
        ply_apply(hosted->setup.game, &after, &ply);
        for (int side = 0; side < 2; side++)
            if (gains_time(hosted->setup.game, &before, &ply, &after, side))
                hosted->left_ns[side] -= hosted->setup.gain_ms * 1000000;
    }
}

/* Ends the game if a clock has run out. */
bool hosted_game_falls_on_time(HostedGame *hosted)
{
    ApiError unused;
    char     text[120];
    for (int side = 0; side < 2; side++)
        if (hosted->since_ns[side] && hosted_game_left_ns(hosted, side) <= 0) {
            snprintf(text, sizeof text, "%s ran out of time", hosted->setup.game->side_names[side]);
            Finish finish = finish_by_loss(hosted->setup.game, side, "time", text);
            json_decref(hosted_game_end(hosted, &finish, &unused));
            return true;
        }
    return false;
}

void hosted_game_tick(HostedGame *hosted)
{
    enum { MAX_IDLE_S = 120, SAVE_EVERY_S = 2 };
    int64_t now_ns = clock_ns();
    if (!hosted->is_over)
        (void)hosted_game_falls_on_time(hosted);
    if (now_ns - hosted->saved_ns > SAVE_EVERY_S * INT64_C(1000000000))
        hosted_game_save_clocks(hosted);
    for (int side = 0; side < 2; side++)
        if (hosted->thinks_since_ns[side] && !hosted->is_beginning[side] &&
            now_ns - hosted->thinks_since_ns[side] > MAX_THINK_MS * INT64_C(1000000))
            atomic_store(&hosted->stops[side], true);
    bool is_idle =
        (hosted->kept[0] || hosted->kept[1]) && !hosted->is_thinking[0] && !hosted->is_thinking[1];
    if (is_idle && now_ns - hosted->kept_used_ns > MAX_IDLE_S * INT64_C(1000000000))
        hosted_game_dismiss_players(hosted);
}
