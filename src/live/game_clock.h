/* The clocks of two sides, for a game with a time limit. Time is passed in, in nanoseconds of a
 * monotonic clock; a clock that runs holds the moment it was started, so reading one changes
 * nothing. */
#ifndef TURF_LIVE_GAME_CLOCK_H
#define TURF_LIVE_GAME_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum { MAX_CLOCK_MS = 24 * 3600 * 1000 };

typedef struct GameClock {
    bool    is_on; /* the game has a time limit */
    int64_t initial_ms, gain_ms;
    int64_t left_ns[2];  /* when the clock was last started or stopped */
    int64_t since_ns[2]; /* when it was started; 0 while it is stopped */
} GameClock;

/* An `initial_ms` of 0: no time limit. */
GameClock game_clock(int64_t initial_ms, int64_t gain_ms);
/* What is left to a side; in nanoseconds below 0 once it has run out, in milliseconds 0 then. */
int64_t game_clock_left_ns(const GameClock *clock, int side, int64_t now_ns);
int64_t game_clock_left_ms(const GameClock *clock, int side, int64_t now_ns);
void    game_clock_start(GameClock *clock, int side, int64_t now_ns);
void    game_clock_stop(GameClock *clock, int side, int64_t now_ns);
/* Adds the gain of one turn to a clock that is stopped, or takes it off again. */
void game_clock_gain(GameClock *clock, int side);
void game_clock_take_gain_back(GameClock *clock, int side);

#endif
