/* AI Battleground: what is too long to be inlined of its rules. */
#include "games/battleground.h"

#include "base/error.h"

#include <assert.h>
#include <string.h>

static_assert(sizeof(BgState) == sizeof(BgConfig) + 4 * sizeof(int32_t) + 2 * sizeof(int64_t) + 2 * sizeof(BgSet),
              "BgState has no padding");

bool bg_check_config(const BgConfig *config, TurfError *error)
{
    const struct {
        const char *name;
        int32_t     value;
    } amounts[] = {
        {"cellGainPerTurn", config->cell_gain_per_turn},
        {"maxCellCapacity", config->max_cell_capacity},
        {"startingCells", config->starting_cells},
        {"maxColonisationDistance", config->max_colonisation_distance},
        {"maxGameIterations", config->max_game_iterations},
    };
    if (config->rows < 1 || config->rows > BG_MOST_SIDE || config->cols < 1 || config->cols > BG_MOST_SIDE)
        return error_set(error, "a board is from 1x1 to %dx%d, not %dx%d", BG_MOST_SIDE, BG_MOST_SIDE, config->rows,
                         config->cols);
    for (size_t i = 0; i < sizeof amounts / sizeof amounts[0]; i++)
        if (amounts[i].value < 0)
            return error_set(error, "\"%s\" is %d; it cannot be below 0", amounts[i].name, amounts[i].value);
    return true;
}

void bg_start(BgState *state, const BgConfig *config)
{
    memset(state, 0, sizeof *state);
    state->config = *config;
    state->remaining[0] = state->remaining[1] = config->starting_cells;
}

/* ---- columns ------------------------------------------------------------------------------ */

static int stripe_width(const BgConfig *config, int stripe)
{
    int cols_left = config->cols - BG_STRIPE_COLS * stripe;
    return cols_left < BG_STRIPE_COLS ? cols_left : BG_STRIPE_COLS;
}

/* A stripe and the one that its columns continue in, on the left and, round the torus, on the right. A single
 * stripe continues in itself; if it has one column, every cell is its own neighbour on either side. */
typedef struct Columns {
    const uint64_t *here, *other; /* by row */
    int             last, last_of_other;
    uint64_t        all;
} Columns;

static Columns columns_of(const BgConfig *config, const BgSet *set, int stripe)
{
    int other = bg_n_stripes(config) - 1 - stripe;
    int last = stripe_width(config, stripe) - 1;
    return (Columns){.here = set->stripes[stripe],
                     .other = set->stripes[other],
                     .last = last,
                     .last_of_other = stripe_width(config, other) - 1,
                     .all = ~UINT64_C(0) >> (BG_STRIPE_COLS - 1 - last)};
}

/* Each column's left neighbour in a row, and its right one. */
static inline uint64_t left_of(const Columns *columns, int row)
{
    return (columns->here[row] << 1 | columns->other[row] >> columns->last_of_other) & columns->all;
}

static inline uint64_t right_of(const Columns *columns, int row)
{
    return columns->here[row] >> 1 | (columns->other[row] & 1) << columns->last;
}

/* ---- actions ------------------------------------------------------------------------------ */

/* Adds to a set the eight neighbours of its cells: first those beside, then whole rows. */
static void spread(const BgConfig *config, BgSet *set)
{
    BgSet wide;
    int   rows = config->rows;
    for (int stripe = 0; stripe < bg_n_stripes(config); stripe++) {
        Columns columns = columns_of(config, set, stripe);
        for (int row = 0; row < rows; row++)
            wide.stripes[stripe][row] = columns.here[row] | left_of(&columns, row) | right_of(&columns, row);
    }
    for (int stripe = 0; stripe < bg_n_stripes(config); stripe++) {
        const uint64_t *from = wide.stripes[stripe];
        for (int row = 0; row < rows; row++)
            set->stripes[stripe][row] =
                from[row] | from[row > 0 ? row - 1 : rows - 1] | from[row + 1 < rows ? row + 1 : 0];
    }
}

void bg_reach(const BgState *state, TurfSide side, BgSet *reach)
{
    const BgConfig *config = &state->config;
    /* Half the way round the torus is as far as one can go. */
    int furthest = (config->rows > config->cols ? config->rows : config->cols) / 2;
    int distance = config->max_colonisation_distance < furthest ? config->max_colonisation_distance : furthest;
    *reach = state->cells[side];
    for (int i = 0; i < distance; i++)
        spread(config, reach);
    for (int stripe = 0; stripe < bg_n_stripes(config); stripe++)
        for (int row = 0; row < config->rows; row++)
            reach->stripes[stripe][row] &=
                ~(state->cells[0].stripes[stripe][row] | state->cells[1].stripes[stripe][row]);
}

