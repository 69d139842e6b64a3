/* The worker of a run that plays on a device. */
#ifndef TURF_ARENA_DEVICE_WORKER_H
#define TURF_ARENA_DEVICE_WORKER_H

#include "arena/workers.h"

DeviceWork device_worker_play;

/* How many games of the pairings decided so far devices can play. */
uint64_t device_worker_n_games(const Run *run);

#endif
