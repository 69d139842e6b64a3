/* One game between two players, with its clocks and its forfeits. */
#ifndef TURF_ARENA_GAME_PLAY_H
#define TURF_ARENA_GAME_PLAY_H

#include "arena/game_log.h"
#include "players/player.h"

enum { DEFAULT_MOVE_CAP_MS = 10000, CLOCK_BUCKET_TURNS = 5 };

typedef struct GamePlay {
    const TurfGame    *game;
    TurfPlayer        *players[2];
    TurfRng            rng[2];
    const atomic_bool *stop;
    int64_t  time_ms, move_cap_ms; /* as in TurfRunOptions; a player may have its own clock */
    uint32_t max_turns;            /* stop after so many; 0: play to the end */
    bool     absent_loses; /* a bot at home that does not come forfeits; else there is no game */
    GameLog *log;          /* gets the moves and their times; may be NULL */
} GamePlay;

typedef struct GameResult {
    bool       is_whole;  /* false: stopped, or a player is absent; does not count */
    bool       is_absent; /* a player that is kept at home is not connected */
    TurfEnding ending;
    uint32_t   length;
    int        forfeiter;     /* a side, or -1 */
    int64_t    slowest_ns[2]; /* the slowest answer of each side */
    Forfeit    forfeit;
    /* The last of what the forfeiter wrote to standard error; valid until its next game. */
    const char *errors;
} GameResult;

/* Plays from a position to the end. False: it could not be played, and no player is to blame. */
bool game_play(GamePlay *play, TurfState *state, GameResult *result, TurfError *error);

#endif
