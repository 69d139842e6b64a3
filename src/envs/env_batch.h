/* The inside of a batch: what its kinds share.
 *
 * A kind plays the games of a batch. There is one for each game whose rules can be inlined
 * (batch_kernel.c) and one for AI Battleground (batch_cells.c), built for several instruction sets,
 * and one for any other game where sides take turns (batch_table.c). All write the same arrays as
 * the functions of games/observation.c would.
 *
 * The arrays may be the caller's, who may write what they like into them: nothing is read back. */
#ifndef TURF_ENVS_ENV_BATCH_H
#define TURF_ENVS_ENV_BATCH_H

#include "base/rng.h"
#include "games/ending.h"
#include "games/game.h"

typedef struct BatchKind {
    size_t state_size; /* of each game; 0: the game's */
    /* Shows the start of game `index`: writes its legal actions and its row of the arrays. */
    void (*show)(TurfBatch *batch, size_t index);
    /* The actions are legal. */
    void (*step)(TurfBatch *batch, const int32_t *actions);
    void (*sample)(TurfBatch *batch, int32_t *actions);
    /* Where both sides move at once. False: an action is not legal, and nothing has changed. */
    bool (*step_cells)(TurfBatch *batch, const uint8_t *cells, TurfError *error);
    void (*sample_cells)(TurfBatch *batch, uint8_t *cells);
} BatchKind;

/* What there is for each game. Loops copy it, since a store of bytes might change any pointer that
 * is not a local one, as far as the compiler knows. */
typedef struct BatchRows {
    size_t          n_games;
    TurfBatchArrays arrays;
    uint8_t        *states; /* state_size bytes each */
    uint64_t       *legal;  /* n_words each: legal actions as bits, where sides take turns */
    uint64_t       *games;  /* their numbers */
    TurfRng (*rng)[2];
    uint32_t *lengths; /* moves so far */
    uint8_t  *movers;  /* a TurfSide */
    uint32_t *over;    /* for steps: the games that have just ended */
} BatchRows;

struct TurfBatch {
    const TurfGame  *game;
    const BatchKind *kind;
    TurfBatchShape   shape;
    BatchRows        rows;
    size_t           state_size, n_words;
    uint64_t         start_streams, side_streams[2];
    char            *start_text; /* NULL: the game's default start */
    bool             is_random;  /* each game draws its start */
    TurfState        start;      /* otherwise */
    void            *owned[8];
};

static inline void *batch_state(const TurfBatch *batch, size_t index)
{
    return batch->rows.states + index * batch->state_size;
}

/* Begins a game in a place; batch->rows.games has its number already. */
void batch_begin(TurfBatch *batch, size_t index);

/* Prepares the streams of the game whose number batch->rows.games has. */
static inline void batch_seed(TurfBatch *batch, size_t index)
{
    uint64_t game = batch->rows.games[index];
    for (int side = 0; side < 2; side++)
        batch->rows.rng[index][side] = rng_stream(batch->side_streams[side], game);
    batch->rows.lengths[index] = 0;
}

/* Notes a step that did not end the game. */
static inline void batch_go_on(const BatchRows *rows, size_t index)
{
    rows->arrays.rewards[index] = 0;
    rows->arrays.ended[index] = 0;
    rows->arrays.endings[index] = -1;
    rows->arrays.lengths[index] = ++rows->lengths[index];
}

/* Notes a step of `side` that ended the game. The next game gets its number. */
static inline void batch_finish(const BatchRows *rows, size_t index, unsigned side,
                                TurfEnding ending)
{
    rows->arrays.rewards[index] = (float)ending_reward(ending, (TurfSide)side);
    rows->arrays.ended[index] = 1;
    rows->arrays.endings[index] = (int8_t)ending;
    rows->arrays.lengths[index] = rows->lengths[index] + 1;
    rows->games[index] += rows->n_games;
}

static inline void batch_show_mover(const BatchRows *rows, size_t index, unsigned side)
{
    rows->movers[index] = rows->arrays.to_move[index] = (uint8_t)side;
}

/* For any game where sides take turns. */
extern const BatchKind batch_table;
/* The fastest for this processor; NULL if the game, or a board of this size, has none. */
const BatchKind *batch_kernel_for(const TurfGame *game, const TurfBatchShape *shape);

/* turf_batch_new with a kind to use; NULL: the fastest. */
TurfBatch *batch_new(const TurfGame *game, const TurfBatchOptions *options, const BatchKind *kind,
                     TurfError *error);

/* The kernels of one instruction set. */
typedef struct BatchKernels {
    BatchKind war_of_life, squirrel_war, amoeba_wars;
} BatchKernels;

typedef struct BatchBuild {
    const BatchKernels *turns;
    const BatchKind    *cells; /* AI Battleground */
} BatchBuild;

/* All that this processor supports, the fastest last; NULL past the last. */
const BatchBuild *batch_build_at(size_t index);

#endif
