/* Batches of games side by side: their memory, and the functions of turf.h. A batch has no locks:
 * one thread at a time uses it. */
#include "envs/env_batch.h"

#include "base/error.h"
#include "games/streams.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_GAMES = 1 << 24 };

/* ---- starts ------------------------------------------------------------------------------- */

static void set_seed(TurfBatch *batch, uint64_t seed)
{
    static const char sampler[] = "random"; /* the player that turf_batch_sample is */
    batch->start_streams = start_streams(seed);
    for (int side = 0; side < 2; side++)
        batch->side_streams[side] = side_streams(seed, sampler, sampler, (TurfSide)side);
}

/* Sets up the start of the game whose number batch->rows.games has. */
static void set_start(TurfBatch *batch, size_t index)
{
    TurfRng   rng = rng_stream(batch->start_streams, batch->rows.games[index]);
    TurfState state;
    size_t    size =
        batch->game->state_size < batch->state_size ? batch->game->state_size : batch->state_size;
    if (batch->is_random)
        (void)game_start(batch->game, batch->start_text, &rng, &state, NULL);
    memcpy(batch_state(batch, index), batch->is_random ? &state : &batch->start, size);
}

void batch_begin(TurfBatch *batch, size_t index)
{
    TurfEnding ending;
    set_start(batch, index);
    /* A drawn start may leave no move; once in a million million games. */
    while (batch->game->is_over(batch_state(batch, index), &ending)) {
        batch->rows.games[index] += batch->shape.n_games;
        set_start(batch, index);
    }
    batch_seed(batch, index);
    batch->kind->show(batch, index);
}

static bool parse_start(TurfBatch *batch, TurfError *error)
{
    TurfRng    unused = rng_stream(batch->start_streams, 0), rng = unused;
    TurfEnding ending;
    if (!game_start(batch->game, batch->start_text, &rng, &batch->start, error))
        return false;
    batch->is_random = rng.state != unused.state;
    if (batch->game->is_over(&batch->start, &ending))
        return error_invalid(error, "the game is over in this start; choose another");
    return true;
}

/* ---- memory ------------------------------------------------------------------------------- */

static TurfBatchShape shape_of(const TurfGame *game, const TurfState *state, size_t n_games)
{
    int rows, cols;
    game->size(state, &rows, &cols);
    return (TurfBatchShape){.n_games = n_games,
                            .n_planes = turf_n_planes(game),
                            .rows = (size_t)rows,
                            .cols = (size_t)cols,
                            .n_numbers = turf_n_numbers(game),
                            .n_masks = game_is_simultaneous(game) ? 2 : 1,
                            .n_actions = turf_n_actions(game, state)};
}

/* Points `array` to memory of its own unless it is the caller's; `owned` is what to free. */
static bool provide(void *array, void **owned, size_t n_games, size_t n_bytes)
{
    void *memory;
    memcpy(&memory, array, sizeof memory);
    if (memory)
        return true;
    memory = *owned = calloc(n_games, n_bytes ? n_bytes : 1);
    memcpy(array, &memory, sizeof memory);
    return memory != NULL;
}

static bool provide_arrays(TurfBatch *batch)
{
    TurfBatchShape  *shape = &batch->shape;
    TurfBatchArrays *arrays = &batch->rows.arrays;
    const struct {
        void  *array;
        size_t n_bytes;
    } needed[] = {
        {&arrays->observations, shape->n_planes * shape->rows * shape->cols},
        {&arrays->numbers, shape->n_numbers * sizeof(int32_t)},
        {&arrays->masks, shape->n_masks * shape->n_actions},
        {&arrays->to_move, 1},
        {&arrays->rewards, sizeof(float)},
        {&arrays->ended, 1},
        {&arrays->endings, 1},
        {&arrays->lengths, sizeof(uint32_t)},
    };
    _Static_assert(sizeof needed / sizeof needed[0] == sizeof batch->owned / sizeof(void *),
                   "every array may be owned");
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (!provide(needed[i].array, &batch->owned[i], shape->n_games, needed[i].n_bytes))
            return false;
    return true;
}

