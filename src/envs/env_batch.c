/* Batches of games side by side: their memory, and the functions of turf.h. Each call is a job,
 * done in parts by the batch's team; the parts are ranges of games, which share nothing. A batch
 * has no locks: one thread at a time calls it. */
#include "envs/env_batch.h"

#include "base/error.h"
#include "games/streams.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_GAMES = 1 << 24, MAX_THREADS = 1024 };

/* ---- starts ------------------------------------------------------------------------------- */

static void set_seed(TurfBatch *batch, uint64_t seed)
{
    static const char sampler[] = "random"; /* the player that turf_batch_sample is */
    batch->start_streams = start_streams(seed);
    for (int side = 0; side < 2; side++)
        batch->side_streams[side] = side_streams(seed, sampler, sampler, (TurfSide)side);
}

/* The start of the game whose number batch->rows.games has; `room` is for a drawn one. */
static const TurfState *find_start(const TurfBatch *batch, size_t index, TurfState *room)
{
    TurfRng rng = rng_stream(batch->start_streams, batch->rows.games[index]);
    if (!batch->is_random)
        return &batch->start;
    (void)game_start(batch->game, batch->start_text, &rng, room, NULL);
    return room;
}

static size_t shared_size(const TurfBatch *batch)
{
    return batch->game->state_size < batch->state_size ? batch->game->state_size
                                                       : batch->state_size;
}

