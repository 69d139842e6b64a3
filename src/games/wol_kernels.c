/* The kernels that were built, and which of them this processor can run. */
#include "games/wol_kernels.h"

#include "base/cpu.h"

typedef void Play(const RandomGames *batch, TurfTotals *totals);

Play wol_play_portable;

#ifdef TURF_X86_KERNELS
Play wol_play_bmi2, wol_play_avx2, wol_play_avx512;
#endif

static const RandomKernel kernels[] = {
    {"portable", "nothing", random_kernel_is_for_all, wol_play_portable},
#ifdef TURF_X86_KERNELS
    {"bmi2", "bit instructions, no vectors", cpu_has_v3, wol_play_bmi2},
    {"avx2", "4 games a vector", cpu_has_v3, wol_play_avx2},
    {"avx512", "8 games a vector", cpu_has_avx512, wol_play_avx512},
#endif
};

enum { N_KERNELS = sizeof kernels / sizeof kernels[0] };

const RandomKernel *wol_kernel_at(size_t index)
{
    return index < N_KERNELS ? &kernels[index] : NULL;
}

const RandomKernel *wol_kernel_best(void) { return random_kernel_best(kernels, N_KERNELS); }
