#include "games/aw_kernels.h"

#include "base/cpu.h"

typedef void Play(const RandomGames *batch, TurfTotals *totals);

static bool always(void) { return true; }

Play aw_play_portable;
#ifdef TURF_X86_KERNELS
Play aw_play_v3;
#endif

static const AwKernel kernels[] = {
    {"portable", always, aw_play_portable},
#ifdef TURF_X86_KERNELS
    {"bmi2", cpu_has_v3, aw_play_v3},
#endif
};

enum { N_KERNELS = sizeof kernels / sizeof kernels[0] };

const AwKernel *aw_kernel_at(size_t index) { return index < N_KERNELS ? &kernels[index] : NULL; }

const AwKernel *aw_kernel_best(void)
{
    size_t best = N_KERNELS - 1;
    while (!kernels[best].is_supported())
        best--;
    return &kernels[best];
}
