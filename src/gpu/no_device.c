/* Devices of a turf that was built without OpenCL: there are none. */
#include "gpu/device.h"

#include "base/error.h"

static const char why[] = "this turf was built without OpenCL";

bool devices_list(DeviceInfo **list, size_t *n, TurfError *error)
{
    *list = NULL;
    *n = 0;
    return error_not_found(error, "%s", why);
}

Device *device_open(const char *name, const DeviceTuning *tuning, TurfError *error)
{
    (void)name;
    (void)tuning;
    (void)error_not_found(error, "%s", why);
    return NULL;
}

void device_close(Device *device) { (void)device; }

const DeviceInfo *device_info(const Device *device)
{
    (void)device;
    return NULL;
}

const char *device_fault(const Device *device)
{
    (void)device;
    return why;
}

bool device_plays(const DeviceGames *games)
{
    (void)games;
    return false;
}

bool device_play(Device *device, const DeviceGames *games, const DeviceRange *ranges,
                 size_t n_ranges, TurfTotals *totals, TurfError *error)
{
    (void)device;
    (void)games;
    (void)ranges;
    (void)n_ranges;
    (void)totals;
    return error_not_found(error, "%s", why);
}

double device_trial(Device *device, double seconds, TurfError *error)
{
    (void)device;
    (void)seconds;
    (void)error_not_found(error, "%s", why);
    return 0;
}
