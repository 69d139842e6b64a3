/* The ending of a game that is decided by points, and what an ending is worth to a side. */
#ifndef TURF_GAMES_ENDING_H
#define TURF_GAMES_ENDING_H

#include "turf.h"

/* `lead` is the first side's points minus the second's. */
static inline TurfEnding ending_of_lead(int64_t lead)
{
    if (lead == 0)
        return TURF_DRAWN;
    return lead > 0 ? TURF_WON_BY_FIRST : TURF_WON_BY_SECOND;
}

/* 1 if the side has won, -1 if it has lost, 0 otherwise. */
static inline int ending_reward(TurfEnding ending, TurfSide side)
{
    if (ending != TURF_WON_BY_FIRST && ending != TURF_WON_BY_SECOND)
        return 0;
    return (ending == TURF_WON_BY_FIRST) == (side == TURF_FIRST) ? 1 : -1;
}

#endif
