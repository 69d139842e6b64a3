/* --device: opens a device, or says in one line why the processor plays. */
#include "cmd/device_option.h"

#include "cmd/console.h"

#include <string.h>

/* Below this, starting a driver and compiling takes longer than playing. */
#define MIN_AUTO_GAMES UINT64_C(100000000)

Device *device_for(const Settings *settings, uint64_t n_games)
{
    const char *name = settings->device ? settings->device : "auto";
    TurfError   error;
    bool        is_auto = !strcmp(name, "auto"), is_told = settings->device && !settings->is_quiet;
    if (!strcmp(name, "cpu") || (is_auto && n_games < MIN_AUTO_GAMES))
        return NULL;
    if (!*name)
        die("--device must be auto, cpu, gpu or a name; 'turf devices' lists them");
    Device *device = device_open(is_auto ? "gpu" : name, NULL, &error);
    if (!device && error.code == TURF_ERROR_INVALID)
        die("%s", error.text);
    if (!device && is_told)
        fprintf(stderr, "turf: %s; the processor plays\n", error.text);
    if (device && n_games == 0) {
        if (is_told)
            fprintf(stderr, "turf: no device can play these games; the processor plays\n");
        device_close(device);
        return NULL;
    }
    return device;
}

void device_finish(Device *device, const Settings *settings)
{
    if (device && device_fault(device) && !settings->is_quiet)
        fprintf(stderr, "turf: %s failed: %s; the processor played the rest\n",
                device_info(device)->name, device_fault(device));
    device_close(device);
}
