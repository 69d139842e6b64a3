/* Schedules: who meets whom. */
#ifndef TURF_ARENA_SCHEDULE_H
#define TURF_ARENA_SCHEDULE_H

#include "arena/plan.h"

/* The most entrants that a schedule can have. */
enum { MAX_ENTRANTS = 1024 };

/* Are there enough entrants and not too many, and do the other numbers fit? */
bool schedule_check(const Plan *plan, TurfError *error);

/* How many pairings there are when all is over. */
size_t schedule_n_pairings(const Plan *plan);

/* The pairings of round `round`, from 1. Without rounds, the first has them all. In a Swiss event
 * they follow from `earlier`, the pairings of the rounds before, and their totals. `pairings` has
 * room for schedule_n_pairings; their number is returned. 0 when memory is short. */
size_t schedule_round(const Plan *plan, uint64_t round, const PairingRecord *earlier,
                      TurfTotals (*totals)[2], size_t n_earlier, PairingRecord *pairings);

#endif
