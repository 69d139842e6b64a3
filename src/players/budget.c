/* Time management: how long a player may search for one move. */
#include "players/budget.h"

#include "base/clock.h"

enum { RESERVE_NS = 50000000 }; /* for the answer to arrive */

static int64_t lesser(int64_t a, int64_t b) { return a < b ? a : b; }

/* The gain of each turn can be spent every turn. The clock has a maximum, so saving all of the rest
 * would waste it: a quarter of it is spent as well, but never more than half of the clock. */
static Budget on_the_clock(int64_t now_ns, int64_t left_ns, int64_t gain_ns)
{
    int64_t spend_ns = gain_ns + (left_ns > gain_ns ? (left_ns - gain_ns) / 4 : 0);
    spend_ns = lesser(spend_ns, left_ns / 2);
    return (Budget){.deadline_ns = now_ns + spend_ns,
                    .enough_ns = now_ns + lesser(gain_ns, spend_ns) * 6 / 10};
}

Budget budget_until_clock(const TurnContext *turn)
{
    int64_t now_ns = clock_ns(), left_ns = turn->deadline_ns - now_ns;
    if (!turn->deadline_ns)
        return (Budget){0};
    /* A cap is the same for every move, and rarely reached; half of a clock is kept for later
     * moves. */
    int64_t reserve_ns =
        turn->time_gain_ms > 0 ? left_ns / 2 : lesser(left_ns / 2, left_ns / 10 + RESERVE_NS);
    return (Budget){.deadline_ns = now_ns + (left_ns > 0 ? left_ns - reserve_ns : 1)};
}

Budget budget_for(const TurfPlayer *player, const TurnContext *turn)
{
    int64_t now_ns = clock_ns(), time_ms = player->options.time_ms;
    if (time_ms == 0)
        time_ms = player->kind->default_time_ms;
    int64_t left_ns = turn->deadline_ns ? turn->deadline_ns - now_ns : INT64_MAX / 4;
    left_ns = left_ns > 0 ? left_ns : 1;
    if (player->options.time_ms == 0 && turn->time_gain_ms > 0)
        return on_the_clock(now_ns, left_ns, turn->time_gain_ms * 1000000);
    /* Half of what is left on a clock is a reserve, in case this machine is busy. */
    return (Budget){.deadline_ns = now_ns + lesser(time_ms * 1000000, left_ns / 2)};
}
