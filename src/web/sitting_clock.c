/* The clocks of a sitting. All of it is called with its lock held. */
#include "web/sitting.h"

#include "base/clock.h"
#include "web/think.h"

#include <stdio.h>

int64_t sitting_left_ns(const Sitting *sitting, int side)
{
    int64_t used_ns = sitting->since_ns[side] ? clock_ns() - sitting->since_ns[side] : 0;
    return sitting->left_ns[side] - used_ns;
}

int64_t sitting_left_ms(const Sitting *sitting, int side)
{
    int64_t left = sitting_left_ns(sitting, side);
    return left > 0 ? left / 1000000 : 0;
}

static bool is_to_move(const Sitting *sitting, int side)
{
    TurfMover mover = sitting->setup.game->to_move(&sitting->line.state);
    return !sitting->is_over && ((int)mover == side || (mover == TURF_MOVER_BOTH && !sitting->pending[side].is_in));
}

/* A clock runs while its side is to move, once both seats are taken, unless the server holds it up. */
void sitting_set_clocks(Sitting *sitting)
{
    bool is_on = sitting->setup.has_clock && sitting->seats[0].is_taken && sitting->seats[1].is_taken;
    for (int side = 0; side < 2; side++) {
        bool runs = is_on && is_to_move(sitting, side) && !sitting->holdups[side].text[0];
        if (runs && !sitting->since_ns[side]) {
            sitting->since_ns[side] = clock_ns();
        } else if (!runs && sitting->since_ns[side]) {
            sitting->left_ns[side] = sitting_left_ns(sitting, side);
            sitting->since_ns[side] = 0;
        }
    }
}

/* After a turn of its own a side gains time. */
static bool gains_time(const TurfGame *game, const TurfState *before, const Deed *deed, const TurfState *after,
                       int side)
{
    return deed->side == SIDE_BOTH || (deed->side == side && game->to_move(before) != game->to_move(after));
}

void sitting_gain_time(Sitting *sitting, const TurfState *before, const Deed *deed)
{
    const int64_t most_ns = INT64_C(30000000) * SITTING_LONGEST_CLOCK_MS; /* thirty of the longest */
    for (int side = 0; side < 2; side++)
        if (gains_time(sitting->setup.game, before, deed, &sitting->line.state, side)) {
            sitting->left_ns[side] += sitting->setup.gain_ms * 1000000;
            if (sitting->left_ns[side] > most_ns)
                sitting->left_ns[side] = most_ns;
        }
}

/* What the moves from `ply` on have gained is lost with them: or to move and undo in turn would be time for ever. */
void sitting_take_back_time(Sitting *sitting, size_t ply)
{
    TurfState before, after;
    if (!sitting->setup.has_clock)
        return;
    line_position_at(&sitting->line, ply, &before);
    for (; ply < sitting->line.n_turns; ply++, before = after) {
        Deed deed = turn_deed(&sitting->line.turns[ply]);
        after = before;
        deed_apply(sitting->setup.game, &after, &deed);
        for (int side = 0; side < 2; side++)
            if (gains_time(sitting->setup.game, &before, &deed, &after, side))
                sitting->left_ns[side] -= sitting->setup.gain_ms * 1000000;
    }
}

/* Ends the game if a clock has run out. */
bool sitting_falls_on_time(Sitting *sitting)
{
    Refusal unused;
    Finish  finish;
    char    text[120];
    for (int side = 0; side < 2; side++)
        if (sitting->since_ns[side] && sitting_left_ns(sitting, side) <= 0) {
            snprintf(text, sizeof text, "%s ran out of time", sitting->setup.game->side_names[side]);
            sitting_lose(sitting, side, "time", text, &finish);
            json_decref(sitting_end(sitting, &finish, &unused));
            return true;
        }
    return false;
}

void sitting_tick(Sitting *sitting)
{
    enum { MOST_IDLE_S = 120, SAVE_EVERY_S = 2 };
    int64_t now_ns = clock_ns();
    if (!sitting->is_over)
        (void)sitting_falls_on_time(sitting);
    if (now_ns - sitting->saved_ns > SAVE_EVERY_S * INT64_C(1000000000))
        sitting_save_clocks(sitting);
    for (int side = 0; side < 2; side++)
        if (sitting->thinks_since_ns[side] && !sitting->is_beginning[side] &&
            now_ns - sitting->thinks_since_ns[side] > THINK_MOST_MS * INT64_C(1000000))
            atomic_store(&sitting->stops[side], true);
    bool is_idle = (sitting->kept[0] || sitting->kept[1]) && !sitting->is_thinking[0] && !sitting->is_thinking[1];
    if (is_idle && now_ns - sitting->kept_used_ns > MOST_IDLE_S * INT64_C(1000000000))
        sitting_dismiss_players(sitting);
}
