/* War of Life on a device: games of the random player and of the strategies that look one move
 * ahead, the same to the bit as those of the processor.
 *
 * A start takes a loop whose length depends on luck, and items of a warp wait for each other. So
 * starts are not made when a game ends: the whole group makes them now and then, into a pool in
 * local memory, and an item whose game is over takes the next one from there. A round is a move of
 * blue and a move of red, so that items which play different strategies do not wait for each other
 * all the time.
 *
 *   GROUP   items in a work-group
 *   POOL    starts in the pool, in all
 *   ROUNDS  rounds between two fillings; on average a game takes six */
#include "gpu/device_c.h"

#include "games/war_of_life.h"
#include "gpu/launch.h"

#include "gpu/chunk.inc.h"

/* A game to play. */
typedef struct Seat {
    uint64_t blue, red, blue_rng, red_rng;
} Seat;

/* ---- moves -------------------------------------------------------------------------------- */

/* A random move, as wol_draw_move draws it. False: there is none. */
INLINE bool random_ply(uint64_t *own, uint64_t *other, uint64_t *rng)
{
    uint64_t movable[8];
    uint32_t up_to[8], n_moves = 0;
    wol_movable(*own, ~(*own | *other), movable);
#pragma unroll
    for (int d = 0; d < 8; d++)
        up_to[d] = n_moves += (uint32_t)bits_count(movable[d]);
    if (n_moves == 0)
        return false;
    TurfRng  stream = {*rng};
    uint32_t pick = rng_scale(rng_next(&stream), n_moves);
    *rng = stream.state;

    /* The direction, by halves. */
    bool     is_down = pick >= up_to[3];
    uint64_t four[4], two[2];
    uint32_t before = is_down ? up_to[3] : 0, limits[3];
#pragma unroll
    for (int d = 0; d < 4; d++)
        four[d] = is_down ? movable[d + 4] : movable[d];
#pragma unroll
    for (int d = 0; d < 3; d++)
        limits[d] = is_down ? up_to[d + 4] : up_to[d];
    bool is_late = pick >= limits[1];
    two[0] = is_late ? four[2] : four[0];
    two[1] = is_late ? four[3] : four[1];
    before = is_late ? limits[1] : before;
    uint32_t limit = is_late ? limits[2] : limits[0];
    bool     is_last = pick >= limit;
    uint64_t set = is_last ? two[1] : two[0];
    before = is_last ? limit : before;
    /* Distances -9 -8 -7 -1 and 1 7 8 9, plus 16, in bytes. */
    uint32_t distances = is_down ? 0x19181711u : 0x0f090807u;
    distances >>= is_late ? 16 : 0;
    distances >>= is_last ? 8 : 0;
    int from = bits_nth_index(set, pick - before), to = from + (int)(distances & 0xff) - 16;
    *own ^= UINT64_C(1) << from ^ UINT64_C(1) << to;
    wol_crank(own, other);
    return true;
}

/* The boards after a strategy's best move: the first, or the one after `n_skipped` as good as
 * `value`. `n_best` counts the best moves. */
typedef struct Best {
    uint64_t own, other;
    int      value;
    uint32_t n_best;
} Best;

INLINE Best search(uint64_t own, uint64_t other, int own_weight, int opponent_weight,
                          int least, uint32_t n_skipped)
{
    uint64_t empty = ~(own | other), left = own & wol_beside(empty), from = 0, targets = 0;
    Best     best = {own, other, least, 0};
    while (left | targets) {
        if (!targets) {
            from = left & -left;
            left ^= from;
            targets = wol_beside(from) & empty;
        }
        uint64_t to = targets & -targets, next_own = own ^ from ^ to, next_other = other;
        targets ^= to;
        wol_crank(&next_own, &next_other);
        int value = own_weight * bits_count(next_own) + opponent_weight * bits_count(next_other);
        bool is_better = value > best.value || (value == best.value && best.n_best == 0);
        best.n_best = is_better ? 1 : best.n_best + (value == best.value);
        best.value = is_better ? value : best.value;
        bool is_wanted = is_better || (value == best.value && best.n_best == n_skipped + 1);
        best.own = is_wanted ? next_own : best.own;
        best.other = is_wanted ? next_other : best.other;
    }
    return best;
}

INLINE bool strategy_ply(uint64_t *own, uint64_t *other, uint64_t *rng, int own_weight,
                                int opponent_weight, bool has_random_ties)
{
    Best best = search(*own, *other, own_weight, opponent_weight, -1000, 0);
    if (best.n_best == 0)
        return false;
    if (has_random_ties && best.n_best > 1) {
        TurfRng  stream = {*rng};
        uint32_t pick = rng_below(&stream, best.n_best);
        *rng = stream.state;
        if (pick > 0)
            best = search(*own, *other, own_weight, opponent_weight, best.value, pick);
    }
    *own = best.own;
    *other = best.other;
    return true;
}

INLINE bool ply(uint64_t *own, uint64_t *other, uint64_t *rng, int own_weight,
                       int opponent_weight, bool has_random_ties)
{
    if (!own_weight && !opponent_weight)
        return random_ply(own, other, rng);
    return strategy_ply(own, other, rng, own_weight, opponent_weight, has_random_ties);
}

