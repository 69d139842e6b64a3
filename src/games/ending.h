/* The ending of a game that is decided by points. */
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

#endif
