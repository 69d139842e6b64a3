/* War of Life: which moves are best by a count of pieces after the crank, all moves at once.
 *
 * A move takes a neighbour from some cells and gives one to others, and changes nothing elsewhere.
 * What such a change is worth is the same for every move, so it is found once for each cell; a move
 * is worth the sum over the cells that it changes. Sums of all moves in one direction are numbers
 * in columns of bits: bit i of the number of every cell is one word.
 *
 * Around a piece that goes east, . is a cell that keeps its number of neighbours, - loses one and +
 * gains one; beside it the same for south-east:
 *
 *     - . . +          - - - .
 *     - F T +          - F . +
 *     - . . +          - . T +
 *                      . + + +
 *
 * Only bitwise operators and shifts by constants are used until the largest sum is searched for. */
#ifndef TURF_GAMES_WOL_GAINS_H
#define TURF_GAMES_WOL_GAINS_H

#include "games/war_of_life.h"

/* What a move is judged by, as sets of no cell or all: the mover's pieces after the crank, less the
 * opponent's. */
typedef struct WolAim {
    uint64_t counts_own, counts_other;
} WolAim;

/* A number for every cell, from -8 to 7. */
typedef struct WolNumbers {
    uint64_t bit[4];
} WolNumbers;

/* The best moves by direction, each as the cell it leaves. */
typedef struct WolBest {
    uint64_t from[8]; /* in the order of wol_movable */
    uint64_t any;     /* of any direction; none: there is no move */
    int      value;
} WolBest;

/* ---- sets that have moved by one cell ----------------------------------------------------- */

/* For every cell, whether its neighbour in the west or east is in a set. North and south are shifts
 * by 8. */
static inline uint64_t wol_west(uint64_t set) { return (set & UINT64_C(0x7f7f7f7f7f7f7f7f)) << 1; }

static inline uint64_t wol_east(uint64_t set) { return (set & UINT64_C(0xfefefefefefefefe)) >> 1; }

static inline WolNumbers wol_numbers_north(WolNumbers n)
{
    return (WolNumbers){{n.bit[0] << 8, n.bit[1] << 8, n.bit[2] << 8, n.bit[3] << 8}};
}

static inline WolNumbers wol_numbers_south(WolNumbers n)
{
    return (WolNumbers){{n.bit[0] >> 8, n.bit[1] >> 8, n.bit[2] >> 8, n.bit[3] >> 8}};
}

static inline WolNumbers wol_numbers_west(WolNumbers n)
{
    return (WolNumbers){
        {wol_west(n.bit[0]), wol_west(n.bit[1]), wol_west(n.bit[2]), wol_west(n.bit[3])}};
}

static inline WolNumbers wol_numbers_east(WolNumbers n)
{
    return (WolNumbers){
        {wol_east(n.bit[0]), wol_east(n.bit[1]), wol_east(n.bit[2]), wol_east(n.bit[3])}};
}

/* ---- sums --------------------------------------------------------------------------------- */

static inline uint64_t wol_majority(uint64_t a, uint64_t b, uint64_t c)
{
    return (a & b) | ((a | b) & c);
}

static inline WolNumbers wol_sum(WolNumbers a, WolNumbers b)
{
    uint64_t carry_1 = a.bit[0] & b.bit[0];
    uint64_t carry_2 = wol_majority(a.bit[1], b.bit[1], carry_1);
    uint64_t carry_3 = wol_majority(a.bit[2], b.bit[2], carry_2);
    return (WolNumbers){{a.bit[0] ^ b.bit[0], a.bit[1] ^ b.bit[1] ^ carry_1,
                         a.bit[2] ^ b.bit[2] ^ carry_2, a.bit[3] ^ b.bit[3] ^ carry_3}};
}

/* How many of three `ups` a cell is in, less how many of three `downs`. */
static inline WolNumbers wol_sum_of_three(uint64_t up, uint64_t up_2, uint64_t up_3, uint64_t down,
                                          uint64_t down_2, uint64_t down_3)
{
    uint64_t ups_1 = up ^ up_2 ^ up_3, ups_2 = wol_majority(up, up_2, up_3);
    uint64_t downs_1 = down ^ down_2 ^ down_3, downs_2 = wol_majority(down, down_2, down_3);
    uint64_t borrow = ~ups_1 & downs_1, sign = wol_majority(~ups_2, downs_2, borrow);
    return (WolNumbers){{ups_1 ^ downs_1, ups_2 ^ downs_2 ^ borrow, sign, sign}};
}

/* For each direction, the sum over the neighbours of a cell that have no neighbour in common with
 * the next cell in that direction, which are on the far side, plus what the cell itself is worth.
 * A cell of `up` counts 1, of `down` -1. */
