/* Schedules: who meets whom. */
#ifndef TURF_ARENA_SCHEDULE_H
#define TURF_ARENA_SCHEDULE_H

#include "arena/plan.h"

enum { MAX_ENTRANTS = 1024 };

/* Checks the numbers of entrants, games and rounds. */
bool schedule_check(const Plan *plan, TurfError *error);

/* How many rounds there are; more than one only where a round depends on those before it. */
uint64_t schedule_n_rounds(const Plan *plan);
/* Does a round depend on the results of the rounds before? */
bool schedule_has_rounds(const Plan *plan);
/* The number of pairings in all rounds. */
size_t schedule_n_pairings(const Plan *plan);

/* Writes the pairings of round `round`, from 1, and returns their number; 0 when out of memory.
 * Where there is more than one round (Swiss, knock-out), pairings follow from those of the rounds
 * before (`earlier`) and their totals. `pairings` has room for schedule_n_pairings. */
size_t schedule_round(const Plan *plan, uint64_t round, const PairingRecord *earlier,
                      TurfTotals (*totals)[2], size_t n_earlier, PairingRecord *pairings);

/* A knock-out. Entrants are seeded in their order; the first seeds have byes where their number is
 * no power of two. Equal points: the better seed goes on. */
enum { BRACKET_NOBODY = MAX_ENTRANTS };
/* The entrants in the order of the bracket at the beginning of round `round`, from 1: neighbours
 * meet. BRACKET_NOBODY stands for a bye, and for a winner who is not known yet. `places` has room
 * for MAX_ENTRANTS; returns how many there are. */
size_t knock_out_places(const Plan *plan, uint64_t round, const PairingRecord *earlier,
                        TurfTotals (*totals)[2], size_t n_earlier, size_t *places);

/* Rounds of a Swiss tournament. */
uint64_t swiss_default_rounds(size_t n_entrants);
uint64_t swiss_max_rounds(size_t n_entrants);

#endif
