/* Batches of any game where sides take turns, by its table: slower than the kernels, and what the
 * tests compare them with. */
#include "envs/env_batch.h"

#include <string.h>

static void show(TurfBatch *batch, size_t index)
{
    const TurfGame  *game = batch->game;
    TurfBatchShape  *shape = &batch->shape;
    TurfBatchArrays *arrays = &batch->rows.arrays;
    const TurfState *state = batch_state(batch, index);
    TurfSide         side = (TurfSide)game->to_move(state);
    uint64_t        *legal = batch->rows.legal + index * batch->n_words;
    uint8_t         *mask = arrays->masks + index * shape->n_actions;
    TurfMove         moves[TURF_MAX_MOVES];
    turf_planes(game, state, side,
                arrays->observations + index * shape->n_planes * shape->rows * shape->cols);
    turf_numbers(game, state, side, arrays->numbers + index * shape->n_numbers);
    batch_show_mover(&batch->rows, index, side);
    memset(legal, 0, batch->n_words * sizeof *legal);
    memset(mask, 0, shape->n_actions);
    size_t n_moves = game->moves(state, moves);
    for (size_t i = 0; i < n_moves; i++) {
        size_t action = turf_action_of_move(game, state, moves[i]);
        legal[action / 64] |= UINT64_C(1) << action % 64;
        mask[action] = 1;
    }
}

static void step(TurfBatch *batch, BatchRange range, const int32_t *actions)
{
    const TurfGame *game = batch->game;
    for (size_t i = range.begin; i < range.end; i++) {
        void      *state = batch_state(batch, i);
        TurfSide   side = (TurfSide)batch->rows.movers[i];
        TurfMove   move = 0;
        TurfEnding ending;
        (void)turf_move_of_action(game, state, (size_t)actions[i], &move, NULL);
        game->apply(state, move);
        if (!game->is_over(state, &ending)) {
            batch_go_on(&batch->rows, i);
            show(batch, i);
            continue;
        }
        batch_finish(&batch->rows, i, side, ending);
        batch_begin(batch, i);
    }
}

static void sample(TurfBatch *batch, BatchRange range, int32_t *actions)
{
    for (size_t i = range.begin; i < range.end; i++) {
        const TurfState *state = batch_state(batch, i);
        TurfMove         move =
            game_random_move(batch->game, state, &batch->rows.rng[i][batch->rows.movers[i]]);
        actions[i] = (int32_t)turf_action_of_move(batch->game, state, move);
    }
}

const BatchKind batch_table = {.show = show, .step = step, .sample = sample};
