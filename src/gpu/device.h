/* Devices that play games by the million: graphics cards, and whatever else speaks OpenCL. A device
 * is one more way to play a batch of games, with the same totals to the bit.
 *
 * Thread safety: a Device is used by one thread at a time. */
#ifndef TURF_GPU_DEVICE_H
#define TURF_GPU_DEVICE_H

#include "games/game.h"
#include "turf.h"

typedef struct Device Device;

typedef struct DeviceInfo {
    char     name[128], driver[128]; /* as the driver says */
    bool     is_gpu;
    uint32_t n_units; /* multiprocessors */
    uint64_t memory;  /* in bytes */
} DeviceInfo;

/* What may be chosen for the kernels; 0: a good value for the device. */
typedef struct DeviceTuning {
    uint32_t group, pool, rounds; /* as in wol_device.cl */
    uint32_t chunk;               /* games of a work-group */
    uint32_t registers;           /* the maximum of an item, on NVIDIA's cards */
} DeviceTuning;

/* All devices; the caller frees the list. False: there is no OpenCL. */
bool devices_list(DeviceInfo **list, size_t *n, TurfError *error);

/* Opens the first GPU ("gpu"), or the first device with this in its name or its driver's. */
Device           *device_open(const char *name, const DeviceTuning *tuning, TurfError *error);
void              device_close(Device *device);
const DeviceInfo *device_info(const Device *device);
/* Why a call failed; the device plays no more then. NULL: none did. */
const char *device_fault(const Device *device);

/* How a side plays: at random with depth 0, else as search/lookahead.h with weights of 1 and -1. */
typedef struct DevicePlayer {
    int  own_weight, opponent_weight, depth;
    bool has_random_ties;
} DevicePlayer;

typedef struct DeviceGames {
    const TurfGame  *game;
    const TurfState *start; /* of all games; NULL: game i draws it from stream i of start_streams */
    uint64_t         start_streams;
    /* Each side draws its moves of game i from its stream step * i + offset. */
    uint64_t     side_streams[2], step, offset;
    DevicePlayer players[2];
} DeviceGames;

/* Consecutive games. */
typedef struct DeviceRange {
    uint64_t first, n;
} DeviceRange;

/* Can devices play such games? */
bool device_plays(const DeviceGames *games);

/* Plays all games and waits. The totals of each range are set. False: the device failed, and none
 * of the totals count. */
bool device_play(Device *device, const DeviceGames *games, const DeviceRange *ranges,
                 size_t n_ranges, TurfTotals *totals, TurfError *error);

/* Random games of War of Life a second, from launches of about `seconds` in all; 0: it failed. */
double device_trial(Device *device, double seconds, TurfError *error);

#endif
