/* AI Battleground: what is too long to be inlined of its rules. */
#include "games/battleground.h"

#include "base/error.h"
#include "games/bg_rules.inc.h"

#include <assert.h>
#include <string.h>

static_assert(sizeof(BgState) ==
                  sizeof(BgConfig) + 4 * sizeof(int32_t) + 2 * sizeof(int64_t) + 2 * sizeof(BgSet),
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
    if (config->rows < 1 || config->rows > BG_MAX_SIDE || config->cols < 1 ||
        config->cols > BG_MAX_SIDE)
        return error_invalid(error, "a board is from 1x1 to %dx%d, not %dx%d", BG_MAX_SIDE,
                             BG_MAX_SIDE, config->rows, config->cols);
    for (size_t i = 0; i < sizeof amounts / sizeof amounts[0]; i++)
        if (amounts[i].value < 0)
            return error_invalid(error, "\"%s\" is %d; it cannot be below 0", amounts[i].name,
                                 amounts[i].value);
    return true;
}

void bg_start(BgState *state, const BgConfig *config)
{
    memset(state, 0, sizeof *state);
    state->config = *config;
    state->remaining[0] = state->remaining[1] = config->starting_cells;
}

/* ---- actions ------------------------------------------------------------------------------ */

void bg_reach(const BgState *state, TurfSide side, BgSet *reach)
{
    const BgSet          *own = &state->cells[side], *other = &state->cells[!side];
    const uint64_t *const of_own[] = {own->stripes[0], own->stripes[1]};
    const uint64_t *const of_other[] = {other->stripes[0], other->stripes[1]};
    uint64_t *const       of_reach[] = {reach->stripes[0], reach->stripes[1]};
    find_reach(&state->config, of_own, of_other, of_reach);
}

static bool is_on_board(const BgConfig *config, TurfCell cell)
{
    return cell.row >= 0 && cell.row < config->rows && cell.col >= 0 && cell.col < config->cols;
}

static bool is_live(const BgState *state, TurfCell cell)
{
    return bg_has(&state->cells[0], cell.row, cell.col) ||
           bg_has(&state->cells[1], cell.row, cell.col);
}

/* The rows and columns around a cell that are within a side's reach, on a board of one stripe. */
typedef struct Window {
    int      rows, cols; /* of the board */
    int      n_rows, above, left;
    uint64_t wide; /* as many bits as columns */
} Window;

static Window window_of(const BgConfig *config)
{
    int rows = config->rows, cols = config->cols, distance = bg_reach_distance(config);
    int n_cols = 2 * distance < cols ? 2 * distance + 1 : cols;
    return (Window){.rows = rows,
                    .cols = cols,
                    .n_rows = 2 * distance < rows ? 2 * distance + 1 : rows,
                    .above = 2 * distance < rows ? distance : 0,
                    .left = 2 * distance < cols ? distance : 0,
                    .wide = ~UINT64_C(0) >> (BG_STRIPE_COLS - n_cols)};
}

/* Is a live cell of the stripe near enough to colonise this one? */
static bool is_near(const Window *window, const uint64_t *stripe, TurfCell cell)
{
    int row = cell.row - window->above, col = cell.col - window->left;
    row += row < 0 ? window->rows : 0;
    col += col < 0 ? window->cols : 0;
    /* Round the torus too; what lies off the board is 0. */
    uint64_t near = window->wide << col | window->wide >> (window->cols - 1 - col) >> 1, found = 0;
    for (int i = 0; i < window->n_rows; i++) {
        found |= stripe[row] & near;
        row = row + 1 < window->rows ? row + 1 : 0;
    }
    return found != 0;
}

BgFault bg_find_fault(const BgState *state, TurfSide side, const TurfAction *action)
{
    const BgConfig *config = &state->config;
    BgSet           reach; /* all cells at once, which pays where many are listed */
    bool            are_many = action->n_cells > (size_t)config->rows || bg_n_stripes(config) > 1;
    if (action->n_cells > (size_t)state->remaining[side])
        return (BgFault){BG_TOO_MANY, (size_t)state->remaining[side]};
    if (action->n_cells == 0)
        return (BgFault){BG_NO_FAULT, 0};
    if (are_many)
        bg_reach(state, side, &reach);
    Window window = are_many ? (Window){0} : window_of(config);
    for (size_t i = 0; i < action->n_cells; i++) {
        TurfCell cell = action->cells[i];
        if (!is_on_board(config, cell))
            return (BgFault){BG_OFF_BOARD, i};
        if (is_live(state, cell))
            return (BgFault){BG_NOT_DEAD, i};
        if (are_many ? !bg_has(&reach, cell.row, cell.col)
                     : !is_near(&window, state->cells[side].stripes[0], cell))
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
        return error_invalid(why_not,
                             "[%d,%d] is one too many: %zu cells are listed, and %d remain",
                             cell.row, cell.col, action->n_cells, state->remaining[side]);
    case BG_OFF_BOARD:
        return error_invalid(why_not, "[%d,%d] is off the board, which goes from [0,0] to [%d,%d]",
                             cell.row, cell.col, config->rows - 1, config->cols - 1);
    case BG_NOT_DEAD:
        return error_invalid(why_not, "[%d,%d] is not dead: %s lives there", cell.row, cell.col,
                             bg_has(&state->cells[side], cell.row, cell.col) ? "a cell of yours"
                                                                             : "an enemy cell");
    default:
        return error_invalid(why_not, "[%d,%d] is too far away: no live cell of yours is within %d",
                             cell.row, cell.col, config->max_colonisation_distance);
    }
}

/* ---- the step ----------------------------------------------------------------------------- */

void bg_step(BgState *state)
{
    uint64_t *const first[] = {state->cells[0].stripes[0], state->cells[0].stripes[1]};
    uint64_t *const second[] = {state->cells[1].stripes[0], state->cells[1].stripes[1]};
    step_board(&state->config, first, second);
}

/* ---- turns -------------------------------------------------------------------------------- */

void bg_colonise(BgState *state, const TurfAction actions[2])
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
    state->remaining[side] =
        left < state->config.max_cell_capacity ? (int32_t)left : state->config.max_cell_capacity;
}

void bg_play(BgState *state, const TurfAction actions[2])
{
    bg_colonise(state, actions);
    charge(state, TURF_FIRST, actions[0].n_cells);
    charge(state, TURF_SECOND, actions[1].n_cells);
    bg_step(state);
    state->iteration++;
    if (state->config.scoring == BG_SUM) {
        state->live_sum[0] += bg_live(state, TURF_FIRST);
        state->live_sum[1] += bg_live(state, TURF_SECOND);
    }
}
