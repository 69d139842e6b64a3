/* AI Battleground: what becomes of a position in the next steps if nobody places anything more, and
 * what one cell would change about that. A cell changes little: of each step to come only the rows
 * that differ are worked out, and most differences are gone after a few steps. */
#ifndef TURF_SEARCH_PROJECTION_H
#define TURF_SEARCH_PROJECTION_H

#include "games/battleground.h"

enum { PROJECTION_MAX_STEPS = 16, PROJECTION_MAX_ROWS = 2 * BG_MAX_SIDE + 2 };

/* A position and its steps to come. Each board stands there twice and two rows more, one below the
 * other, so that any batch of rows round the torus is one piece. */
typedef struct Projection {
    BgConfig config;
    int      n_steps;
    int32_t  weights[PROJECTION_MAX_STEPS +
                    1]; /* what a cell of lead is worth after so many steps; the first is unused */
    uint64_t boards[PROJECTION_MAX_STEPS + 1][2][BG_MAX_STRIPES][PROJECTION_MAX_ROWS];
    int16_t  leads[PROJECTION_MAX_STEPS + 1]
                 [PROJECTION_MAX_ROWS]; /* of the first side, row by row */
    int64_t value;                      /* the leads of all steps by their weights */
} Projection;

/* Where a cell makes a difference, in any step to come. Two cells whose footprints are apart change
 * nothing about what the other is worth. */
typedef struct Footprint {
    int16_t  n_above, n_below;     /* rows, counted from the cell's */
    uint64_t cols[BG_MAX_STRIPES]; /* and one column to either side */
} Footprint;

/* The same code, built for several kinds of processor. */
typedef struct ProjectionKernel {
    /* Works out the steps from boards[0], of which the first copy is filled in. */
    void (*unfold)(Projection *projection);
    /* What the value gains if a cell of one side is flipped: it comes alive, or is taken away
     * again. */
    int64_t (*gain)(const Projection *projection, TurfSide side, int row, int col,
                    Footprint *footprint);
} ProjectionKernel;

const ProjectionKernel *projection_kernel(void);

/* Takes a position; n_steps and weights are set before. */
void projection_begin(const ProjectionKernel *kernel, Projection *projection, const BgState *state);
/* Flips a cell for good. */
void projection_flip(const ProjectionKernel *kernel, Projection *projection, TurfSide side, int row,
                     int col);

/* Do two cells have something to do with each other? */
bool projection_touches(const BgConfig *config, int row, const Footprint *footprint, int other_row,
                        const Footprint *other);

#endif
