/* Batches of AI Battleground, where an action is a set of cells, compiled for several instruction
 * sets; KERNEL is its name. Both sides' sets of all games are checked before any game moves on. */
#include "base/error.h"
#include "base/expand.h"
#include "envs/env_batch.h"
#include "games/battleground.h"

#include <string.h>

typedef struct Place {
    BgState state; /* first: turf_batch_state copies it */
    BgSet   reach[2], listed[2];
} Place;

static Place *place_at(const TurfBatch *batch, size_t index) { return batch_state(batch, index); }

/* ---- showing ------------------------------------------------------------------------------ */

static inline size_t cols_in(const BgConfig *config, int stripe)
{
    int n_left = config->cols - BG_STRIPE_COLS * stripe;
    return (size_t)(n_left < BG_STRIPE_COLS ? n_left : BG_STRIPE_COLS);
}

static void show_set(const BgConfig *config, const BgSet *set, uint8_t *bytes)
{
    for (int row = 0; row < config->rows; row++)
        for (int stripe = 0; stripe < bg_n_stripes(config); stripe++) {
            expand(set->stripes[stripe][row], cols_in(config, stripe), bytes);
            bytes += cols_in(config, stripe);
        }
}

static void show(TurfBatch *batch, size_t index)
{
    Place          *place = place_at(batch, index);
    const BgConfig *config = &place->state.config;
    size_t          n_cells = batch->shape.n_actions;
    for (size_t side = 0; side < 2; side++) {
        size_t row = (2 * index + side) * n_cells;
        bg_reach(&place->state, (TurfSide)side, &place->reach[side]);
        show_set(config, &place->state.cells[side], batch->rows.arrays.observations + row);
        show_set(config, &place->reach[side], batch->rows.arrays.masks + row);
    }
    turf_numbers(batch->game, batch_state(batch, index), TURF_FIRST,
                 batch->rows.arrays.numbers + index * batch->shape.n_numbers);
    batch->rows.arrays.to_move[index] = TURF_MOVER_BOTH;
}

/* ---- actions ------------------------------------------------------------------------------ */

/* The bytes of a board that are not 0, as a set. */
static void read_set(const BgConfig *config, const uint8_t *bytes, BgSet *set)
{
    for (int row = 0; row < config->rows; row++)
        for (int stripe = 0; stripe < bg_n_stripes(config); stripe++) {
            set->stripes[stripe][row] = collect(bytes, cols_in(config, stripe));
            bytes += cols_in(config, stripe);
        }
}

static size_t list_cells(const BgConfig *config, const BgSet *set, TurfCell *cells)
{
    size_t n_cells = 0;
    for (int row = 0; row < config->rows; row++)
        for (int stripe = 0; stripe < bg_n_stripes(config); stripe++)
            for (uint64_t left = set->stripes[stripe][row]; left; left = bits_rest(left))
                cells[n_cells++] = (TurfCell){row, BG_STRIPE_COLS * stripe + bits_lowest(left)};
    return n_cells;
}

static bool is_within(const BgConfig *config, const BgSet *set, const BgSet *all)
{
    uint64_t outside = 0;
    for (int stripe = 0; stripe < bg_n_stripes(config); stripe++)
        for (int row = 0; row < config->rows; row++)
            outside |= set->stripes[stripe][row] & ~all->stripes[stripe][row];
    return outside == 0;
}

static bool check(const Place *place, size_t index, TurfSide side, TurfError *error)
{
    const BgState *state = &place->state;
    const BgSet   *listed = &place->listed[side];
    TurfCell       cells[TURF_MAX_CELLS];
    TurfError      why;
    if (is_within(&state->config, listed, &place->reach[side]) &&
        bg_count(&state->config, listed) <= state->remaining[side])
        return true;
    TurfAction action = {cells, list_cells(&state->config, listed, cells)};
    if (bg_is_legal(state, side, &action, &why))
        return true;
    return error_invalid(error, "game %zu, player %d: %.300s", index, side + 1, why.text);
}