static bool allocate(TurfBatch *batch, TurfError *error)
{
    size_t n_games = batch->shape.n_games;
    batch->n_words = (batch->shape.n_actions + 63) / 64;
    batch->state_size = batch->kind->state_size ? batch->kind->state_size : batch->game->state_size;
    batch->rows.states = calloc(n_games, batch->state_size);
    batch->rows.legal = calloc(n_games, batch->n_words * sizeof *batch->rows.legal);
    batch->rows.games = calloc(n_games, sizeof *batch->rows.games);
    batch->rows.rng = calloc(n_games, sizeof *batch->rows.rng);
    batch->rows.lengths = calloc(n_games, sizeof *batch->rows.lengths);
    batch->rows.movers = calloc(n_games, sizeof *batch->rows.movers);
    batch->rows.over = calloc(n_games, sizeof *batch->rows.over);
    if (!batch->rows.states || !batch->rows.legal || !batch->rows.games || !batch->rows.rng ||
        !batch->rows.lengths || !batch->rows.movers || !batch->rows.over || !provide_arrays(batch))
        return error_no_memory(error);
    return true;
}

static bool prepare(TurfBatch *batch, const TurfBatchOptions *options, const BatchKind *kind,
                    TurfError *error)
{
    const TurfGame *game = batch->game;
    batch->rows.arrays = options->arrays;
    batch->start_text = options->start ? strdup(options->start) : NULL;
    if (options->start && !batch->start_text)
        return error_no_memory(error);
    set_seed(batch, options->seed);
    if (!parse_start(batch, error))
        return false;
    batch->shape = shape_of(game, &batch->start, options->n_games);
    batch->rows.n_games = options->n_games;
    if (!kind)
        kind = batch_kernel_for(game, &batch->shape);
    batch->kind = kind ? kind : &batch_table;
    return allocate(batch, error);
}

TurfBatch *batch_new(const TurfGame *game, const TurfBatchOptions *options, const BatchKind *kind,
                     TurfError *error)
{
    if (!game || !options) {
        error_fill(error, TURF_ERROR_INVALID, "a game and options are needed");
        return NULL;
    }
    if (options->n_games < 1 || options->n_games > MAX_GAMES) {
        error_fill(error, TURF_ERROR_INVALID, "a batch has from 1 to %d games, not %zu", MAX_GAMES,
                   options->n_games);
        return NULL;
    }
    TurfBatch *batch = calloc(1, sizeof *batch);
    if (!batch) {
        error_no_memory(error);
        return NULL;
    }
    batch->game = game;
    if (!prepare(batch, options, kind, error) || !turf_batch_reset(batch, options->seed, error)) {
        turf_batch_free(batch);
        return NULL;
    }
    return batch;
}

TurfBatch *turf_batch_new(const TurfGame *game, const TurfBatchOptions *options, TurfError *error)
{
    return batch_new(game, options, NULL, error);
}

void turf_batch_free(TurfBatch *batch)
{
    if (!batch)
        return;
    for (size_t i = 0; i < sizeof batch->owned / sizeof batch->owned[0]; i++)
        free(batch->owned[i]);
    free(batch->rows.states);
    free(batch->rows.legal);
    free(batch->rows.games);
    free(batch->rows.rng);
    free(batch->rows.lengths);
    free(batch->rows.movers);
    free(batch->rows.over);
    free(batch->start_text);
    free(batch);
}

/* ---- looking at a batch ------------------------------------------------------------------- */

const TurfBatchShape *turf_batch_shape(const TurfBatch *batch) { return &batch->shape; }

const TurfBatchArrays *turf_batch_arrays(const TurfBatch *batch) { return &batch->rows.arrays; }

bool turf_batch_state(const TurfBatch *batch, size_t index, TurfState *state, uint64_t *game,
                      TurfError *error)
{
    if (!batch || !state)
        return error_invalid(error, "a batch and a position to fill are needed");
    if (index >= batch->shape.n_games)
        return error_invalid(error, "there is no game %zu in a batch of %zu, from 0", index,
                             batch->shape.n_games);
    size_t size =
        batch->game->state_size < batch->state_size ? batch->game->state_size : batch->state_size;
    memset(state, 0, sizeof *state);
    memcpy(state, batch_state(batch, index), size);
    if (game)
        *game = batch->rows.games[index];
    return true;
}

