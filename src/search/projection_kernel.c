/* The inner loops of the projection, on rows of bits. Compiled for any processor and for x86-64-v3;
 * KERNEL is the name.
 *
 * Invariant: gain() returns exactly what flipping the cell and running compute_steps() would add
 * to `value`. */
#include "games/battleground.h"

#include "games/bg_rules.inc.h"
#include "search/projection.h"

#include <string.h>

/* Consecutive rows. The rows that differ start at MIDDLE and can spread by one row per step in both
 * directions. */
enum { MIDDLE = PROJECTION_MAX_STEPS + 2, MAX_STRIP_ROWS = 2 * MIDDLE + BG_MAX_SIDE + 2 };

typedef struct Strip {
    uint64_t cells[2][BG_MAX_STRIPES][MAX_STRIP_ROWS];
} Strip;

/* Steps n_rows rows from `at` on; the rows before and after them must be filled in. */
static inline void step_strip(const BgConfig *config, int n_stripes, Strip *strip, int at,
                              int n_rows)
{
    Sums sums[BG_MAX_STRIPES][2];
    for (int side = 0; side < 2; side++) {
        const uint64_t *const stripes[] = {&strip->cells[side][0][at - 1],
                                           &strip->cells[side][1][at - 1]};
        for (int stripe = 0; stripe < n_stripes; stripe++) {
            Columns columns = columns_of(config, stripes, stripe);
            add_beside(&columns, n_rows + 2, 0, &sums[stripe][side]);
        }
    }
    for (int stripe = 0; stripe < n_stripes; stripe++)
        step_rows(config, sums[stripe], n_rows, &strip->cells[0][stripe][at],
                  &strip->cells[1][stripe][at]);
}

static inline int row_lead(const Strip *strip, int n_stripes, int at)
{
    int lead = 0;
    for (int stripe = 0; stripe < n_stripes; stripe++)
        lead += bits_count(strip->cells[0][stripe][at]) - bits_count(strip->cells[1][stripe][at]);
    return lead;
}

/* ---- computing all steps ------------------------------------------------------------------ */

/* Fills in the second copy of a board and the two rows after it. */
static void fill_second_copy(Projection *projection, int step)
{
    int rows = projection->config.rows;
    for (int side = 0; side < 2; side++)
        for (int stripe = 0; stripe < bg_n_stripes(&projection->config); stripe++)
            for (int row = rows; row < 2 * rows + 2; row++)
                projection->boards[step][side][stripe][row] =
                    projection->boards[step][side][stripe][row - rows];
    for (int row = rows; row < 2 * rows + 2; row++)
        projection->leads[step][row] = projection->leads[step][row - rows];
}

static void compute_steps(Projection *projection)
{
    const BgConfig *config = &projection->config;
    int             rows = config->rows, n_stripes = bg_n_stripes(config);
    Strip           strip;
    size_t          n_bytes = (size_t)rows * sizeof(uint64_t);
    fill_second_copy(projection, 0);
    for (int side = 0; side < 2; side++)
        for (int stripe = 0; stripe < n_stripes; stripe++)
            memcpy(&strip.cells[side][stripe][1], projection->boards[0][side][stripe], n_bytes);
    projection->value = 0;
    for (int step = 1; step <= projection->n_steps; step++) {
        int lead = 0;
        for (int side = 0; side < 2; side++)
            for (int stripe = 0; stripe < n_stripes; stripe++) {
                uint64_t *cells = strip.cells[side][stripe];
                cells[0] = cells[rows];
                cells[rows + 1] = cells[1];
            }
        step_strip(config, n_stripes, &strip, 1, rows);
        for (int side = 0; side < 2; side++)
            for (int stripe = 0; stripe < n_stripes; stripe++)
                memcpy(projection->boards[step][side][stripe], &strip.cells[side][stripe][1],
                       n_bytes);
        for (int row = 0; row < rows; row++) {
            projection->leads[step][row] = (int16_t)row_lead(&strip, n_stripes, row + 1);
            lead += projection->leads[step][row];
        }
        fill_second_copy(projection, step);
        projection->value += (int64_t)projection->weights[step] * lead;
    }
}

/* ---- the effect of one cell --------------------------------------------------------------- */

/* The rows that differ: n_rows, from index `at` of the strip and row `top` of the board. */
typedef struct Change {
    Strip strip;
    int   at, top, n_rows;
} Change;

static inline int wrap_row(int row, int rows)
{
    if (row < 0)
        return row + rows;
    return row >= rows ? row - rows : row;
}

static inline void copy_board_row(const Projection *projection, int n_stripes, int step, int row,
                                  Strip *strip, int at)
{
    for (int side = 0; side < 2; side++)
        for (int stripe = 0; stripe < n_stripes; stripe++)
            strip->cells[side][stripe][at] = projection->boards[step][side][stripe][row];
}

static inline void copy_row(int n_stripes, Strip *strip, int to, int from)
{
    for (int side = 0; side < 2; side++)
        for (int stripe = 0; stripe < n_stripes; stripe++)
            strip->cells[side][stripe][to] = strip->cells[side][stripe][from];
}