static bool read_actions(TurfBatch *batch, const uint8_t *cells, TurfError *error)
{
    for (size_t i = 0; i < batch->shape.n_games; i++)
        for (size_t side = 0; side < 2; side++) {
            Place *place = place_at(batch, i);
            read_set(&place->state.config, cells + (2 * i + side) * batch->shape.n_actions,
                     &place->listed[side]);
            if (!check(place, i, (TurfSide)side, error))
                return false;
        }
    return true;
}

static bool step(TurfBatch *batch, const uint8_t *cells, TurfError *error)
{
    TurfCell list[2][TURF_MAX_CELLS];
    if (!read_actions(batch, cells, error))
        return false;
    for (size_t i = 0; i < batch->shape.n_games; i++) {
        Place     *place = place_at(batch, i);
        TurfAction actions[2];
        TurfEnding ending;
        for (int side = 0; side < 2; side++)
            actions[side] = (TurfAction){
                list[side], list_cells(&place->state.config, &place->listed[side], list[side])};
        bg_play(&place->state, actions);
        if (!bg_is_over(&place->state, &ending)) {
            batch_go_on(&batch->rows, i);
            show(batch, i);
            continue;
        }
        batch_finish(&batch->rows, i, TURF_FIRST, ending);
        batch_begin(batch, i);
    }
    return true;
}

/* ---- drawing ------------------------------------------------------------------------------ */

/* The n-th cell of a set, row by row, as an index of the board. */
static size_t nth_cell(const BgConfig *config, const BgSet *set, uint32_t n)
{
    for (int row = 0; row < config->rows; row++)
        for (int stripe = 0; stripe < bg_n_stripes(config); stripe++) {
            uint64_t cells = set->stripes[stripe][row];
            uint32_t here = (uint32_t)bits_count(cells);
            if (n < here)
                return (size_t)(row * config->cols + BG_STRIPE_COLS * stripe +
                                bits_lowest(bits_nth(cells, n)));
            n -= here;
        }
    return 0;
}

/* As the player "random" draws: the beginning of a Fisher-Yates shuffle of the cells in reach. The
 * list is not written down: `moved` has the few entries that have changed. */
static void draw(const Place *place, TurfSide side, TurfRng *rng, uint8_t *bytes)
{
    const BgConfig *config = &place->state.config;
    const BgSet    *reach = &place->reach[side];
    uint32_t        n_reach = (uint32_t)bg_count(config, reach);
    uint32_t        max = (uint32_t)place->state.remaining[side];
    struct {
        uint32_t at, value;
    } moved[TURF_MAX_CELLS];
    uint32_t n_cells = rng_below(rng, (max < n_reach ? max : n_reach) + 1);
    for (uint32_t i = 0; i < n_cells; i++) {
        uint32_t at = i + rng_below(rng, n_reach - i), pick = at, first = i;
        for (uint32_t k = 0; k < i; k++) {
            pick = moved[k].at == at ? moved[k].value : pick;
            first = moved[k].at == i ? moved[k].value : first;
        }
        moved[i].at = at;
        moved[i].value = first;
        bytes[nth_cell(config, reach, pick)] = 1;
    }
}

static void sample(TurfBatch *batch, uint8_t *cells)
{
    size_t n_cells = batch->shape.n_actions;
    memset(cells, 0, batch->shape.n_games * 2 * n_cells);
    for (size_t i = 0; i < batch->shape.n_games; i++)
        for (size_t side = 0; side < 2; side++)
            draw(place_at(batch, i), (TurfSide)side, &batch->rows.rng[i][side],
                 cells + (2 * i + side) * n_cells);
}

extern const BatchKind KERNEL;
const BatchKind        KERNEL = {
           .state_size = sizeof(Place), .show = show, .step_cells = step, .sample_cells = sample};
