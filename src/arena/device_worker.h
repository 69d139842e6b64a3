/* The worker of a run that plays on a device. */
#ifndef TURF_ARENA_DEVICE_WORKER_H
#define TURF_ARENA_DEVICE_WORKER_H

#include "arena/workers.h"

/* Plays the pairings in `is_left` until no games are left, the run is stopped, or the device has
 * failed (workers_lose_device). */
void device_worker_play(Workers *workers, const BatchContext *context, const bool *is_left);

/* How many games of the pairings decided so far devices can play. */
uint64_t device_worker_n_games(const Run *run);

#endif
