/* --device: where the games of a run are played. */
#ifndef TURF_CMD_DEVICE_OPTION_H
#define TURF_CMD_DEVICE_OPTION_H

#include "cmd/command.h"
#include "gpu/device.h"

/* The device that --device asks for, for `n_games` games that devices could play. NULL: the
 * processor plays; unless that is what was asked for, one line says why. */
Device *device_for(const Settings *settings, uint64_t n_games);

/* Closes it, if it is not NULL. If it has failed in between, one line says so. */
void device_finish(Device *device, const Settings *settings);

#endif