void batch_begin(TurfBatch *batch, size_t index)
{
    TurfEnding       ending;
    TurfState        room;
    const TurfState *start = find_start(batch, index, &room);
    /* A drawn start may leave no move; once in a million million games. */
    while (batch->game->is_over(start, &ending)) {
        batch->rows.games[index] += batch->shape.n_games;
        start = find_start(batch, index, &room);
    }
    batch_seed(batch, index);
    if (batch->kind->load)
        batch->kind->load(batch, index, start);
    else
        memcpy(batch_state(batch, index), start, shared_size(batch));
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

/* Zeroed memory for each game, rounded up to a whole number of aligned groups. It begins with a
 * cache line, so that rows of 64 bytes do not lie in two. */
static void *allocate_rows(size_t n_games, size_t n_bytes)
{
    size_t n_padded = (n_games + BATCH_ALIGN - 1) / BATCH_ALIGN * BATCH_ALIGN;
    if (n_bytes > SIZE_MAX / n_padded)
        return NULL;
    size_t size = n_padded * (n_bytes ? n_bytes : 1);
    void  *memory = aligned_alloc(BATCH_ALIGN, size);
    if (memory)
        memset(memory, 0, size);
    return memory;
}

/* Points `array` to memory of its own unless it is the caller's; `owned` is what to free. */
static bool provide(void *array, void **owned, size_t n_games, size_t n_bytes)
{
    void *memory;
    memcpy(&memory, array, sizeof memory);
    if (memory)
        return true;
    memory = *owned = allocate_rows(n_games, n_bytes);
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
    size_t           n_games = batch->shape.n_games;
    BatchRows       *rows = &batch->rows;
    const BatchKind *kind = batch->kind;
    batch->n_words = (batch->shape.n_actions + 63) / 64;
    batch->state_size = kind->state_size ? kind->state_size : batch->game->state_size;
    if (kind->state_size_for)
        batch->state_size = kind->state_size_for(&batch->start);
    rows->states = allocate_rows(n_games, batch->state_size);
    rows->legal = allocate_rows(n_games, batch->n_words * sizeof *rows->legal);
    rows->games = allocate_rows(n_games, sizeof *rows->games);
    rows->rng = allocate_rows(n_games, sizeof *rows->rng);
    rows->lengths = allocate_rows(n_games, sizeof *rows->lengths);
    rows->movers = allocate_rows(n_games, sizeof *rows->movers);
    rows->over = allocate_rows(n_games, sizeof *rows->over);
    if (!rows->states || !rows->legal || !rows->games || !rows->rng || !rows->lengths ||
        !rows->movers || !rows->over || !provide_arrays(batch))
        return error_no_memory(error);
    return true;
}

/* Starts the other threads, if there are any and enough games for them. */
static bool gather_team(TurfBatch *batch, size_t n_threads, TurfError *error)
{
    size_t n_groups = (batch->shape.n_games + BATCH_ALIGN - 1) / BATCH_ALIGN;
    batch->n_parts = n_threads < n_groups ? n_threads : n_groups;
    if (batch->n_parts <= 1) {
        batch->n_parts = 1;
        return true;
    }
    batch->team = team_new(batch->n_parts);
    return batch->team || error_set(error, TURF_ERROR_NO_MEMORY,
                                    "the %zu threads of the batch could not be started", n_threads);
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
    return allocate(batch, error) && gather_team(batch, options->n_threads, error);
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
    if (options->n_threads > MAX_THREADS) {
        error_fill(error, TURF_ERROR_INVALID, "a batch has at most %d threads, not %zu",
                   MAX_THREADS, options->n_threads);
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
    team_free(batch->team);
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
    memset(state, 0, sizeof *state);
    if (batch->kind->save)
        batch->kind->save(batch, index, state);
    else
        memcpy(state, batch_state(batch, index), shared_size(batch));
    if (game)
        *game = batch->rows.games[index];
    return true;
}

/* ---- playing ------------------------------------------------------------------------------ */

/* What the parts of one call work on. */
typedef struct Job {
    TurfBatch     *batch;
    const int32_t *actions;
    int32_t       *drawn;
    const uint8_t *cells; /* or which games to restart */
    uint8_t       *drawn_cells;
    atomic_bool    has_failed;
} Job;

static BatchRange part_of(const TurfBatch *batch, size_t part)
{
    size_t n_games = batch->shape.n_games;
    size_t n_each = (n_games + batch->n_parts - 1) / batch->n_parts;
    n_each = (n_each + BATCH_ALIGN - 1) / BATCH_ALIGN * BATCH_ALIGN;
    size_t begin = part * n_each, end = begin + n_each;
    return (BatchRange){begin < n_games ? begin : n_games, end < n_games ? end : n_games};
}

static void do_job(Job *job, TeamWork *work)
{
    if (job->batch->team)
        team_run(job->batch->team, work, job);
    else
        work(job, 0);
}

/* Begins the game of batch->rows.games in a place, where no step has ended one. */
static void begin_anew(TurfBatch *batch, size_t index)
{
    batch_begin(batch, index);
    batch->rows.arrays.rewards[index] = 0;
    batch->rows.arrays.ended[index] = 0;
    batch->rows.arrays.endings[index] = -1;
    batch->rows.arrays.lengths[index] = 0;
}

static void reset_part(void *context, size_t part)
{
    TurfBatch *batch = ((Job *)context)->batch;
    BatchRange range = part_of(batch, part);
    for (size_t i = range.begin; i < range.end; i++) {
        batch->rows.games[i] = i;
        begin_anew(batch, i);
    }
}

bool turf_batch_reset(TurfBatch *batch, uint64_t seed, TurfError *error)
{
    if (!batch)
        return error_invalid(error, "a batch is needed");
    set_seed(batch, seed);
    do_job(&(Job){.batch = batch}, reset_part);
    return true;
}

static void restart_part(void *context, size_t part)
{
    const Job *job = context;
    TurfBatch *batch = job->batch;
    BatchRange range = part_of(batch, part);
    for (size_t i = range.begin; i < range.end; i++)
        if (job->cells[i]) {
            batch->rows.games[i] += batch->shape.n_games;
            begin_anew(batch, i);
        }
}

bool turf_batch_restart(TurfBatch *batch, const uint8_t *which, TurfError *error)
{
    if (!batch || !which)
        return error_invalid(error, "a batch and a byte for each of its games are needed");
    do_job(&(Job){.batch = batch, .cells = which}, restart_part);
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

static bool are_legal(const TurfBatch *batch, BatchRange range, const int32_t *actions)
{
    bool all_are_legal = true;
    if (batch->kind->are_legal)
        return batch->kind->are_legal(batch, range, actions);
    for (size_t i = range.begin; i < range.end; i++) {
        const uint64_t *legal = batch->rows.legal + i * batch->n_words;
        bool            is_known = (uint32_t)actions[i] < batch->shape.n_actions;
        all_are_legal &= is_known && legal[actions[i] / 64] >> actions[i] % 64 & 1;
    }
    return all_are_legal;
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

static void check_part(void *context, size_t part)
{
    Job *job = context;
    if (!are_legal(job->batch, part_of(job->batch, part), job->actions))
        atomic_store(&job->has_failed, true);
}

static void step_part(void *context, size_t part)
{
    const Job *job = context;
    job->batch->kind->step(job->batch, part_of(job->batch, part), job->actions);
}

bool turf_batch_step(TurfBatch *batch, const int32_t *actions, TurfError *error)
{
    Job job = {.batch = batch, .actions = actions};
    if (!takes_turns(batch, actions, error))
        return false;
    do_job(&job, check_part);
    for (size_t i = 0; atomic_load(&job.has_failed) && i < batch->shape.n_games; i++)
        if (!are_legal(batch, (BatchRange){i, i + 1}, actions))
            return say_illegal(batch, i, actions[i], error);
    do_job(&job, step_part);
    return true;
}

static void sample_part(void *context, size_t part)
{
    const Job *job = context;
    job->batch->kind->sample(job->batch, part_of(job->batch, part), job->drawn);
}

bool turf_batch_sample(TurfBatch *batch, int32_t *actions, TurfError *error)
{
    if (!takes_turns(batch, actions, error))
        return false;
    do_job(&(Job){.batch = batch, .drawn = actions}, sample_part);
    return true;
}

static void read_cells_part(void *context, size_t part)
{
    Job *job = context;
    if (!job->batch->kind->read_cells(job->batch, part_of(job->batch, part), job->cells, NULL))
        atomic_store(&job->has_failed, true);
}

static void step_cells_part(void *context, size_t part)
{
    const Job *job = context;
    job->batch->kind->step_cells(job->batch, part_of(job->batch, part));
}

bool turf_batch_step_cells(TurfBatch *batch, const uint8_t *cells, TurfError *error)
{
    Job job = {.batch = batch, .cells = cells};
    if (!takes_cells(batch, cells, error))
        return false;
    do_job(&job, read_cells_part);
    if (atomic_load(&job.has_failed)) /* once more, for the sentence about the first one */
        return batch->kind->read_cells(batch, (BatchRange){0, batch->shape.n_games}, cells, error);
    do_job(&job, step_cells_part);
    return true;
}

static void sample_cells_part(void *context, size_t part)
{
    const Job *job = context;
    job->batch->kind->sample_cells(job->batch, part_of(job->batch, part), job->drawn_cells);
}

bool turf_batch_sample_cells(TurfBatch *batch, uint8_t *cells, TurfError *error)
{
    if (!takes_cells(batch, cells, error))
        return false;
    do_job(&(Job){.batch = batch, .drawn_cells = cells}, sample_cells_part);
    return true;
}
