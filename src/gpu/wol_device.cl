/* War of Life on a device: games of the random player, of the strategies that look one move ahead
 * and of minimax with two, the same to the bit as those of the processor.
 *
 * A start takes a loop whose length depends on luck, and items of a warp wait for each other. So
 * starts are not made when a game ends: the whole group makes them now and then, into a pool in
 * local memory, and an item whose game is over takes the next one from there. A round is a move of
 * blue and a move of red, so that items which play different strategies do not wait for each other
 * all the time.
 *
 *   CAST    which players it is compiled for
 *   GROUP   items in a work-group
 *   POOL    starts in the pool, in all
 *   ROUNDS  rounds between two fillings; on average a game takes six */
#include "gpu/device_c.h"

#include "games/wol_gains.h"
#include "gpu/launch.h"

#include "gpu/chunk.inc.h"

/* A game to play, of the side to move and the other. */
typedef struct Seat {
    uint64_t own, other, own_rng, other_rng;
} Seat;

typedef enum Cast { TWO_RANDOM, TWO_STRATEGIES, ONE_RANDOM, WITH_MINIMAX } Cast;

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

    /* The direction, by halves. Both halves are read before one is chosen: a choice of which to
     * read would put them into memory. */
    bool     is_down = pick >= up_to[3];
    uint64_t four[4], two[2];
    uint32_t before = is_down ? up_to[3] : 0, limits[3];
#pragma unroll
    for (int d = 0; d < 4; d++) {
        uint64_t up = movable[d], down = movable[d + 4];
        four[d] = is_down ? down : up;
    }
#pragma unroll
    for (int d = 0; d < 3; d++) {
        uint32_t up = up_to[d], down = up_to[d + 4];
        limits[d] = is_down ? down : up;
    }
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

/* The move of a strategy that looks one move ahead: the first of the best, or any. */
INLINE bool strategy_ply(uint64_t *own, uint64_t *other, uint64_t *rng, const WolAim *aim,
                         bool has_random_ties)
{
    WolBest  best = wol_best(*own, *other, aim);
    uint32_t pick = 0;
    if (!best.any)
        return false;
    if (has_random_ties) {
        uint32_t n_best = wol_best_count(&best);
        if (n_best > 1) {
            TurfRng stream = {*rng};
            pick = rng_below(&stream, n_best);
            *rng = stream.state;
        }
    }
    *own ^= wol_best_nth(&best, pick);
    wol_crank(own, other);
    return true;
}

/* The boards after the first of the best moves by minimax, or after the one that follows
 * `n_skipped` as good as `value`. `n_best` counts the best moves. */
typedef struct Found {
    uint64_t own, other;
    int      value;
    uint32_t n_best;
} Found;

/* The value of a position for the side that has just moved: after the best reply, or as it is if
 * the game is over. */
INLINE int value_of(uint64_t own, uint64_t other, const WolAim *aim, bool is_last)
{
    WolAim  opposite = {aim->counts_other, aim->counts_own};
    WolBest reply = wol_best(other, own, &opposite);
    bool    is_over = is_last || !own || !other || !reply.any;
    int     now = bits_count(own & aim->counts_own) - bits_count(other & aim->counts_other);
    return is_over ? now : -reply.value;
}

INLINE Found search(uint64_t own, uint64_t other, const WolAim *aim, bool is_last, int least,
                    uint32_t n_skipped)
{
    uint64_t empty = ~(own | other), left = own & wol_beside(empty), from = 0, targets = 0;
    Found    found = {own, other, least, 0};
    while (left | targets) {
        if (!targets) {
            from = left & -left;
            left ^= from;
            targets = wol_beside(from) & empty;
        }
        uint64_t to = targets & -targets, next_own = own ^ from ^ to, next_other = other;
        targets ^= to;
        wol_crank(&next_own, &next_other);
        int  value = value_of(next_own, next_other, aim, is_last);
        bool is_better = value > found.value || (value == found.value && found.n_best == 0);
        found.n_best = is_better ? 1 : found.n_best + (value == found.value);
        found.value = is_better ? value : found.value;
        bool is_wanted = is_better || (value == found.value && found.n_best == n_skipped + 1);
        found.own = is_wanted ? next_own : found.own;
        found.other = is_wanted ? next_other : found.other;
    }
    return found;
}

