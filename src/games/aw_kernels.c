/* The kernels of Amoeba Wars for several processors, fastest first. */
#include "games/aw_kernels.h"

#include "base/cpu.h"

typedef void Play(const RandomGames *batch, TurfTotals *totals);

Play aw_play_portable;
#ifdef TURF_X86_KERNELS
Play aw_play_v3;
#endif

static const RandomKernel kernels[] = {
    {"portable", "nothing", random_kernel_is_for_all, aw_play_portable},
#ifdef TURF_X86_KERNELS
    {"bmi2", "bit instructions", cpu_has_v3, aw_play_v3},
#endif
};

enum { N_KERNELS = sizeof kernels / sizeof kernels[0] };

const RandomKernel *aw_kernel_at(size_t index)
{
    return index < N_KERNELS ? &kernels[index] : NULL;
}

const RandomKernel *aw_kernel_best(void) { return random_kernel_best(kernels, N_KERNELS); }
