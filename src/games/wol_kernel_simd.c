/* The kernel with vectors: one game in each lane, compiled once for AVX2 and once for AVX-512;
 * KERNEL is its name. It does what wol_kernel_plain.c does, move for move.
 *
 * All lanes make one move per round. A lane whose game is over takes the next board from a pool
 * that is filled many boards at a time, so that no lane waits for another: filling the pool in
 * lanes costs a quarter of making the boards one by one when they are wanted. */
#include "games/totals.h"
#include "games/wol_kernels.h"
#include "games/wol_vectors.h"

#include <string.h>

/* The start boards and streams of games to come. It is topped up before fewer than N_LANES are left
 * as long as there are games, so that all lanes can be dealt new ones at once. */
enum { EVERY_LANE = (1 << N_LANES) - 1, GROUPS = 2, POOL = 64 * N_LANES };
typedef struct Pool {
    uint64_t blue[POOL + N_LANES], red[POOL + N_LANES];
    uint64_t blue_rng[POOL + N_LANES], red_rng[POOL + N_LANES];
    int      next, end;
    uint64_t next_game, end_game; /* not yet in the pool */
} Pool;

/* The games in the lanes, seen from the side to move, with `other` the one that waits. In every
 * lane the two change places after every move; whose turn it is follows from moves_made. */
typedef struct Games {
    Vector own, other;
    Vector own_rng, other_rng;
    Vector moves_made;
} Games;

static void fill(Pool *pool, const RandomGames *batch)
{
    int n_left = pool->end - pool->next;
    memmove(pool->blue, pool->blue + pool->next, (size_t)n_left * sizeof(uint64_t));
    memmove(pool->red, pool->red + pool->next, (size_t)n_left * sizeof(uint64_t));
    memmove(pool->blue_rng, pool->blue_rng + pool->next, (size_t)n_left * sizeof(uint64_t));
    memmove(pool->red_rng, pool->red_rng + pool->next, (size_t)n_left * sizeof(uint64_t));
    pool->next = 0;
    pool->end = n_left;

    while (pool->end + N_LANES <= POOL && pool->next_game < pool->end_game) {
        Vector games;
        for (int lane = 0; lane < N_LANES; lane++)
            games[lane] = pool->next_game + (uint64_t)lane;
        Vector blue, red;
        vector_random_start(batch->start_streams, games, &blue, &red);
        vector_put(pool->blue + pool->end, blue);
        vector_put(pool->red + pool->end, red);
        vector_put(pool->blue_rng + pool->end, vector_streams(batch->side_streams[0], games));
        vector_put(pool->red_rng + pool->end, vector_streams(batch->side_streams[1], games));
        uint64_t n_more = pool->end_game - pool->next_game;
        n_more = n_more < N_LANES ? n_more : N_LANES;
        pool->end += (int)n_more;
        pool->next_game += n_more;
    }
}

/* Moves each side to move makes at random; returns the lanes that have none and stay as they are.
 */
static inline unsigned move(Games *g)
{
    static const uint64_t distance[8] = {64 - 9, 64 - 8, 64 - 7, 64 - 1, 1, 7, 8, 9};
    Vector                movable[8], up_to[8];
    vector_movable(g->own, ~(g->own | g->other), movable);
    up_to[0] = vector_count(movable[0]);
    for (int d = 1; d < 8; d++)
        up_to[d] = up_to[d - 1] + vector_count(movable[d]);
    unsigned stuck = mask_bits(vector_equal(up_to[7], vector_all(0)));
    if (__builtin_expect(stuck != 0, 0))
        return stuck;

    Vector pick = vector_scale(vector_draw(&g->own_rng), up_to[7]);
    Vector from_set = movable[0], before = vector_all(0), turn = vector_all(distance[0]);
    for (int d = 0; d < 7; d++) {
        VectorMask is_before = vector_greater(up_to[d], pick);
        from_set = vector_pick(is_before, from_set, movable[d + 1]);
        before = vector_pick(is_before, before, up_to[d]);
        turn = vector_pick(is_before, turn, vector_all(distance[d + 1]));
    }
    Vector from = vector_nth(from_set, pick - before);
    g->own ^= from | vector_rotate(from, turn);
    return 0;
}

static inline void turn_crank_and_change_sides(Games *g)
{
    vector_crank(&g->own, &g->other);
    Vector own = g->own, own_rng = g->own_rng;
    g->own = g->other;
    g->other = own;
    g->own_rng = g->other_rng;
    g->other_rng = own_rng;
    g->moves_made += 1;
}

static inline unsigned decided(const Games *g)
{
    return mask_bits(
        mask_or(mask_or(vector_equal(g->own, vector_all(0)), vector_equal(g->other, vector_all(0))),
                vector_equal(g->moves_made, vector_all(WOL_LONGEST))));
}

