/* Swiss rounds: those meet who have as many points as each other and have not met yet. Rounds
 * follow from the results so far and nothing else, so that a run that was interrupted goes on as it
 * would have. */
#ifndef TURF_ARENA_SWISS_H
#define TURF_ARENA_SWISS_H

#include "arena/plan.h"

/* How many rounds so many entrants take unless somebody wants more or fewer, and the most they can.
 */
uint64_t swiss_default_rounds(size_t n_entrants);
uint64_t swiss_max_rounds(size_t n_entrants);

/* As schedule_round. With an odd number of entrants one sits out, never the same one twice before
 * everybody has, and gets the points of winning. */
size_t swiss_round(const Plan *plan, uint64_t round, const PairingRecord *earlier,
                   TurfTotals (*totals)[2], size_t n_earlier, PairingRecord *pairings);

#endif
