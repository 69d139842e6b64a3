/* Batches of the games whose rules are inline functions, compiled for several instruction sets;
 * KERNEL is the name of the table. Legal actions are bits, so drawing one, and showing them as
 * bytes, is the same for all. */
#include "base/expand.h"
#include "envs/env_batch.h"
#include "games/amoeba_wars.h"
#include "games/squirrel_war.h"
#include "games/war_of_life.h"

#include <string.h>

enum { CELLS_8X8 = 64, WOL_WORDS = WOL_N_ACTIONS / 64, AW_PLANES = 3, SW_PLANES = 3 };

/* ---- all games ---------------------------------------------------------------------------- */

static inline void show_legal(const BatchRows *rows, size_t index, const uint64_t *legal,
                              size_t n_words, size_t n_actions)
{
    uint8_t *mask = rows->arrays.masks + index * n_actions;
    for (size_t word = 0; word < n_words; word++) {
        size_t n_left = n_actions - 64 * word;
        rows->legal[index * n_words + word] = legal[word];
        expand(legal[word], n_left < 64 ? n_left : 64, mask + 64 * word);
    }
}

/* Sets of a single word. */
static void sample_one_word(TurfBatch *batch, int32_t *actions)
{
    const BatchRows rows = batch->rows;
    for (size_t i = 0; i < rows.n_games; i++) {
        uint64_t legal = rows.legal[i];
        uint32_t pick = rng_below(&rows.rng[i][rows.movers[i]], (uint32_t)bits_count(legal));
        actions[i] = bits_lowest(bits_nth(legal, pick));
    }
}

/* ---- War of Life -------------------------------------------------------------------------- */

static inline WolState *wol_at(const BatchRows *rows, size_t index)
{
    return (WolState *)(void *)rows->states + index;
}

/* `own` is to move. */
static inline void wol_show_board(const BatchRows *rows, size_t index, unsigned side, uint64_t own,
                                  uint64_t other, const uint64_t *movable)
{
    uint8_t *planes = rows->arrays.observations + 2 * CELLS_8X8 * index;
    expand_64(own, planes);
    expand_64(other, planes + CELLS_8X8);
    rows->arrays.numbers[index] = (int32_t)wol_at(rows, index)->moves_made;
    batch_show_mover(rows, index, side);
    show_legal(rows, index, movable, WOL_WORDS, WOL_N_ACTIONS);
}

static void wol_show(TurfBatch *batch, size_t index)
{
    const WolState *state = wol_at(&batch->rows, index);
    uint64_t        movable[WOL_WORDS];
    wol_movable(state->pieces[state->to_move], wol_empty(state), movable);
    wol_show_board(&batch->rows, index, state->to_move, state->pieces[state->to_move],
                   state->pieces[state->to_move ^ 1], movable);
}

/* Random starts are drawn here, where the processor's bit instructions help: a random game lasts 11
 * moves. */
static void wol_begin_all(TurfBatch *batch, size_t n_over)
{
    const BatchRows rows = batch->rows;
    for (size_t i = 0; i < n_over; i++) {
        size_t     index = rows.over[i];
        TurfRng    rng = rng_stream(batch->start_streams, rows.games[index]);
        WolState   start = wol_random_start(&rng);
        TurfEnding ending;
        if (!batch->is_random || wol_is_over(&start, &ending)) {
            batch_begin(batch, index);
            continue;
        }
        *wol_at(&rows, index) = start;
        batch_seed(batch, index);
        wol_show(batch, index);
    }
}

/* wol_apply and wol_is_over, but with the two sides in registers. */
static void wol_step(TurfBatch *batch, const int32_t *actions)
{
    const BatchRows rows = batch->rows;
    size_t          n_over = 0;
    for (size_t i = 0; i < rows.n_games; i++) {
        WolState *state = wol_at(&rows, i);
        int       from = actions[i] % 64, to = from + wol_distance[actions[i] / 64];
        uint32_t  side = state->to_move;
        uint64_t  own = state->pieces[side], other = state->pieces[side ^ 1];
        uint64_t  movable[WOL_WORDS], any = 0;
        own ^= UINT64_C(1) << from | UINT64_C(1) << to;
        wol_crank(&own, &other);
        wol_movable(other, ~(own | other), movable);
        for (int d = 0; d < WOL_WORDS; d++)
            any |= movable[d];
        state->pieces[side] = own;
        state->pieces[side ^ 1] = other;
        state->to_move = side ^ 1;
        state->moves_made++;
        if (!own || !any ||
            state->moves_made >= WOL_LONGEST) { /* without `other`, no move either */
            TurfEnding ending = TURF_STALEMATE;
            (void)wol_is_decided(state, &ending);
            batch_finish(&rows, i, side, ending);
            rows.over[n_over++] = (uint32_t)i;
            continue;
        }
        batch_go_on(&rows, i);
        wol_show_board(&rows, i, side ^ 1, other, own, movable);
    }
    wol_begin_all(batch, n_over);
}