static inline void write_down(const Games *g, unsigned lanes, bool is_stalemate, TurfTotals *totals)
{
    uint64_t own[N_LANES], other[N_LANES], moves_made[N_LANES];
    vector_put(own, g->own);
    vector_put(other, g->other);
    vector_put(moves_made, g->moves_made);
    for (; lanes; lanes &= lanes - 1) {
        int        lane = __builtin_ctz(lanes);
        WolState   state = {.moves_made = (uint32_t)moves_made[lane]};
        unsigned   mover = state.moves_made & 1;
        TurfEnding ending = TURF_STALEMATE;
        state.pieces[mover] = own[lane];
        state.pieces[mover ^ 1] = other[lane];
        if (!is_stalemate)
            (void)wol_is_decided(&state, &ending);
        totals_add_game(totals, ending, state.moves_made);
    }
}

/* Seats new games in the given lanes; false if there are not enough left. */
static inline bool deal(Games *g, unsigned lanes, Pool *pool, const RandomGames *batch)
{
    static const uint64_t no_moves[N_LANES];
    int                   n = __builtin_popcount(lanes);
    if (pool->next + N_LANES > pool->end)
        fill(pool, batch);
    if (pool->next + n > pool->end)
        return false;
    g->own = vector_deal(g->own, lanes, pool->blue + pool->next);
    g->other = vector_deal(g->other, lanes, pool->red + pool->next);
    g->own_rng = vector_deal(g->own_rng, lanes, pool->blue_rng + pool->next);
    g->other_rng = vector_deal(g->other_rng, lanes, pool->red_rng + pool->next);
    g->moves_made = vector_deal(g->moves_made, lanes, no_moves);
    pool->next += n;
    return true;
}

/* The rest of one game, without vectors. */
static void finish(WolState state, TurfRng blue_rng, TurfRng red_rng, TurfTotals *totals)
{
    TurfRng    rng[2] = {blue_rng, red_rng};
    TurfEnding ending;
    while (!wol_is_over(&state, &ending)) {
        TurfMove choice = 0;
        (void)wol_draw_move(&state, rng_next(&rng[state.to_move]), &choice);
        wol_apply(&state, choice);
    }
    totals_add_game(totals, ending, state.moves_made);
}

static void finish_simd(const Games *g, unsigned idle, TurfTotals *totals)
{
    for (int lane = 0; lane < N_LANES; lane++) {
        if (idle >> lane & 1)
            continue;
        uint32_t moves_made = (uint32_t)g->moves_made[lane], mover = moves_made & 1;
        WolState state = {.to_move = mover, .moves_made = moves_made};
        state.pieces[mover] = g->own[lane];
        state.pieces[mover ^ 1] = g->other[lane];
        TurfRng own_rng = {g->own_rng[lane]}, other_rng = {g->other_rng[lane]};
        finish(state, mover ? other_rng : own_rng, mover ? own_rng : other_rng, totals);
    }
}

/* One move in every lane. False when a game ended and there are too few left to replace it: then
 * the lanes in `idle` have nothing to play. */
static inline bool play_round(Games *g, unsigned *idle, Pool *pool, const RandomGames *batch,
                              TurfTotals *totals)
{
    unsigned over = decided(g);
    if (over) {
        write_down(g, over, false, totals);
        if (!deal(g, over, pool, batch)) {
            *idle = over;
            return false;
        }
    }
    unsigned stuck = move(g);
    if (!stuck) {
        turn_crank_and_change_sides(g);
        return true;
    }
    write_down(g, stuck, true, totals);
    if (!deal(g, stuck, pool, batch))
        *idle = stuck;
    return *idle == 0;
}

void KERNEL(const RandomGames *batch, TurfTotals *totals);
void KERNEL(const RandomGames *batch, TurfTotals *totals)
{
    Pool  pool;
    Games groups[GROUPS] = {0};
    pool.next = pool.end = 0;
    pool.next_game = batch->first_game;
    pool.end_game = batch->first_game + batch->n_games;

    unsigned idle[GROUPS];
    bool     is_dry = false;
    for (int i = 0; i < GROUPS; i++) {
        groups[i].moves_made = vector_all(0);
        idle[i] = deal(&groups[i], EVERY_LANE, &pool, batch) ? 0 : EVERY_LANE;
        is_dry |= idle[i] != 0;
    }
    while (!is_dry)
        for (int i = 0; i < GROUPS && !is_dry; i++)
            is_dry = !play_round(&groups[i], &idle[i], &pool, batch, totals);

    for (int i = 0; i < GROUPS; i++)
        finish_simd(&groups[i], idle[i], totals);
    for (int i = pool.next; i < pool.end; i++)
        finish((WolState){.pieces = {pool.blue[i], pool.red[i]}}, (TurfRng){pool.blue_rng[i]},
               (TurfRng){pool.red_rng[i]}, totals);
}
