/* Playing a run from where it is to its end. */
#ifndef TURF_ARENA_RUN_PLAY_H
#define TURF_ARENA_RUN_PLAY_H

#include "arena/workers.h"

/* Plays the games not yet played, round by round. True also when it was stopped early: see
 * run_is_whole. */
bool run_play(Run *run, const RunHooks *hooks, TurfError *error);

/* turf_run with a device (NULL: none). */
bool run_pairings(const TurfGame *game, const TurfPairing *pairings, size_t n_pairings,
                  const TurfRunOptions *options, Device *device, TurfTotals *totals,
                  TurfError *error);

#endif