static bool is_on_board(const BgConfig *config, TurfCell cell)
{
    return cell.row >= 0 && cell.row < config->rows && cell.col >= 0 && cell.col < config->cols;
}

static bool is_live(const BgState *state, TurfCell cell)
{
    return bg_has(&state->cells[0], cell.row, cell.col) || bg_has(&state->cells[1], cell.row, cell.col);
}

BgFault bg_find_fault(const BgState *state, TurfSide side, const TurfAction *action)
{
    BgSet reach;
    if (action->n_cells > (size_t)state->remaining[side])
        return (BgFault){BG_TOO_MANY, (size_t)state->remaining[side]};
    if (action->n_cells > 0)
        bg_reach(state, side, &reach);
    for (size_t i = 0; i < action->n_cells; i++) {
        TurfCell cell = action->cells[i];
        if (!is_on_board(&state->config, cell))
            return (BgFault){BG_OFF_BOARD, i};
        if (is_live(state, cell))
            return (BgFault){BG_NOT_DEAD, i};
        if (!bg_has(&reach, cell.row, cell.col))
            return (BgFault){BG_TOO_FAR, i};
    }
    return (BgFault){BG_NO_FAULT, 0};
}

bool bg_is_legal(const BgState *state, TurfSide side, const TurfAction *action, TurfError *why_not)
{
    const BgConfig *config = &state->config;
    BgFault         fault = bg_find_fault(state, side, action);
    if (fault.kind == BG_NO_FAULT)
        return true;
    TurfCell cell = action->cells[fault.at];
    switch (fault.kind) {
    case BG_TOO_MANY:
        return error_set(why_not, "[%d,%d] is one too many: %zu cells are listed, and %d remain", cell.row, cell.col,
                         action->n_cells, state->remaining[side]);
    case BG_OFF_BOARD:
        return error_set(why_not, "[%d,%d] is off the board, which goes from [0,0] to [%d,%d]", cell.row, cell.col,
                         config->rows - 1, config->cols - 1);
    case BG_NOT_DEAD:
        return error_set(why_not, "[%d,%d] is not dead: %s lives there", cell.row, cell.col,
                         bg_has(&state->cells[side], cell.row, cell.col) ? "a cell of yours" : "an enemy cell");
    default:
        return error_set(why_not, "[%d,%d] is too far away: no live cell of yours is within %d", cell.row, cell.col,
                         config->max_colonisation_distance);
    }
}

/* ---- the step ----------------------------------------------------------------------------- */

/* Neighbours are counted in columns of bits: bit i of all the counts of a row is one word. First, for
 * every cell, it and the two beside it are added up, and the two alone; a count of all eight is then
 * three such sums, from the row above, the row below and the row itself. Row r stands at r + 1, and
 * the last row again before the first and the first after the last. */
typedef struct Sums {
    uint64_t three[2][BG_MOST_SIDE + 2];
    uint64_t two[2][BG_MOST_SIDE + 2];
} Sums;

static void add_beside(const BgConfig *config, const BgSet *set, int stripe, Sums *sums)
{
    Columns columns = columns_of(config, set, stripe);
    int     rows = config->rows;
    for (int row = 0; row < rows; row++) {
        uint64_t here = columns.here[row], left = left_of(&columns, row), right = right_of(&columns, row);
        uint64_t either = left ^ right, both = left & right;
        sums->two[0][row + 1] = either;
        sums->two[1][row + 1] = both;
        sums->three[0][row + 1] = either ^ here;
        sums->three[1][row + 1] = both | (either & here);
    }
    for (int bit = 0; bit < 2; bit++) {
        sums->three[bit][0] = sums->three[bit][rows];
        sums->three[bit][rows + 1] = sums->three[bit][1];
    }
}

/* 0 to 8 neighbours of one side in three bits: 8 reads as 0. That will do, because 8 of one side leave none of
 * the other, and then the cell is dead next time as it would be with nobody around. */
typedef struct Count {
    uint64_t bit[3];
} Count;

static inline uint64_t carry_of(uint64_t a, uint64_t b, uint64_t c) { return (a & b) | ((a ^ b) & c); }

static inline Count count_around(const Sums *sums, int row)
{
    uint64_t above0 = sums->three[0][row], above1 = sums->three[1][row];
    uint64_t below0 = sums->three[0][row + 2], below1 = sums->three[1][row + 2];
    uint64_t beside0 = sums->two[0][row + 1], beside1 = sums->two[1][row + 1];
    uint64_t carry = carry_of(above0, below0, beside0);
    uint64_t twos = above1 ^ below1 ^ beside1, fours = carry_of(above1, below1, beside1);
    return (Count){{above0 ^ below0 ^ beside0, twos ^ carry, fours ^ (twos & carry)}};
}