/* ---- playing ------------------------------------------------------------------------------ */

/* Begins the game of batch->rows.games in a place, where no step has ended one. */
static void begin_anew(TurfBatch *batch, size_t index)
{
    batch_begin(batch, index);
    batch->rows.arrays.rewards[index] = 0;
    batch->rows.arrays.ended[index] = 0;
    batch->rows.arrays.endings[index] = -1;
    batch->rows.arrays.lengths[index] = 0;
}

bool turf_batch_reset(TurfBatch *batch, uint64_t seed, TurfError *error)
{
    if (!batch)
        return error_invalid(error, "a batch is needed");
    set_seed(batch, seed);
    for (size_t i = 0; i < batch->shape.n_games; i++) {
        batch->rows.games[i] = i;
        begin_anew(batch, i);
    }
    return true;
}

bool turf_batch_restart(TurfBatch *batch, const uint8_t *which, TurfError *error)
{
    if (!batch || !which)
        return error_invalid(error, "a batch and a byte for each of its games are needed");
    for (size_t i = 0; i < batch->shape.n_games; i++)
        if (which[i]) {
            batch->rows.games[i] += batch->shape.n_games;
            begin_anew(batch, i);
        }
    return true;
}

static bool takes_turns(const TurfBatch *batch, const void *actions, TurfError *error)
{
    if (!batch || !actions)
        return error_invalid(error, "a batch and an action for each of its games are needed");
    if (!batch->kind->step)
        return error_invalid(error, "in %s both sides move at once, and actions are cells",
                             batch->game->name);
    return true;
}

static bool takes_cells(const TurfBatch *batch, const void *cells, TurfError *error)
{
    if (!batch || !cells)
        return error_invalid(error, "a batch and cells for each of its games are needed");
    if (!batch->kind->step_cells)
        return error_invalid(error, "in %s the sides move in turn, and actions are numbers",
                             batch->game->name);
    return true;
}

static bool is_legal(const TurfBatch *batch, size_t index, int32_t action)
{
    const uint64_t *legal = batch->rows.legal + index * batch->n_words;
    return (uint32_t)action < batch->shape.n_actions && legal[action / 64] >> action % 64 & 1;
}

static bool say_illegal(const TurfBatch *batch, size_t index, int32_t action, TurfError *error)
{
    TurfMove  move;
    TurfState state;
    TurfError why;
    if ((uint32_t)action >= batch->shape.n_actions)
        return error_invalid(error, "game %zu: there is no action %d; they go from 0 to %zu", index,
                             action, batch->shape.n_actions - 1);
    if (!turf_batch_state(batch, index, &state, NULL, error) ||
        !turf_move_of_action(batch->game, &state, (size_t)action, &move, error))
        return false;
    if (batch->game->is_legal(&state, move, &why))
        error_fill(&why, TURF_ERROR_INVALID, "it is not legal");
    return error_invalid(error, "game %zu, action %d: %.300s", index, action, why.text);
}

bool turf_batch_step(TurfBatch *batch, const int32_t *actions, TurfError *error)
{
    bool all_are_legal = true;
    if (!takes_turns(batch, actions, error))
        return false;
    for (size_t i = 0; i < batch->shape.n_games; i++)
        all_are_legal &= is_legal(batch, i, actions[i]);
    for (size_t i = 0; !all_are_legal && i < batch->shape.n_games; i++)
        if (!is_legal(batch, i, actions[i]))
            return say_illegal(batch, i, actions[i], error);
    batch->kind->step(batch, actions);
    return true;
}

bool turf_batch_sample(TurfBatch *batch, int32_t *actions, TurfError *error)
{
    if (!takes_turns(batch, actions, error))
        return false;
    batch->kind->sample(batch, actions);
    return true;
}

bool turf_batch_step_cells(TurfBatch *batch, const uint8_t *cells, TurfError *error)
{
    return takes_cells(batch, cells, error) && batch->kind->step_cells(batch, cells, error);
}

bool turf_batch_sample_cells(TurfBatch *batch, uint8_t *cells, TurfError *error)
{
    if (!takes_cells(batch, cells, error))
        return false;
    batch->kind->sample_cells(batch, cells);
    return true;
}
