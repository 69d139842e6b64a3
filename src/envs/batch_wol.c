/* Batches of War of Life: as many games at once as a vector has lanes, compiled for several
 * instruction sets; KERNEL is the name.
 *
 * Positions are kept as arrays, seen from the side to move. The legal actions of a group of N_LANES
 * games are eight vectors, one for each direction. A random game lasts 11 moves, so starts matter:
 * those of the games that a step has ended are drawn together. */
#include "base/expand.h"
#include "envs/env_batch.h"
#include "games/wol_vectors.h"

#include <string.h>

enum { CELLS = 64, N_DIRECTIONS = WOL_N_ACTIONS / CELLS };

/* What a game takes in rows.states; the arrays stand one after the other. */
typedef struct Boards {
    uint64_t *own, *other; /* `own` is to move */
    uint64_t *own_rng, *other_rng;
    uint64_t *moves_made;
} Boards;

enum { BOARD_BYTES = sizeof(Boards) / sizeof(uint64_t *) * sizeof(uint64_t) };

static inline Boards boards_of(const BatchRows *rows)
{
    size_t    n_padded = (rows->n_games + BATCH_ALIGN - 1) / BATCH_ALIGN * BATCH_ALIGN;
    uint64_t *at = (uint64_t *)(void *)rows->states;
    return (Boards){at, at + n_padded, at + 2 * n_padded, at + 3 * n_padded, at + 4 * n_padded};
}

/* The legal actions of the group that `index` is in; those of the next direction stand N_LANES
 * words further on. */
static inline uint64_t *legal_at(const BatchRows *rows, size_t index)
{
    size_t lane = index % N_LANES;
    return rows->legal + (index - lane) * N_DIRECTIONS + lane;
}

/* ---- one game ----------------------------------------------------------------------------- */

static void load(TurfBatch *batch, size_t index, const TurfState *from)
{
    const BatchRows *rows = &batch->rows;
    Boards           boards = boards_of(rows);
    WolState         state;
    memcpy(&state, from, sizeof state);
    boards.own[index] = state.pieces[state.to_move];
    boards.other[index] = state.pieces[state.to_move ^ 1];
    boards.own_rng[index] = rows->rng[index][state.to_move].state;
    boards.other_rng[index] = rows->rng[index][state.to_move ^ 1].state;
    boards.moves_made[index] = state.moves_made;
    rows->movers[index] = (uint8_t)state.to_move;
}

static WolState state_at(const BatchRows *rows, size_t index)
{
    Boards   boards = boards_of(rows);
    uint32_t side = rows->movers[index];
    WolState state = {.to_move = side, .moves_made = (uint32_t)boards.moves_made[index]};
    state.pieces[side] = boards.own[index];
    state.pieces[side ^ 1] = boards.other[index];
    return state;
}

static void save(const TurfBatch *batch, size_t index, TurfState *to)
{
    WolState state = state_at(&batch->rows, index);
    memcpy(to, &state, sizeof state);
}

/* Writes the observation and the mask of a game whose legal actions are known. */
static inline void show_board(const BatchRows *rows, size_t index, uint64_t own, uint64_t other)
{
    uint8_t        *planes = rows->arrays.observations + 2 * CELLS * index;
    uint8_t        *mask = rows->arrays.masks + WOL_N_ACTIONS * index;
    const uint64_t *legal = legal_at(rows, index);
    expand_64(own, planes);
    expand_64(other, planes + CELLS);
    for (int d = 0; d < N_DIRECTIONS; d++)
        expand_64(legal[d * N_LANES], mask + CELLS * d);
}

static void show(TurfBatch *batch, size_t index)
{
    const BatchRows *rows = &batch->rows;
    Boards           boards = boards_of(rows);
    uint64_t         own = boards.own[index], other = boards.other[index];
    uint64_t        *legal = legal_at(rows, index), movable[N_DIRECTIONS];
    wol_movable(own, ~(own | other), movable);
    for (int d = 0; d < N_DIRECTIONS; d++)
        legal[d * N_LANES] = movable[d];
    show_board(rows, index, own, other);
    rows->arrays.numbers[index] = (int32_t)boards.moves_made[index];
    rows->arrays.to_move[index] = rows->movers[index];
}

