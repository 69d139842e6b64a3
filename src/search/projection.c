/* Projections: loading a position, flipping cells, and the choice of a kernel. */
#include "search/projection.h"

#include "base/cpu.h"

#include <string.h>

extern const ProjectionKernel projection_portable;
#ifdef TURF_X86_KERNELS
extern const ProjectionKernel projection_v3;
#endif

const ProjectionKernel *projection_kernel(void)
{
#ifdef TURF_X86_KERNELS
    if (cpu_has_v3())
        return &projection_v3;
#endif
    return &projection_portable;
}

void projection_begin(const ProjectionKernel *kernel, Projection *projection, const BgState *state)
{
    projection->config = state->config;
    for (int side = 0; side < 2; side++)
        for (int stripe = 0; stripe < bg_n_stripes(&state->config); stripe++)
            memcpy(projection->boards[0][side][stripe], state->cells[side].stripes[stripe],
                   (size_t)state->config.rows * sizeof(uint64_t));
    kernel->compute_steps(projection);
}

void projection_flip(const ProjectionKernel *kernel, Projection *projection, TurfSide side, int row,
                     int col)
{
    projection->boards[0][side][col / BG_STRIPE_COLS][row] ^= UINT64_C(1) << (col % BG_STRIPE_COLS);
    kernel->compute_steps(projection);
}

bool projection_touches(const BgConfig *config, int row, const Footprint *footprint, int other_row,
                        const Footprint *other)
{
    bool share_columns = false;
    for (int stripe = 0; stripe < bg_n_stripes(config); stripe++)
        share_columns |= (footprint->cols[stripe] & other->cols[stripe]) != 0;
    int down = other_row - row + (other_row < row ? config->rows : 0), up = config->rows - down;
    return share_columns && (down <= footprint->n_below + other->n_above + 2 ||
                             up <= footprint->n_above + other->n_below + 2);
}