/* Steps the rows that differ and one more on either side, up to the whole board. */
static inline void spread_change(const Projection *projection, int n_stripes, int step,
                                 Change *change)
{
    int rows = projection->config.rows, n_rows = change->n_rows, at = change->at;
    if (n_rows + 2 <= rows) {
        int above = wrap_row(change->top - 2, rows);
        copy_board_row(projection, n_stripes, step, above, &change->strip, at - 2);
        copy_board_row(projection, n_stripes, step, above + 1, &change->strip, at - 1);
        copy_board_row(projection, n_stripes, step, change->top + n_rows, &change->strip,
                       at + n_rows);
        copy_board_row(projection, n_stripes, step, change->top + n_rows + 1, &change->strip,
                       at + n_rows + 1);
        change->top = wrap_row(change->top - 1, rows);
        change->at = at - 1;
        change->n_rows = n_rows + 2;
    } else {
        if (n_rows < rows)
            copy_board_row(projection, n_stripes, step, change->top + n_rows, &change->strip,
                           at + n_rows);
        copy_row(n_stripes, &change->strip, at - 1, at + rows - 1);
        copy_row(n_stripes, &change->strip, at + rows, at);
        change->n_rows = rows;
    }
    step_strip(&projection->config, n_stripes, &change->strip, change->at, change->n_rows);
}

static inline bool is_changed(const Projection *projection, int n_stripes, int step,
                              const Change *change, int i)
{
    uint64_t differs = 0;
    for (int side = 0; side < 2; side++)
        for (int stripe = 0; stripe < n_stripes; stripe++)
            differs |= change->strip.cells[side][stripe][change->at + i] ^
                       projection->boards[step][side][stripe][change->top + i];
    return differs != 0;
}

/* Drops rows at either end that no longer differ. */
static inline void trim_change(const Projection *projection, int n_stripes, int step,
                               Change *change)
{
    while (change->n_rows > 0 &&
           !is_changed(projection, n_stripes, step, change, change->n_rows - 1))
        change->n_rows--;
    while (change->n_rows > 0 && !is_changed(projection, n_stripes, step, change, 0)) {
        change->at++;
        change->top = wrap_row(change->top + 1, projection->config.rows);
        change->n_rows--;
    }
}

static inline int change_of_lead(const Projection *projection, int n_stripes, int step,
                                 const Change *change, Footprint *footprint)
{
    int gained = 0;
    for (int i = 0; i < change->n_rows; i++) {
        gained += row_lead(&change->strip, n_stripes, change->at + i) -
                  projection->leads[step][change->top + i];
        for (int side = 0; side < 2; side++)
            for (int stripe = 0; stripe < n_stripes; stripe++)
                footprint->cols[stripe] |= change->strip.cells[side][stripe][change->at + i] ^
                                           projection->boards[step][side][stripe][change->top + i];
    }
    return gained;
}

static inline int64_t gain_on(const Projection *projection, int n_stripes, TurfSide side, int row,
                              int col, Footprint *footprint)
{
    Change  change;
    int64_t gain = 0;
    change.at = MIDDLE;
    change.top = row;
    change.n_rows = 1;
    copy_board_row(projection, n_stripes, 0, row, &change.strip, MIDDLE);
    change.strip.cells[side][col / BG_STRIPE_COLS][MIDDLE] ^= UINT64_C(1) << (col % BG_STRIPE_COLS);
    *footprint = (Footprint){0};
    footprint->cols[col / BG_STRIPE_COLS] = UINT64_C(1) << (col % BG_STRIPE_COLS);
    for (int step = 1; step <= projection->n_steps; step++) {
        spread_change(projection, n_stripes, step - 1, &change);
        trim_change(projection, n_stripes, step, &change);
        if (change.n_rows == 0)
            break;
        int n_above = MIDDLE - change.at, n_below = change.at + change.n_rows - 1 - MIDDLE;
        footprint->n_above = (int16_t)(n_above > footprint->n_above ? n_above : footprint->n_above);
        footprint->n_below = (int16_t)(n_below > footprint->n_below ? n_below : footprint->n_below);
        gain += (int64_t)projection->weights[step] *
                change_of_lead(projection, n_stripes, step, &change, footprint);
    }
    const uint64_t *const cols[] = {&footprint->cols[0], &footprint->cols[1]};
    uint64_t              wide[BG_MAX_STRIPES];
    for (int stripe = 0; stripe < n_stripes; stripe++) {
        Columns columns = columns_of(&projection->config, cols, stripe);
        wide[stripe] = footprint->cols[stripe] | left_of(&columns, 0) | right_of(&columns, 0);
    }
    for (int stripe = 0; stripe < n_stripes; stripe++)
        footprint->cols[stripe] = wide[stripe];
    return gain;
}

static int64_t gain(const Projection *projection, TurfSide side, int row, int col,
                    Footprint *footprint)
{
    if (bg_n_stripes(&projection->config) == 1)
        return gain_on(projection, 1, side, row, col, footprint);
    return gain_on(projection, 2, side, row, col, footprint);
}

extern const ProjectionKernel KERNEL;
const ProjectionKernel        KERNEL = {compute_steps, gain};