static inline void wol_sum_behind(uint64_t up, uint64_t down, WolNumbers itself,
                                  WolNumbers behind[8])
{
    uint64_t   up_south = up >> 8, down_south = down >> 8;
    WolNumbers row =
        wol_sum_of_three(wol_west(up), up, wol_east(up), wol_west(down), down, wol_east(down));
    WolNumbers column = wol_sum_of_three(up << 8, up, up_south, down << 8, down, down_south);
    WolNumbers pair = wol_sum_of_three(up, up_south, 0, down, down_south, 0);
    WolNumbers above = wol_sum(wol_numbers_north(row), itself),
               below = wol_sum(wol_numbers_south(row), itself);
    WolNumbers west = wol_numbers_west(pair), east = wol_numbers_east(pair);
    behind[0] = wol_sum(below, wol_numbers_north(east));
    behind[1] = below;
    behind[2] = wol_sum(below, wol_numbers_north(west));
    behind[3] = wol_sum(wol_numbers_east(column), itself);
    behind[4] = wol_sum(wol_numbers_west(column), itself);
    behind[5] = wol_sum(above, east);
    behind[6] = above;
    behind[7] = wol_sum(above, west);
}

/* ---- what a change is worth --------------------------------------------------------------- */

/* The cells with so many neighbours. */
typedef struct WolNeighbours {
    uint64_t one, two, three, four;       /* in all */
    uint64_t one_own, two_own, three_own; /* of the mover, or more; with four in all */
} WolNeighbours;

static inline WolNeighbours wol_neighbours(uint64_t own, uint64_t all)
{
    WolNeighbours n;
    uint64_t      left = wol_west(all), right = wol_east(all);
    uint64_t      sides_1 = left ^ right, sides_2 = left & right;
    uint64_t      row_1 = sides_1 ^ all, row_2 = sides_2 | (sides_1 & all);
    uint64_t      above_1 = row_1 << 8, above_2 = row_2 << 8;
    uint64_t      below_1 = row_1 >> 8, below_2 = row_2 >> 8;
    uint64_t      is_odd = above_1 ^ below_1 ^ sides_1;
    /* The four carries of weight 2, and how many there are. */
    uint64_t carry = wol_majority(above_1, below_1, sides_1);
    uint64_t twos_1 = above_2 ^ below_2 ^ sides_2, twos_2 = wol_majority(above_2, below_2, sides_2);
    uint64_t one_pair = (twos_1 ^ carry) & ~twos_2, no_pair = ~(twos_1 | carry | twos_2);
    uint64_t two_pairs = (twos_1 & carry & ~twos_2) | (twos_2 & ~twos_1 & ~carry);
    n.one = no_pair & is_odd;
    n.two = one_pair & ~is_odd;
    n.three = one_pair & is_odd;
    n.four = two_pairs & ~is_odd;

    left = wol_west(own);
    right = wol_east(own);
    sides_1 = left ^ right;
    sides_2 = left & right;
    row_1 = sides_1 ^ own;
    row_2 = sides_2 | (sides_1 & own);
    above_1 = row_1 << 8;
    above_2 = row_2 << 8;
    below_1 = row_1 >> 8;
    below_2 = row_2 >> 8;
    is_odd = above_1 ^ below_1 ^ sides_1;
    carry = wol_majority(above_1, below_1, sides_1);
    uint64_t any_two = above_2 | below_2 | sides_2, more = wol_majority(above_2, below_2, sides_2);
    n.two_own = any_two | carry;
    n.one_own = n.two_own | is_odd;
    n.three_own = (n.two_own & is_odd) | more | (any_two & carry);
    return n;
}

/* What the places are worth that a piece leaves or goes to: 1 on some cells, and on others 1 for
 * either aim. */
static inline void wol_of_place(const WolAim *aim, uint64_t own, uint64_t both, uint64_t *ones,
                                uint64_t *twos)
{
    *ones = (aim->counts_own & own) | ((aim->counts_own ^ aim->counts_other) & both);
    *twos = aim->counts_own & aim->counts_other & both;
}

static inline uint64_t wol_change(const WolAim *aim, uint64_t own, uint64_t other)
{
    return (aim->counts_own & own) | (aim->counts_other & other);
}

