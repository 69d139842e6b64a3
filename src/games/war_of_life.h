/* War of Life: the rules, as inline functions over a plain value. The table of the game
 * (war_of_life.c), the kernels and the search all use these; nothing re-implements them. */
#ifndef TURF_GAMES_WAR_OF_LIFE_H
#define TURF_GAMES_WAR_OF_LIFE_H

#include "base/bits.h"
#include "base/rng.h"
#include "games/game.h"

enum {
    WOL_LONGEST = 250,    /* moves; then the game is exhausted */
    WOL_PIECES_EACH = 12, /* on a random start */
    WOL_MAX_MOVES = 210   /* pairs of neighbours: each allows at most one move */
};

typedef struct WolState {
    uint64_t pieces[2]; /* blue, red */
    uint32_t to_move;   /* a TurfSide */
    uint32_t moves_made;
} WolState;

#define WORD uint64_t
#define RULE(name) wol_##name
#include "games/wol_rules.inc.h"
#undef WORD
#undef RULE

/* A move is 64 * from + to: the numerical order is that of r1,c1,r2,c2. */
static inline TurfMove wol_move(int from, int to) { return (TurfMove)(64 * from + to); }

#ifndef TURF_DEVICE /* tables and measures are the processor's */

/* Bit distances of the eight directions, in the order of wol_movable. */
static const signed char wol_distance[8] = {-9, -8, -7, -1, 1, 7, 8, 9};

#endif

/* An action is 64 * direction + from: a bit of wol_movable's sets, one after the other. */
enum { WOL_N_ACTIONS = 8 * 64 };

static inline uint64_t wol_from(TurfMove move) { return UINT64_C(1) << (move / 64 & 63); }

static inline uint64_t wol_to(TurfMove move) { return UINT64_C(1) << (move & 63); }

static inline uint64_t wol_empty(const WolState *state)
{
    return ~(state->pieces[0] | state->pieces[1]);
}

/* The cells next to any cell of a set. */
static inline uint64_t wol_beside(uint64_t set)
{
    uint64_t row =
        (set & UINT64_C(0x7f7f7f7f7f7f7f7f)) << 1 | (set & UINT64_C(0xfefefefefefefefe)) >> 1;
    uint64_t band = set | row;
    return row | band << 8 | band >> 8;
}

static inline bool wol_can_move(const WolState *state)
{
    return (wol_beside(state->pieces[state->to_move]) & wol_empty(state)) != 0;
}

/* The endings that can be told from the number of pieces and moves. */
static inline bool wol_is_decided(const WolState *state, TurfEnding *ending)
{
    bool blue = state->pieces[TURF_FIRST] != 0, red = state->pieces[TURF_SECOND] != 0;
    if (blue && red && state->moves_made < WOL_LONGEST)
        return false;
    if (blue && red)
        *ending = TURF_EXHAUSTED;
    else if (blue || red)
        *ending = blue ? TURF_WON_BY_FIRST : TURF_WON_BY_SECOND;
    else
        *ending = TURF_DRAWN;
    return true;
}

/* Asked before each move, in the order of the rules. */
static inline bool wol_is_over(const WolState *state, TurfEnding *ending)
{
    if (wol_is_decided(state, ending))
        return true;
    *ending = TURF_STALEMATE;
    return !wol_can_move(state);
}

/* All moves of the side to move, in order; none of the other endings is looked at. */
static inline size_t wol_moves(const WolState *state, TurfMove *moves)
{
    size_t   n_moves = 0;
    uint64_t empty = wol_empty(state);
    for (uint64_t left = state->pieces[state->to_move]; left; left = bits_rest(left)) {
        int from = bits_lowest(left);
        for (uint64_t to = wol_beside(left & -left) & empty; to; to = bits_rest(to))
            moves[n_moves++] = wol_move(from, bits_lowest(to));
    }
    return n_moves;
}

/* A side that can make the move is not in a stalemate, and has a piece left. */
static inline bool wol_is_legal(const WolState *state, TurfMove move)
{
    uint64_t own = state->pieces[state->to_move], other = state->pieces[state->to_move ^ 1];
    uint64_t can_go = wol_beside(own & wol_from(move)) & ~(own | other);
    return move < 64 * 64 && (can_go & wol_to(move)) != 0 && other != 0 &&
           state->moves_made < WOL_LONGEST;
}

/* The piece moves; the crank has yet to turn. */
static inline void wol_slide(WolState *state, TurfMove move)
{
    state->pieces[state->to_move] ^= wol_from(move) | wol_to(move);
}