/* As wol_draw_move draws. */
static void wol_sample(TurfBatch *batch, int32_t *actions)
{
    const BatchRows rows = batch->rows;
    for (size_t i = 0; i < rows.n_games; i++) {
        const uint64_t *movable = rows.legal + WOL_WORDS * i;
        uint32_t        up_to[8], n_moves = 0, direction = 0;
        for (int d = 0; d < 8; d++)
            up_to[d] = n_moves += (uint32_t)bits_count(movable[d]);
        uint32_t pick = rng_below(&rows.rng[i][rows.movers[i]], n_moves);
        for (int d = 0; d < 7; d++)
            direction += pick >= up_to[d];
        pick -= direction > 0 ? up_to[direction - 1] : 0;
        actions[i] = (int32_t)(64 * direction) + bits_lowest(bits_nth(movable[direction], pick));
    }
}

/* ---- SquirrelWar -------------------------------------------------------------------------- */

static inline SwPosition *sw_at(const BatchRows *rows, size_t index)
{
    return (SwPosition *)(void *)rows->states + index;
}

static inline void sw_show_board(const BatchRows *rows, size_t index, const SwPosition *state)
{
    uint8_t *planes = rows->arrays.observations + SW_PLANES * SW_SQUARES * index;
    unsigned side = state->board.to_move;
    uint64_t empty = sw_empty(&state->board);
    expand(state->board.pieces[side], SW_SQUARES, planes);
    expand(state->board.pieces[side ^ 1], SW_SQUARES, planes + SW_SQUARES);
    memcpy(planes + 2 * SW_SQUARES, state->values.of, SW_SQUARES);
    batch_show_mover(rows, index, side);
    show_legal(rows, index, &empty, 1, SW_SQUARES);
}

static void sw_show(TurfBatch *batch, size_t index)
{
    sw_show_board(&batch->rows, index, sw_at(&batch->rows, index));
}

static void sw_step(TurfBatch *batch, const int32_t *actions)
{
    const BatchRows rows = batch->rows;
    for (size_t i = 0; i < rows.n_games; i++) {
        SwPosition *state = sw_at(&rows, i);
        unsigned    side = state->board.to_move;
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

static inline void aw_show_board(const BatchRows *rows, size_t index, const AwSmall *state)
{
    const AwHeader *header = &state->header;
    uint8_t        *planes = rows->arrays.observations + AW_PLANES * CELLS_8X8 * index;
    int32_t        *numbers = rows->arrays.numbers + 3 * index;
    unsigned        side = header->to_move;
    expand_64(state->live[side][0], planes);
    expand_64(state->live[side ^ 1][0], planes + CELLS_8X8);
    expand_64(state->shaded[0], planes + 2 * CELLS_8X8);
    numbers[0] = header->moves_left;
    numbers[1] = header->n_killed[side];
    numbers[2] = header->n_killed[side ^ 1];
    batch_show_mover(rows, index, side);
    show_legal(rows, index, state->feasible[side], 1, CELLS_8X8);
}

static void aw_show(TurfBatch *batch, size_t index)
{
    aw_show_board(&batch->rows, index, aw_at(&batch->rows, index));
}

static void aw_step(TurfBatch *batch, const int32_t *actions)
{
    const BatchRows rows = batch->rows;
    for (size_t i = 0; i < rows.n_games; i++) {
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
           .war_of_life = {.state_size = sizeof(WolState),
                           .show = wol_show,
                           .step = wol_step,
                           .sample = wol_sample},
           .squirrel_war = {.state_size = sizeof(SwPosition),
                            .show = sw_show,
                            .step = sw_step,
                            .sample = sample_one_word},
           .amoeba_wars = {.state_size = sizeof(AwSmall),
                           .show = aw_show,
                           .step = aw_step,
                           .sample = sample_one_word},
};
