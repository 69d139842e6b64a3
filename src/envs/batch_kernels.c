/* The kernels of batches for several processors. */
#include "base/cpu.h"
#include "envs/env_batch.h"
#include "games/amoeba_wars.h"
#include "games/squirrel_war.h"

extern const BatchKernels batch_kernels_portable;
extern const BatchKind    batch_wol_portable, batch_cells_portable;
#ifdef TURF_X86_KERNELS
extern const BatchKernels batch_kernels_v3, batch_kernels_v4;
extern const BatchKind    batch_wol_v3, batch_wol_v4, batch_cells_v3, batch_cells_v4;
#endif

const BatchBuild *batch_build_at(size_t index)
{
    static const BatchBuild builds[] = {
        {&batch_wol_portable, &batch_kernels_portable, &batch_cells_portable},
#ifdef TURF_X86_KERNELS
        {&batch_wol_v3, &batch_kernels_v3, &batch_cells_v3},
        {&batch_wol_v4, &batch_kernels_v4, &batch_cells_v4},
#endif
    };
    bool is_supported = index == 0;
#ifdef TURF_X86_KERNELS
    is_supported |= (index == 1 && cpu_has_v3()) || (index == 2 && cpu_has_avx512());
#endif
    return is_supported ? &builds[index] : NULL;
}

const BatchKind *batch_kernel_for(const TurfGame *game, const TurfBatchShape *shape)
{
    const BatchBuild *best = batch_build_at(0);
    for (size_t i = 1; batch_build_at(i); i++)
        best = batch_build_at(i);
    if (game == &war_of_life)
        return best->war_of_life;
    if (game == &squirrel_war && shape->rows == SW_SIDE)
        return &best->turns->squirrel_war;
    if (game == &amoeba_wars && shape->rows == AW_SMALL_SIZE && shape->cols == AW_SMALL_SIZE)
        return &best->turns->amoeba_wars;
    return game == &ai_battleground ? best->cells : NULL;
}
