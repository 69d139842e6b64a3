/* Games of a player against itself, as positions to learn from.
 *
 * Game i is a function of the seed, the player and i, and games are delivered in order, so the
 * output does not depend on the number of threads. */
#ifndef TURF_ARENA_SELFPLAY_H
#define TURF_ARENA_SELFPLAY_H

#include "players/player.h"

typedef struct SelfplayPosition {
    TurfState state;
    TurfSide  side; /* to move */
    TurfMove  move; /* that was chosen */
    uint32_t  ply;  /* from 0 */
    bool      has_value;
    int       value;  /* for the side to move, in parts of SelfplayGame.unit */
    int       result; /* for the side to move: 1 won, 0 drawn, -1 lost */
} SelfplayPosition;

typedef struct SelfplayGame {
    uint64_t                number; /* from 0 */
    int                     unit;   /* parts that make a piece or a point; 0: percent */
    const SelfplayPosition *positions;
    size_t                  n_positions;
} SelfplayGame;

typedef struct SelfplayPlan {
    const TurfPlayer *player;
    const char       *start; /* as for turf_start */
    uint64_t          seed, first_game, end_game;
    uint32_t          max_opening;    /* random moves at the start: from 0 to this */
    uint32_t          random_percent; /* of the later moves; their positions are left out */
    int               n_jobs;
    bool (*is_interrupted)(void); /* asked often, by the calling thread; may be NULL */
    /* Writes a game, in order, never two at a time; false with `error` set ends the run. */
    bool (*deliver)(void *context, const SelfplayGame *game, TurfError *error);
    void *context;
} SelfplayPlan;

/* A stop on request is no error: the games before it have been delivered. */
bool selfplay_run(const SelfplayPlan *plan, TurfError *error);

#endif