/* ---- starts ------------------------------------------------------------------------------- */

/* Begins up to N_LANES games with random starts. */
static void begin_some(TurfBatch *batch, const uint32_t *indexes, size_t n)
{
    const BatchRows rows = batch->rows;
    Boards          boards = boards_of(&rows);
    uint64_t        games[N_LANES] = {0}, pieces[2][N_LANES], rng[2][N_LANES];
    Vector          blue, red;
    for (size_t i = 0; i < n; i++)
        games[i] = rows.games[indexes[i]];
    vector_random_start(batch->start_streams, vector_get(games), &blue, &red);
    vector_put(pieces[0], blue);
    vector_put(pieces[1], red);
    for (int side = 0; side < 2; side++)
        vector_put(rng[side], vector_streams(batch->side_streams[side], vector_get(games)));
    for (size_t i = 0; i < n; i++) {
        size_t     index = indexes[i];
        WolState   start = {.pieces = {pieces[0][i], pieces[1][i]}};
        TurfEnding ending;
        if (wol_is_over(&start, &ending)) {
            batch_begin(batch, index);
            continue;
        }
        boards.own[index] = pieces[0][i];
        boards.other[index] = pieces[1][i];
        boards.own_rng[index] = rng[0][i];
        boards.other_rng[index] = rng[1][i];
        boards.moves_made[index] = 0;
        rows.lengths[index] = 0;
        rows.movers[index] = TURF_FIRST;
        show(batch, index);
    }
}

static void begin_all(TurfBatch *batch, const uint32_t *indexes, size_t n)
{
    for (size_t i = 0; i < n && !batch->is_random; i++)
        batch_begin(batch, indexes[i]);
    for (size_t i = 0; i < n && batch->is_random; i += N_LANES)
        begin_some(batch, indexes + i, n - i < N_LANES ? n - i : N_LANES);
}

/* ---- steps -------------------------------------------------------------------------------- */

/* The two cells that an action changes. */
static inline uint64_t cells_of(int32_t action)
{
    int from = action % CELLS, to = from + wol_distance[action / CELLS];
    return UINT64_C(1) << from | UINT64_C(1) << to;
}

/* What a step leaves in the arrays where the game goes on. */
static inline void go_on(const BatchRows *rows, const Boards *boards, size_t at, size_t n)
{
    memset(rows->arrays.rewards + at, 0, n * sizeof *rows->arrays.rewards);
    memset(rows->arrays.ended + at, 0, n);
    memset(rows->arrays.endings + at, -1, n);
    for (size_t i = at; i < at + n; i++) {
        uint32_t length = rows->lengths[i] + 1;
        uint8_t  side = rows->movers[i] ^ 1;
        rows->lengths[i] = rows->arrays.lengths[i] = length;
        rows->movers[i] = rows->arrays.to_move[i] = side;
        rows->arrays.numbers[i] = (int32_t)boards->moves_made[i];
        show_board(rows, i, boards->own[i], boards->other[i]);
    }
}

/* Steps the n games of a group, and returns the lanes whose games are over. */
static inline unsigned step_group(const BatchRows *rows, const Boards *boards, size_t at, size_t n,
                                  const int32_t *actions)
{
    uint64_t changes[N_LANES] = {0}, *legal = legal_at(rows, at);
    Vector   movable[N_DIRECTIONS], any = vector_all(0), none = vector_all(0);
    for (size_t i = 0; i < n; i++)
        changes[i] = cells_of(actions[at + i]);
    Vector own = vector_get(boards->own + at) ^ vector_get(changes);
    Vector other = vector_get(boards->other + at);
    Vector own_rng = vector_get(boards->own_rng + at);
    Vector moves_made = vector_get(boards->moves_made + at) + 1;
    vector_crank(&own, &other);
    vector_movable(other, ~(own | other), movable);
    for (int d = 0; d < N_DIRECTIONS; d++) {
        any |= movable[d];
        vector_put(legal + d * N_LANES, movable[d]);
    }
    vector_put(boards->own + at, other);
    vector_put(boards->other + at, own);
    vector_put(boards->own_rng + at, vector_get(boards->other_rng + at));
    vector_put(boards->other_rng + at, own_rng);
    vector_put(boards->moves_made + at, moves_made);
    /* Without `other` there is no move either. */
    VectorMask is_over = mask_or(vector_equal(own, none), vector_equal(any, none));
    is_over = mask_or(is_over, vector_greater(moves_made, vector_all(WOL_LONGEST - 1)));
    return mask_bits(is_over) & ((1U << n) - 1);
}

