/* The inside of a batch: what its kinds share.
 *
 * A kind plays the games of a batch. There is one for each game whose rules can be inlined
 * (batch_wol.c with vectors, batch_kernel.c) and one for AI Battleground (batch_cells.c), built for
 * several instruction sets, and one for any other game where sides take turns (batch_table.c). All
 * write the same arrays as the functions of games/observation.c would.
 *
 * Threads: each works on a range of games of its own, and writes nothing but what belongs to them.
 *
 * The arrays may be the caller's, who may write what they like into them: nothing is read back. */
#ifndef TURF_ENVS_ENV_BATCH_H
#define TURF_ENVS_ENV_BATCH_H

#include "base/rng.h"
#include "envs/team.h"
#include "games/ending.h"
#include "games/game.h"

/* Some games in a row: what one thread works on. It begins at a multiple of BATCH_ALIGN. */
typedef struct BatchRange {
    size_t begin, end;
} BatchRange;

enum { BATCH_ALIGN = 64 };

typedef struct BatchKind {
    size_t state_size; /* of each game; 0: the game's */
    /* Optional: the same where it depends on the board. */
    size_t (*state_size_for)(const TurfState *start);
    /* Optional, where a kind keeps positions in a form of its own: sets game `index` to a position
     * at its beginning, and gives its position. */
    void (*load)(TurfBatch *batch, size_t index, const TurfState *state);
    void (*save)(const TurfBatch *batch, size_t index, TurfState *state);
    /* Shows the start of game `index`: writes its legal actions and its row of the arrays. */
    void (*show)(TurfBatch *batch, size_t index);
    /* Optional: are all actions of a range legal? They may be any numbers. NULL: as rows.legal
     * says. */
    bool (*are_legal)(const TurfBatch *batch, BatchRange range, const int32_t *actions);
    /* The actions are legal. */
    void (*step)(TurfBatch *batch, BatchRange range, const int32_t *actions);
    void (*sample)(TurfBatch *batch, BatchRange range, int32_t *actions);
    /* Where both sides move at once: notes the cells, and steps with those noted. False: an action
     * is not legal, and no position has changed. */
    bool (*read_cells)(TurfBatch *batch, BatchRange range, const uint8_t *cells, TurfError *error);
    void (*step_cells)(TurfBatch *batch, BatchRange range);
    void (*sample_cells)(TurfBatch *batch, BatchRange range, uint8_t *cells);
} BatchKind;

/* What there is for each game. Loops copy it, since a store of bytes might change any pointer that
 * is not a local one, as far as the compiler knows. */
typedef struct BatchRows {
    size_t          n_games;
    TurfBatchArrays arrays;
    uint8_t        *states; /* state_size bytes each */
    uint64_t       *legal;  /* n_words each: legal actions as bits, where sides take turns; a kind
                               with are_legal has its own order */
    uint64_t *games;        /* their numbers */
    TurfRng (*rng)[2];
    uint32_t *lengths; /* moves so far */
    uint8_t  *movers;  /* a TurfSide */
    uint32_t *over;    /* for steps: the games that have just ended, from the range's begin on */
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
    Team            *team;       /* NULL: the caller is alone */
    size_t           n_parts;
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

/* Notes how a step of `side` ended the game. The next game gets its number. */
static inline void batch_note_ending(const BatchRows *rows, size_t index, unsigned side,
                                     TurfEnding ending)
{
    rows->arrays.rewards[index] = (float)ending_reward(ending, (TurfSide)side);
    rows->arrays.ended[index] = 1;
    rows->arrays.endings[index] = (int8_t)ending;
    rows->games[index] += rows->n_games;
}

/* Notes a step of `side` that ended the game. */
static inline void batch_finish(const BatchRows *rows, size_t index, unsigned side,
                                TurfEnding ending)
{
    rows->arrays.lengths[index] = rows->lengths[index] + 1;
    batch_note_ending(rows, index, side, ending);
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
    BatchKind squirrel_war, amoeba_wars;
} BatchKernels;

typedef struct BatchBuild {
    const BatchKind    *war_of_life;
    const BatchKernels *turns; /* the others where sides take turns */
    const BatchKind    *cells; /* AI Battleground */
} BatchBuild;

/* All that this processor supports, the fastest last; NULL past the last. */
const BatchBuild *batch_build_at(size_t index);

#endif
