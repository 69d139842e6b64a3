/* SquirrelWar: the rules, as inline functions over a plain value. Squares are numbered 5 * row +
 * column, A1 = 0, B1 = 1 ... E5 = 24, and a set of squares is the low 25 bits of a word. */
#ifndef TURF_GAMES_SQUIRREL_WAR_H
#define TURF_GAMES_SQUIRREL_WAR_H

#include "base/bits.h"
#include "turf.h"

enum { SW_SIDE = 5, SW_SQUARES = 25, SW_MAX_VALUE = 99 };

#define SW_ALL UINT32_C(0x1ffffff)
#define SW_COLUMN_A UINT32_C(0x0108421)
#define SW_COLUMN_E UINT32_C(0x1084210)

/* What each square is worth, 1 to 99. */
typedef struct SwValues {
    uint8_t of[SW_SQUARES];
} SwValues;

typedef struct SwState {
    uint32_t pieces[2]; /* X, O */
    uint32_t to_move;   /* a TurfSide */
} SwState;

/* A position of the game: no padding is left undefined, so that equal ones compare equal. */
typedef struct SwPosition {
    SwState  board;
    SwValues values;
    uint8_t  unused[3];
} SwPosition;

static inline uint32_t sw_bit(int square) { return UINT32_C(1) << square; }
static inline int      sw_lowest(uint32_t set) { return __builtin_ctz(set); }
static inline int      sw_count(uint32_t set) { return bits_count(set); }

/* The squares that share an edge with a square of the set. */
static inline uint32_t sw_beside(uint32_t set)
{
    return ((set & ~SW_COLUMN_E) << 1 | (set & ~SW_COLUMN_A) >> 1 | set << SW_SIDE |
            set >> SW_SIDE) &
           SW_ALL;
}

static inline uint32_t sw_empty(const SwState *board)
{
    return SW_ALL & ~(board->pieces[0] | board->pieces[1]);
}

static inline bool sw_is_raid(const SwState *board, int square)
{
    return (sw_beside(sw_bit(square)) & board->pieces[board->to_move]) != 0;
}

/* The enemy pieces that a move to the square takes: none if it is a sneak, and no chain. */
static inline uint32_t sw_taken(const SwState *board, int square)
{
    return sw_is_raid(board, square) ? sw_beside(sw_bit(square)) & board->pieces[board->to_move ^ 1]
                                     : 0;
}

static inline void sw_apply(SwState *board, int square)
{
    uint32_t taken = sw_taken(board, square);
    board->pieces[board->to_move] |= sw_bit(square) | taken;
    board->pieces[board->to_move ^ 1] &= ~taken;
    board->to_move ^= 1;
}

static inline int sw_sum(const SwValues *values, uint32_t set)
{
    int sum = 0;
    for (; set; set &= set - 1)
        sum += values->of[sw_lowest(set)];
    return sum;
}

#endif