static inline void wol_turn_crank(WolState *state)
{
    wol_crank(&state->pieces[0], &state->pieces[1]);
}

static inline void wol_apply(WolState *state, TurfMove move)
{
    wol_slide(state, move);
    wol_turn_crank(state);
    state->to_move ^= 1;
    state->moves_made++;
}

static inline int wol_own(const WolState *state, TurfSide side)
{
    return bits_count(state->pieces[side]);
}

#ifndef TURF_DEVICE

/* A move drawn evenly from all of them, or false if there is none; `draw` is one random word. The
 * kernels draw in the same way on many boards at once, which is why it goes by direction and not
 * by the order of moves. */
static inline bool wol_draw_move(const WolState *state, uint64_t draw, TurfMove *move)
{
    uint64_t movable[8];
    uint32_t up_to[8], n_moves = 0; /* moves in the directions so far */
    wol_movable(state->pieces[state->to_move], wol_empty(state), movable);
    for (int d = 0; d < 8; d++)
        up_to[d] = n_moves += (uint32_t)bits_count(movable[d]);
    if (n_moves == 0)
        return false;

    uint32_t pick = rng_scale(draw, n_moves);
    int      direction = 0;
    for (int d = 0; d < 7; d++)
        direction += pick >= up_to[d];
    if (direction > 0)
        pick -= up_to[direction - 1];
    int from = bits_lowest(bits_nth(movable[direction], pick));
    *move = wol_move(from, from + wol_distance[direction]);
    return true;
}

#endif

/* The random start: 12 blue and 12 red pieces, every such board as likely as any other. A first
 * guess takes each cell with probability 24/64 and then each piece for blue with 1/2; random cells
 * are then added or taken away until the numbers are right. No step prefers one cell to another,
 * so given the numbers all boards are equally likely. It takes 9 draws on average, where placing
 * the pieces one after another takes 24. */
static inline WolState wol_random_start(TurfRng *rng)
{
    enum { TAKEN = 2 * WOL_PIECES_EACH };
    uint64_t taken = rng_next(rng);
    uint64_t either = rng_next(rng);
    taken &= either | rng_next(rng);
    for (uint32_t n; (n = (uint32_t)bits_count(taken)) != TAKEN;)
        taken ^= n > TAKEN ? bits_nth(taken, rng_below(rng, n))
                           : bits_nth(~taken, rng_below(rng, 64 - n));

    uint64_t blue = taken & rng_next(rng);
    for (uint32_t n; (n = (uint32_t)bits_count(blue)) != WOL_PIECES_EACH;)
        blue ^= n > WOL_PIECES_EACH ? bits_nth(blue, rng_below(rng, n))
                                    : bits_nth(taken & ~blue, rng_below(rng, TAKEN - n));
    return (WolState){.pieces = {blue, taken & ~blue}};
}

#ifndef TURF_DEVICE

/* ---- the measure ---------------------------------------------------------------------------- */

/* Static evaluation of War of Life: pieces now, pieces after the next crank, and mobility. */

/* The bits of the terms in the game's measure_terms. */
enum {
    WOL_WITHOUT_CRANK = 1,
    WOL_WITHOUT_MOBILITY = 2,
    WOL_WITHOUT_REDUCTIONS = 4,
    WOL_WITHOUT_NET = 8
};

static inline int wol_measure(const WolState *state, TurfSide side, unsigned without)
{
    uint64_t own = state->pieces[side], enemy = state->pieces[!side], empty = ~(own | enemy);
    int      value = GAME_UNIT * (bits_count(own) - bits_count(enemy));
    if (!(without & WOL_WITHOUT_CRANK)) {
        uint64_t next_own = own, next_enemy = enemy;
        wol_crank(&next_own, &next_enemy);
        value += 8 * (bits_count(next_own) - bits_count(next_enemy));
    }
    if (!(without & WOL_WITHOUT_MOBILITY))
        value += 4 * (bits_count(wol_beside(own) & empty) - bits_count(wol_beside(enemy) & empty));
    return value;
}

/* An early win is better, and so is a late loss. */
static inline int wol_value_when_over(const WolState *state, TurfSide side)
{
    TurfEnding ending = TURF_STALEMATE;
    (void)wol_is_decided(state, &ending);
    if (ending != TURF_WON_BY_FIRST && ending != TURF_WON_BY_SECOND)
        return 0;
    int value = GAME_WON - (int)state->moves_made;
    return (ending == TURF_WON_BY_FIRST) == (side == TURF_FIRST) ? value : -value;
}

#endif

#endif