INLINE bool minimax_ply(uint64_t *own, uint64_t *other, uint64_t *rng, const WolAim *aim,
                        bool has_random_ties, bool is_last)
{
    Found    found;
    int      least = -1000;
    uint32_t pick = 0;
    /* Once more, if it is not the first. */
#pragma unroll 1
    for (;;) {
        found = search(*own, *other, aim, is_last, least, pick);
        if (pick > 0 || !has_random_ties || found.n_best < 2)
            break;
        TurfRng stream = {*rng};
        pick = rng_below(&stream, found.n_best);
        *rng = stream.state;
        if (pick == 0)
            break;
        least = found.value;
    }
    *own = found.own;
    *other = found.other;
    return found.n_best > 0;
}

INLINE bool ply(Cast cast, const WolPlayer *player, Seat *seat, uint n_moves)
{
    WolAim aim = {player->counts_own, player->counts_other};
    if (cast == TWO_RANDOM || (cast != TWO_STRATEGIES && player->depth == 0))
        return random_ply(&seat->own, &seat->other, &seat->own_rng);
    if (cast != WITH_MINIMAX || player->depth == 1)
        return strategy_ply(&seat->own, &seat->other, &seat->own_rng, &aim,
                            player->has_random_ties);
    return minimax_ply(&seat->own, &seat->other, &seat->own_rng, &aim, player->has_random_ties,
                       n_moves + 1 == WOL_LONGEST);
}

/* ---- games -------------------------------------------------------------------------------- */

INLINE Seat seat_of(const WolRules *rules, uint64_t game)
{
    Seat     seat = {rules->blue, rules->red, 0, 0};
    uint64_t stream = rules->step * game + rules->offset;
    seat.own_rng = rng_stream(rules->side_streams[0], stream).state;
    seat.other_rng = rng_stream(rules->side_streams[1], stream).state;
    if (!(seat.own | seat.other)) {
        TurfRng  rng = rng_stream(rules->start_streams, game);
        WolState start = wol_random_start(&rng);
        seat.own = start.pieces[0];
        seat.other = start.pieces[1];
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

/* A move of a game. True: it is over, and counted. */
INLINE bool play_turn(const WolRules *rules, Cast cast, bool is_red, Seat *seat, uint *n_moves,
                      __local uint *bins)
{
    WolPlayer player = is_red ? rules->players[1] : rules->players[0];
    bool      is_stuck = !ply(cast, &player, seat, *n_moves);
    *n_moves += !is_stuck;
    bool is_over = is_stuck || !seat->own || !seat->other || *n_moves == WOL_LONGEST;
    Seat next = {seat->other, seat->own, seat->other_rng, seat->own_rng};
    if (is_over)
        chunk_count(bins,
                    is_red ? ending_of(next.own, next.other, is_stuck)
                           : ending_of(next.other, next.own, is_stuck),
                    *n_moves);
    *seat = next;
    return is_over;
}

/* Strategies all work in the same way, so items may be at the move of either side. */
INLINE bool play_round(const WolRules *rules, Cast cast, Seat *seat, uint *n_moves,
                       __local uint *bins)
{
    if (cast == TWO_STRATEGIES)
        return play_turn(rules, cast, *n_moves & 1, seat, n_moves, bins);
    if (cast == TWO_RANDOM)
        return play_turn(rules, cast, false, seat, n_moves, bins) ||
               play_turn(rules, cast, true, seat, n_moves, bins);
    bool is_over = false;
#pragma unroll 1
    for (uint side = 0; side < 2 && !is_over; side++)
        is_over = play_turn(rules, cast, side, seat, n_moves, bins);
    return is_over;
}

/* All games of the group's chunk. `n_dealt` counts the games taken from the pool, where game i is
 * in place i % POOL. */
INLINE void play_chunk(const WolRules *rules, Cast cast, uint64_t first, uint n_games,
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
        uint n_rounds = cast == TWO_STRATEGIES ? 2 * ROUNDS : ROUNDS;
        n_rounds = n_made < n_games ? n_rounds : ~0u; /* at last: to the end */
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
                is_playing = !play_round(rules, cast, &seat, &n_moves, bins);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    } while (n_made < n_games);
}

/* Each group plays its chunk, `n_games` games from `firsts` on. */
KERNEL
wol_games(__global const uint64_t *firsts, __global const uint *n_games, __global uint *totals,
          WolRules given)
{
    SHARED Seat pool[POOL];
    SHARED uint bins[CHUNK_BINS], fields[CHUNK_FIELDS], n_dealt;
    WolRules    rules = given;
    chunk_begin(bins, fields);
    if (get_local_id(0) == 0)
        n_dealt = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    play_chunk(&rules, CAST, firsts[get_group_id(0)], n_games[get_group_id(0)], pool, &n_dealt,
               bins);
    chunk_end(bins, fields, totals);
}
