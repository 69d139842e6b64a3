/* Clocks. What a side has left never exceeds MAX_LEFT_NS, however long it plays for gains. */
#include "live/game_clock.h"

#define MAX_LEFT_NS (INT64_C(30) * MAX_CLOCK_MS * 1000000)

GameClock game_clock(int64_t initial_ms, int64_t gain_ms)
{
    int64_t initial_ns = initial_ms * 1000000;
    return (GameClock){.is_on = initial_ms > 0,
                       .initial_ms = initial_ms,
                       .gain_ms = gain_ms,
                       .left_ns = {initial_ns, initial_ns}};
}

int64_t game_clock_left_ns(const GameClock *clock, int side, int64_t now_ns)
{
    int64_t used_ns = clock->since_ns[side] ? now_ns - clock->since_ns[side] : 0;
    return clock->left_ns[side] - used_ns;
}

int64_t game_clock_left_ms(const GameClock *clock, int side, int64_t now_ns)
{
    int64_t left_ns = game_clock_left_ns(clock, side, now_ns);
    return left_ns > 0 ? left_ns / 1000000 : 0;
}

void game_clock_start(GameClock *clock, int side, int64_t now_ns)
{
    if (!clock->since_ns[side])
        clock->since_ns[side] = now_ns;
}

void game_clock_stop(GameClock *clock, int side, int64_t now_ns)
{
    clock->left_ns[side] = game_clock_left_ns(clock, side, now_ns);
    clock->since_ns[side] = 0;
}

void game_clock_gain(GameClock *clock, int side)
{
    clock->left_ns[side] += clock->gain_ms * 1000000;
    if (clock->left_ns[side] > MAX_LEFT_NS)
        clock->left_ns[side] = MAX_LEFT_NS;
}

void game_clock_take_gain_back(GameClock *clock, int side)
{
    clock->left_ns[side] -= clock->gain_ms * 1000000;
}
