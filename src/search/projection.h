/* AI Battleground: the board's evolution over the next steps if neither side places anything, and
 * the effect of flipping one cell. The effect is computed incrementally: in each step only the rows
 * that differ are recomputed, and the difference usually dies out after a few steps. */
#ifndef TURF_SEARCH_PROJECTION_H
#define TURF_SEARCH_PROJECTION_H

#include "games/battleground.h"

enum { PROJECTION_MAX_STEPS = 16, PROJECTION_MAX_ROWS = 2 * BG_MAX_SIDE + 2 };

/* A position and its next steps. Each board is stored twice over, plus two rows, so that any range
 * of rows around the torus is contiguous. */
typedef struct Projection {
    BgConfig config;
    int      n_steps;
    int32_t  weights[PROJECTION_MAX_STEPS +
                    1]; /* of a lead of one cell after each step; weights[0] is unused */
    uint64_t boards[PROJECTION_MAX_STEPS + 1][2][BG_MAX_STRIPES][PROJECTION_MAX_ROWS];
    int16_t  leads[PROJECTION_MAX_STEPS + 1][PROJECTION_MAX_ROWS]; /* of the first side, by row */
    int64_t  value; /* weighted sum of the leads of all steps */
} Projection;

/* The area in which flipping a cell changes any of the steps. Cells whose footprints do not touch
 * have independent gains. */
typedef struct Footprint {
    int16_t  n_above, n_below;     /* rows above and below the cell's */
    uint64_t cols[BG_MAX_STRIPES]; /* columns, including one to either side */
} Footprint;

/* projection_kernel.c, compiled for any processor and for x86-64-v3. */
typedef struct ProjectionKernel {
    /* Computes all steps from the first copy of boards[0]. */
    void (*compute_steps)(Projection *projection);
    /* The change of `value` if a cell of one side is flipped, on or off. */
    int64_t (*gain)(const Projection *projection, TurfSide side, int row, int col,
                    Footprint *footprint);
} ProjectionKernel;

const ProjectionKernel *projection_kernel(void);

/* Loads a position and computes its steps; the caller has set n_steps and weights. */
void projection_begin(const ProjectionKernel *kernel, Projection *projection, const BgState *state);
/* Flips a cell and recomputes all steps. */
void projection_flip(const ProjectionKernel *kernel, Projection *projection, TurfSide side, int row,
                     int col);

/* Do the footprints of two cells touch? */
bool projection_touches(const BgConfig *config, int row, const Footprint *footprint, int other_row,
                        const Footprint *other);

#endif
