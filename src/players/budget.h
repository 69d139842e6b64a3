/* Time management: how long a player may search for one move. */
#ifndef TURF_PLAYERS_BUDGET_H
#define TURF_PLAYERS_BUDGET_H

#include "players/player_kind.h"

typedef struct Budget {
    int64_t deadline_ns; /* on the monotonic clock: the answer must be there */
    int64_t enough_ns;   /* no new iteration begins after this; 0: the deadline. A search that can
                            stop at any time does so half-way from here to the deadline. */
} Budget;

/* From the player's own time=, the arena's clock, or its kind's default time if it has neither. */
Budget budget_for(const TurfPlayer *player, const TurnContext *turn);

/* The same for a player whose limit is not time: only a clock that would run out stops it. */
Budget budget_until_clock(const TurnContext *turn);

#endif
