/* Schedules: who meets whom. */
#ifndef TURF_ARENA_SCHEDULE_H
#define TURF_ARENA_SCHEDULE_H

#include "arena/plan.h"

enum { MAX_ENTRANTS = 1024 };

/* Checks the numbers of entrants, games and rounds. */
bool schedule_check(const Plan *plan, TurfError *error);

/* The number of pairings in all rounds. */
size_t schedule_n_pairings(const Plan *plan);

/* Writes the pairings of round `round`, from 1, and returns their number; 0 when out of memory.
 * Only a Swiss tournament has more than one round; its pairings follow from those of the rounds
 * before (`earlier`) and their totals. `pairings` has room for schedule_n_pairings. */
size_t schedule_round(const Plan *plan, uint64_t round, const PairingRecord *earlier,
                      TurfTotals (*totals)[2], size_t n_earlier, PairingRecord *pairings);

/* Rounds of a Swiss tournament. */
uint64_t swiss_default_rounds(size_t n_entrants);
uint64_t swiss_max_rounds(size_t n_entrants);

#endif
