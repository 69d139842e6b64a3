#include "search/outlook.h"

#include "base/cpu.h"

#include <string.h>

extern const OutlookKernel outlook_portable;
#ifdef TURF_X86_KERNELS
extern const OutlookKernel outlook_v3;
#endif

const OutlookKernel *outlook_kernel(void)
{
#ifdef TURF_X86_KERNELS
    if (cpu_has_v3())
        return &outlook_v3;
#endif
    return &outlook_portable;
}

void outlook_begin(const OutlookKernel *kernel, Outlook *outlook, const BgState *state)
{
    outlook->config = state->config;
    for (int side = 0; side < 2; side++)
        for (int stripe = 0; stripe < bg_n_stripes(&state->config); stripe++)
            memcpy(outlook->boards[0][side][stripe], state->cells[side].stripes[stripe],
                   (size_t)state->config.rows * sizeof(uint64_t));
    kernel->unfold(outlook);
}

void outlook_flip(const OutlookKernel *kernel, Outlook *outlook, TurfSide side, int row, int col)
{
    outlook->boards[0][side][col / BG_STRIPE_COLS][row] ^= UINT64_C(1) << (col % BG_STRIPE_COLS);
    kernel->unfold(outlook);
}

bool outlook_touches(const BgConfig *config, int row, const Footprint *footprint, int other_row, const Footprint *other)
{
    bool shares_columns = false;
    for (int stripe = 0; stripe < bg_n_stripes(config); stripe++)
        shares_columns |= (footprint->cols[stripe] & other->cols[stripe]) != 0;
    int down = other_row - row + (other_row < row ? config->rows : 0), up = config->rows - down;
    return shares_columns &&
           (down <= footprint->n_below + other->n_above + 2 || up <= footprint->n_above + other->n_below + 2);
}