/* Born at a lead of exactly 3, survives at a lead of 2 or 3. The lead of player 1 is a number in four bits, from -7
 * to 7, of which the highest is the sign. */
static void step_diff(const Sums sums[2], int rows, uint64_t *first, uint64_t *second)
{
    for (int row = 0; row < rows; row++) {
        Count    a = count_around(&sums[0], row), b = count_around(&sums[1], row);
        uint64_t borrow1 = ~a.bit[0] & b.bit[0];
        uint64_t borrow2 = carry_of(~a.bit[1], b.bit[1], borrow1);
        uint64_t is_minus = carry_of(~a.bit[2], b.bit[2], borrow2);
        uint64_t lead0 = a.bit[0] ^ b.bit[0];
        uint64_t lead1 = a.bit[1] ^ b.bit[1] ^ borrow1;
        uint64_t lead2 = a.bit[2] ^ b.bit[2] ^ borrow2;
        uint64_t first_leads = ~is_minus & ~lead2 & lead1;          /* 2 is 0010, 3 is 0011 */
        uint64_t second_leads = is_minus & lead2 & (lead1 ^ lead0); /* -2 is 1110, -3 is 1101 */
        uint64_t cells1 = first[row], cells2 = second[row];
        first[row] = first_leads & (cells1 | (lead0 & ~cells2));
        second[row] = second_leads & (cells2 | (lead0 & ~cells1));
    }
}

/* Born with exactly 3 of one side and none of the other, survives with 2 or 3 of its own. */
static void step_classic(const Sums sums[2], int rows, uint64_t *first, uint64_t *second)
{
    for (int row = 0; row < rows; row++) {
        Count    a = count_around(&sums[0], row), b = count_around(&sums[1], row);
        uint64_t no_a = ~(a.bit[0] | a.bit[1] | a.bit[2]), no_b = ~(b.bit[0] | b.bit[1] | b.bit[2]);
        uint64_t cells1 = first[row], cells2 = second[row];
        first[row] = a.bit[1] & ~a.bit[2] & (cells1 | (a.bit[0] & no_b & ~cells2));
        second[row] = b.bit[1] & ~b.bit[2] & (cells2 | (b.bit[0] & no_a & ~cells1));
    }
}

void bg_step(BgState *state)
{
    const BgConfig *config = &state->config;
    Sums            sums[BG_MOST_STRIPES][2];
    for (int stripe = 0; stripe < bg_n_stripes(config); stripe++)
        for (int side = 0; side < 2; side++)
            add_beside(config, &state->cells[side], stripe, &sums[stripe][side]);
    for (int stripe = 0; stripe < bg_n_stripes(config); stripe++) {
        uint64_t *first = state->cells[0].stripes[stripe], *second = state->cells[1].stripes[stripe];
        if (config->ruleset == BG_CLASSIC)
            step_classic(sums[stripe], config->rows, first, second);
        else
            step_diff(sums[stripe], config->rows, first, second);
    }
}

/* ---- turns -------------------------------------------------------------------------------- */

static void colonise(BgState *state, const TurfAction actions[2])
{
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < actions[side].n_cells; i++)
            bg_add(&state->cells[side], actions[side].cells[i].row, actions[side].cells[i].col);
    /* All these cells were dead, so one that is in both sets now is a collision. */
    for (size_t i = 0; i < actions[1].n_cells; i++) {
        TurfCell cell = actions[1].cells[i];
        if (!bg_has(&state->cells[0], cell.row, cell.col))
            continue;
        bg_remove(&state->cells[0], cell.row, cell.col);
        if (state->config.collisions == BG_CANCEL)
            bg_remove(&state->cells[1], cell.row, cell.col);
    }
}

static void charge(BgState *state, TurfSide side, size_t n_used)
{
    int64_t left = state->remaining[side] - (int64_t)n_used + state->config.cell_gain_per_turn;
    state->remaining[side] = left < state->config.max_cell_capacity ? (int32_t)left : state->config.max_cell_capacity;
}

void bg_play(BgState *state, const TurfAction actions[2])
{
    colonise(state, actions);
    charge(state, TURF_FIRST, actions[0].n_cells);
    charge(state, TURF_SECOND, actions[1].n_cells);
    bg_step(state);
    state->iteration++;
    if (state->config.scoring == BG_SUM) {
        state->live_sum[0] += bg_live(state, TURF_FIRST);
        state->live_sum[1] += bg_live(state, TURF_SECOND);
    }
}
