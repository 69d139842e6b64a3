/* Batches of SquirrelWar and Amoeba Wars on 8x8, whose rules are inline functions, compiled for
 * several instruction sets; KERNEL is the name of the table. Legal actions are the bits of a word,
 * so drawing one, and showing them as bytes, is the same for both. */
#include "base/expand.h"
#include "envs/env_batch.h"
#include "games/amoeba_wars.h"
#include "games/squirrel_war.h"

#include <string.h>

enum { CELLS_8X8 = 64, AW_PLANES = 3, SW_PLANES = 3 };

/* ---- all games ---------------------------------------------------------------------------- */

static inline void show_legal(const BatchRows *rows, size_t index, uint64_t legal, size_t n_actions)
{
    rows->legal[index] = legal;
    expand(legal, n_actions, rows->arrays.masks + index * n_actions);
}

static void sample(TurfBatch *batch, BatchRange range, int32_t *actions)
{
    const BatchRows rows = batch->rows;
    for (size_t i = range.begin; i < range.end; i++) {
        uint64_t legal = rows.legal[i];
        uint32_t pick = rng_below(&rows.rng[i][rows.movers[i]], (uint32_t)bits_count(legal));
        actions[i] = bits_lowest(bits_nth(legal, pick));
    }
}

/* ---- SquirrelWar -------------------------------------------------------------------------- */

static inline SwFive *sw_at(const BatchRows *rows, size_t index)
{
    return (SwFive *)(void *)rows->states + index;
}

static inline void sw_show_board(const BatchRows *rows, size_t index, const SwFive *state)
{
    uint8_t *planes = rows->arrays.observations + SW_PLANES * SW_SQUARES * index;
    unsigned side = state->board.to_move;
    uint64_t empty = sw_empty(&state->board);
    expand(state->board.pieces[side], SW_SQUARES, planes);
    expand(state->board.pieces[side ^ 1], SW_SQUARES, planes + SW_SQUARES);
    memcpy(planes + 2 * SW_SQUARES, state->values.of, SW_SQUARES);
    batch_show_mover(rows, index, side);
    show_legal(rows, index, empty, SW_SQUARES);
}

static void sw_show(TurfBatch *batch, size_t index)
{
    sw_show_board(&batch->rows, index, sw_at(&batch->rows, index));
}

static void sw_step(TurfBatch *batch, BatchRange range, const int32_t *actions)
{
    const BatchRows rows = batch->rows;
    for (size_t i = range.begin; i < range.end; i++) {
        SwFive  *state = sw_at(&rows, i);
        unsigned side = state->board.to_move;
        sw_apply(&state->board, actions[i]);
        if (sw_empty(&state->board)) {
            batch_go_on(&rows, i);
            sw_show_board(&rows, i, state);
            continue;
        }
        int lead = sw_sum(&state->values, state->board.pieces[0]) -
                   sw_sum(&state->values, state->board.pieces[1]);
        batch_finish(&rows, i, side, ending_of_lead(lead));
        batch_begin(batch, i);
    }
}

/* ---- Amoeba Wars on 8x8 ------------------------------------------------------------------- */

static inline AwSmall *aw_at(const BatchRows *rows, size_t index)
{
    return (AwSmall *)(void *)rows->states + index;
}

/* With chains it matters who killed a cell. */
static void aw_show_kills(const AwSmall *state, unsigned rival, uint8_t *plane)
{
    for (uint64_t left = aw_small_kills(state, rival, 0); left; left = bits_rest(left))
        plane[bits_lowest(left)] = 2;
}

static inline void aw_show_board(const BatchRows *rows, size_t index, const AwSmall *state)
{
    const AwHeader *header = &state->header;
    uint8_t        *planes = rows->arrays.observations + AW_PLANES * CELLS_8X8 * index;
    int32_t        *numbers = rows->arrays.numbers + 3 * index;
    unsigned        side = header->to_move;
    expand_64(state->live[side][0], planes);
    expand_64(state->live[side ^ 1][0], planes + CELLS_8X8);
    expand_64(state->shaded[0], planes + 2 * CELLS_8X8);
    if (header->rules & AW_CHAINS)
        aw_show_kills(state, side ^ 1, planes + 2 * CELLS_8X8);
    numbers[0] = header->moves_left;
    numbers[1] = header->n_killed[side];
    numbers[2] = header->n_killed[side ^ 1];
    batch_show_mover(rows, index, side);
    show_legal(rows, index, state->feasible[side][0], CELLS_8X8);
}

static void aw_show(TurfBatch *batch, size_t index)
{
    aw_show_board(&batch->rows, index, aw_at(&batch->rows, index));
}

static void aw_step(TurfBatch *batch, BatchRange range, const int32_t *actions)
{
    const BatchRows rows = batch->rows;
    for (size_t i = range.begin; i < range.end; i++) {
        AwSmall   *state = aw_at(&rows, i);
        unsigned   side = state->header.to_move;
        TurfEnding ending;
        aw_small_apply(state, actions[i]);
        if (!aw_is_over(&state->header, &ending)) {
            batch_go_on(&rows, i);
            aw_show_board(&rows, i, state);
            continue;
        }
        batch_finish(&rows, i, side, ending);
        batch_begin(batch, i);
    }
}

extern const BatchKernels KERNEL;
const BatchKernels        KERNEL = {
           .squirrel_war = {.state_size = sizeof(SwFive),
                            .show = sw_show,
                            .step = sw_step,
                            .sample = sample},
           .amoeba_wars = {.state_size = sizeof(AwSmall),
                           .show = aw_show,
                           .step = aw_step,
                           .sample = sample},
};