static void step(TurfBatch *batch, BatchRange range, const int32_t *actions)
{
    const BatchRows rows = batch->rows;
    const Boards    boards = boards_of(&rows);
    uint32_t       *ended = rows.over + range.begin;
    size_t          n_ended = 0, n_left;
    for (size_t at = range.begin; at < range.end; at += N_LANES) {
        unsigned over;
        n_left = range.end - at;
        if (n_left >= N_LANES) { /* a constant number, so that loops are unrolled */
            over = step_group(&rows, &boards, at, N_LANES, actions);
            go_on(&rows, &boards, at, N_LANES);
        } else {
            over = step_group(&rows, &boards, at, n_left, actions);
            go_on(&rows, &boards, at, n_left);
        }
        for (; over; over &= over - 1) {
            size_t     index = at + (size_t)__builtin_ctz(over);
            WolState   state = state_at(&rows, index);
            TurfEnding ending = TURF_STALEMATE;
            (void)wol_is_decided(&state, &ending);
            batch_note_ending(&rows, index, state.to_move ^ 1, ending);
            ended[n_ended++] = (uint32_t)index;
        }
    }
    begin_all(batch, ended, n_ended);
}

static bool are_legal(const TurfBatch *batch, BatchRange range, const int32_t *actions)
{
    const BatchRows rows = batch->rows;
    uint64_t        all = 1;
    for (size_t i = range.begin; i < range.end; i++) {
        uint32_t action = (uint32_t)actions[i], known = action % WOL_N_ACTIONS;
        uint64_t legal = legal_at(&rows, i)[known / CELLS * N_LANES];
        all &= legal >> known % CELLS & (action < WOL_N_ACTIONS);
    }
    return all != 0;
}

/* As wol_draw_move draws. */
static inline Vector draw_actions(const BatchRows *rows, const Boards *boards, size_t at)
{
    const uint64_t *legal = legal_at(rows, at);
    Vector          movable[N_DIRECTIONS], up_to[N_DIRECTIONS], n_moves = vector_all(0);
    Vector          rng = vector_get(boards->own_rng + at), random = vector_draw(&rng);
    for (int d = 0; d < N_DIRECTIONS; d++) {
        movable[d] = vector_get(legal + d * N_LANES);
        up_to[d] = n_moves += vector_count(movable[d]);
    }
    vector_put(boards->own_rng + at, rng);
    Vector pick = vector_scale(random, n_moves);
    Vector from = movable[0], before = vector_all(0), direction = vector_all(0);
    for (int d = 0; d < N_DIRECTIONS - 1; d++) {
        VectorMask is_found = vector_greater(up_to[d], pick);
        from = vector_pick(is_found, from, movable[d + 1]);
        before = vector_pick(is_found, before, up_to[d]);
        direction = vector_pick(is_found, direction, vector_all((uint64_t)d + 1));
    }
    Vector cell = vector_nth(from, pick - before);
    return direction * CELLS + vector_count(cell - 1);
}

static void sample(TurfBatch *batch, BatchRange range, int32_t *actions)
{
    const BatchRows rows = batch->rows;
    const Boards    boards = boards_of(&rows);
    for (size_t at = range.begin; at < range.end; at += N_LANES) {
        uint64_t drawn[N_LANES];
        size_t   n_left = range.end - at;
        vector_put(drawn, draw_actions(&rows, &boards, at));
        for (size_t i = 0; i < N_LANES && i < n_left; i++)
            actions[at + i] = (int32_t)drawn[i];
    }
}

extern const BatchKind KERNEL;
const BatchKind        KERNEL = {.state_size = BOARD_BYTES,
                                 .load = load,
                                 .save = save,
                                 .show = show,
                                 .are_legal = are_legal,
                                 .step = step,
                                 .sample = sample};