/* What moves in each direction gain over no move, in five bits. */
static inline void wol_gains(uint64_t own, uint64_t other, const WolNeighbours *n,
                             const WolAim *aim, uint64_t gains[8][5])
{
    uint64_t empty = ~(own | other), ones, twos;
    uint64_t born_own = empty & n->three & n->two_own, born_other = empty & n->three & ~n->two_own;
    WolNumbers from[8], to[8];

    /* A cell loses a neighbour: two are too few, four no longer too many. */
    uint64_t up =
        wol_change(aim, n->four & (own | (empty & n->three_own)), (n->two & other) | born_other);
    uint64_t down =
        wol_change(aim, (n->two & own) | born_own, n->four & (other | (empty & ~n->three_own)));
    /* The piece leaves its cell: with three neighbours nothing is born there, with two a piece of
     * the side that has two with the mover's new one. */
    wol_of_place(aim, n->three, n->two & ~n->one_own, &ones, &twos);
    WolNumbers lost = {{ones, ones | twos, ones | twos, ones | twos}};
    wol_sum_behind(up, down, lost, from);

    /* A cell gains a neighbour: one is enough then, and three are too many. */
    up = wol_change(aim, (n->one & own) | (n->two & empty & n->one_own),
                    (n->three & other) | born_other);
    down = wol_change(aim, (n->three & own) | born_own,
                      (n->one & other) | (n->two & empty & ~n->one_own));
    /* The piece goes to an empty cell, and stays if there are two or three others. */
    wol_of_place(aim, n->four, n->three & ~n->two_own, &ones, &twos);
    WolNumbers won = {{ones, twos, 0, 0}};
    wol_sum_behind(up, down, won, to);

#define GAINS(direction, MOVED)                                                                    \
    do {                                                                                           \
        const uint64_t *a = from[direction].bit, *b = to[7 - (direction)].bit;                     \
        uint64_t        b0 = b[0] MOVED, b1 = b[1] MOVED, b2 = b[2] MOVED, b3 = b[3] MOVED;        \
        uint64_t        carry_1 = a[0] & b0, carry_2 = wol_majority(a[1], b1, carry_1);            \
        uint64_t        carry_3 = wol_majority(a[2], b2, carry_2);                                 \
        gains[direction][0] = a[0] ^ b0;                                                           \
        gains[direction][1] = a[1] ^ b1 ^ carry_1;                                                 \
        gains[direction][2] = a[2] ^ b2 ^ carry_2;                                                 \
        gains[direction][3] = a[3] ^ b3 ^ carry_3;                                                 \
        /* The sign, turned: the least number has all bits clear. */                               \
        gains[direction][4] = ~(a[3] ^ b3 ^ wol_majority(a[3], b3, carry_3));                      \
    } while (0)
    GAINS(0, << 9);
    GAINS(1, << 8);
    GAINS(2, << 7);
    GAINS(3, << 1);
    GAINS(4, >> 1);
    GAINS(5, >> 7);
    GAINS(6, >> 8);
    GAINS(7, >> 9);
#undef GAINS
}

/* ---- the best ----------------------------------------------------------------------------- */

/* The best moves of the side of `own`. The sum's bits are decided from the highest on: if a move
 * that is still in has it set, those that have not are out. */
static inline WolBest wol_best(uint64_t own, uint64_t other, const WolAim *aim)
{
    WolNeighbours n = wol_neighbours(own, own | other);
    uint64_t      gains[8][5], empty = ~(own | other), kept = n.two | n.three;
    uint64_t      born = empty & n.three;
    WolBest       best;
    wol_gains(own, other, &n, aim, gains);
    wol_movable(own, empty, best.from);
    /* Without a move, and as much less as the least number is. */
    best.value = bits_count(aim->counts_own & ((own & kept) | (born & n.two_own))) -
                 bits_count(aim->counts_other & ((other & kept) | (born & ~n.two_own))) - 16;
#ifdef TURF_DEVICE
#pragma unroll
#endif
    for (int bit = 4; bit >= 0; bit--) {
        uint64_t set = 0;
#ifdef TURF_DEVICE
#pragma unroll
#endif
        for (int d = 0; d < 8; d++)
            set |= best.from[d] & gains[d][bit];
        uint64_t undecided = set ? 0 : ~UINT64_C(0);
        best.value += set ? 1 << bit : 0;
#ifdef TURF_DEVICE
#pragma unroll
#endif
        for (int d = 0; d < 8; d++)
            best.from[d] &= gains[d][bit] | undecided;
    }
    best.any = 0;
#ifdef TURF_DEVICE
#pragma unroll
#endif
    for (int d = 0; d < 8; d++)
        best.any |= best.from[d];
    return best;
}

/* The targets of the best moves of one piece. */
static inline uint64_t wol_best_targets(const WolBest *best, uint64_t piece)
{
    return (best->from[0] & piece) >> 9 | (best->from[1] & piece) >> 8 |
           (best->from[2] & piece) >> 7 | (best->from[3] & piece) >> 1 |
           (best->from[4] & piece) << 1 | (best->from[5] & piece) << 7 |
           (best->from[6] & piece) << 8 | (best->from[7] & piece) << 9;
}

static inline uint32_t wol_best_count(const WolBest *best)
{
    int n_moves = 0;
#ifdef TURF_DEVICE
#pragma unroll
#endif
    for (int d = 0; d < 8; d++)
        n_moves += bits_count(best->from[d]);
    return (uint32_t)n_moves;
}

/* Best move number `pick`, in the order of moves: the two cells that change. There are more. */
static inline uint64_t wol_best_nth(const WolBest *best, uint32_t pick)
{
    uint64_t left = best->any;
    for (;; left = bits_rest(left)) {
        uint64_t piece = left & -left, targets = wol_best_targets(best, piece);
        uint32_t n_targets = (uint32_t)bits_count(targets);
        if (pick < n_targets) {
            for (; pick > 0; pick--)
                targets = bits_rest(targets);
            return piece | (targets & -targets);
        }
        pick -= n_targets;
    }
}

#endif