/* ---- games -------------------------------------------------------------------------------- */

INLINE Seat seat_of(const WolRules *rules, uint64_t game)
{
    Seat     seat = {rules->blue, rules->red, 0, 0};
    uint64_t stream = rules->step * game + rules->offset;
    seat.blue_rng = rng_stream(rules->side_streams[0], stream).state;
    seat.red_rng = rng_stream(rules->side_streams[1], stream).state;
    if (!(seat.blue | seat.red)) {
        TurfRng  rng = rng_stream(rules->start_streams, game);
        WolState start = wol_random_start(&rng);
        seat.blue = start.pieces[0];
        seat.red = start.pieces[1];
    }
    return seat;
}

INLINE uint ending_of(uint64_t blue, uint64_t red, bool is_stuck)
{
    if (is_stuck)
        return TURF_STALEMATE;
    if (blue && red)
        return TURF_EXHAUSTED;
    if (blue)
        return TURF_WON_BY_FIRST;
    return red ? TURF_WON_BY_SECOND : TURF_DRAWN;
}

/* One round of a game. True: it is over, and counted. */
INLINE bool play_round(const WolRules *rules, Seat *seat, uint *n_moves, __local uint *bins)
{
    bool is_stuck = !ply(&seat->blue, &seat->red, &seat->blue_rng, rules->own_weight[0],
                         rules->opponent_weight[0], rules->has_random_ties[0]);
    *n_moves += !is_stuck;
    bool is_over = is_stuck || !seat->blue || !seat->red;
    if (!is_over) {
        is_stuck = !ply(&seat->red, &seat->blue, &seat->red_rng, rules->own_weight[1],
                        rules->opponent_weight[1], rules->has_random_ties[1]);
        *n_moves += !is_stuck;
        is_over = is_stuck || !seat->blue || !seat->red || *n_moves == WOL_LONGEST;
    }
    if (is_over)
        chunk_count(bins, ending_of(seat->blue, seat->red, is_stuck), *n_moves);
    return is_over;
}

/* All games of the group's chunk. `n_dealt` counts the games taken from the pool, where game i is
 * in place i % POOL. */
INLINE void play_chunk(const WolRules *rules, uint64_t first, uint n_games,
                              __local Seat *pool, __local uint *n_dealt, __local uint *bins)
{
    uint n_made = 0, n_moves = 0;
    bool is_playing = false;
    Seat seat = {0, 0, 0, 0};
    do {
        uint n_taken = min(*n_dealt, n_made), n_wanted = min(n_taken + POOL, n_games);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) == 0)
            *n_dealt = n_taken;
        for (uint i = n_made + get_local_id(0); i < n_wanted; i += GROUP)
            pool[i % POOL] = seat_of(rules, first + i);
        n_made = n_wanted;
        barrier(CLK_LOCAL_MEM_FENCE);
        uint n_rounds = n_made < n_games ? ROUNDS : ~0u; /* at last: to the end */
        for (uint round = 0; round < n_rounds; round++) {
            if (!is_playing) {
                uint next = atomic_inc(n_dealt);
                is_playing = next < n_made;
                if (is_playing)
                    seat = pool[next % POOL];
                else if (n_made == n_games)
                    n_rounds = 0;
                n_moves = 0;
            }
            if (is_playing)
                is_playing = !play_round(rules, &seat, &n_moves, bins);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    } while (n_made < n_games);
}

/* Kernels: each group plays its chunk, `n_games` games from `firsts` on. The first is for two random
 * players and knows it when it is compiled. */

INLINE void play(const WolRules *rules, __global const uint64_t *firsts,
                        __global const uint *n_games, __global uint *totals, __local Seat *pool,
                        __local uint *bins, __local uint *fields, __local uint *n_dealt)
{
    chunk_begin(bins, fields);
    if (get_local_id(0) == 0)
        *n_dealt = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    play_chunk(rules, firsts[get_group_id(0)], n_games[get_group_id(0)], pool, n_dealt, bins);
    chunk_end(bins, fields, totals);
}

KERNEL
wol_random(__global const uint64_t *firsts, __global const uint *n_games, __global uint *totals,
           WolRules given)
{
    SHARED Seat pool[POOL];
    SHARED uint bins[CHUNK_BINS], fields[CHUNK_FIELDS], n_dealt;
    WolRules     rules = given;
    for (int side = 0; side < 2; side++)
        rules.own_weight[side] = rules.opponent_weight[side] = 0;
    play(&rules, firsts, n_games, totals, pool, bins, fields, &n_dealt);
}

KERNEL
wol_strategies(__global const uint64_t *firsts, __global const uint *n_games,
               __global uint *totals, WolRules given)
{
    SHARED Seat pool[POOL];
    SHARED uint bins[CHUNK_BINS], fields[CHUNK_FIELDS], n_dealt;
    WolRules     rules = given;
    play(&rules, firsts, n_games, totals, pool, bins, fields, &n_dealt);
}
