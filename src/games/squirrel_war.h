/* SquirrelWar: the rules, as inline functions over plain values. On 5x5, the game's own size and
 * the one that is fast and solved, squares are numbered 5 * row + column, A1 = 0, B1 = 1 ... E5 =
 * 24, and a set of squares is the low 25 bits of a word. */
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

/* A 5x5 position as batches of games keep it. */
typedef struct SwFive {
    SwState  board;
    SwValues values;
    uint8_t  unused[3];
} SwFive;

enum { SW_LEAST_SIZE = 2, SW_MAX_SIZE = 8, SW_MAX_SQUARES = SW_MAX_SIZE * SW_MAX_SIZE };

/* A position of the game: no padding is left undefined, so that equal ones compare equal. It begins
 * as an SwFive, and on 5x5 all that follows is 0: `board` and `values` are the whole position
 * there, for the rules in this header and the searches. On boards of other sizes squares are
 * numbered side * row + column up to 63; the low halves of the sets are in `board`, the high ones
 * in `high`, and values from the 25th on in `more`; the functions on SwPosition know that. */
typedef struct SwPosition {
    SwState  board;
    SwValues values;
    uint8_t  side; /* 0: 5x5 */
    uint8_t  unused[2];
    uint32_t high[2];
    uint8_t  more[40];
} SwPosition;

_Static_assert(sizeof(SwFive) == 40 && sizeof(SwPosition) == 88, "no hidden bytes");

static inline bool sw_is_five(const SwPosition *position) { return position->side == 0; }

static inline int sw_side(const SwPosition *position)
{
    return position->side ? position->side : SW_SIDE;
}

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

static inline bool sw_is_legal(const SwState *board, TurfMove move)
{
    return move < SW_SQUARES && !((board->pieces[0] | board->pieces[1]) >> move & 1);
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

/* ---- boards of any size -------------------------------------------------------------------- */

static inline int sw_value_at(const SwPosition *position, int square)
{
    return square < SW_SQUARES ? position->values.of[square] : position->more[square - SW_SQUARES];
}

static inline uint64_t sw_pieces(const SwPosition *position, unsigned side)
{
    return position->board.pieces[side] | (uint64_t)position->high[side] << 32;
}

static inline uint64_t sw_free_squares(const SwPosition *position)
{
    if (sw_is_five(position))
        return sw_empty(&position->board);
    int n_squares = position->side * position->side;
    return ~(sw_pieces(position, 0) | sw_pieces(position, 1)) &
           (n_squares < 64 ? (UINT64_C(1) << n_squares) - 1 : UINT64_MAX);
}

/* The squares that share an edge with a square. */
static inline uint64_t sw_around(const SwPosition *position, int square)
{
    int      side = sw_side(position), row = square / side, column = square % side;
    uint64_t bit = UINT64_C(1) << square;
    return (row > 0 ? bit >> side : 0) | (row < side - 1 ? bit << side : 0) |
           (column > 0 ? bit >> 1 : 0) | (column < side - 1 ? bit << 1 : 0);
}

static inline bool sw_raids(const SwPosition *position, int square)
{
    return (sw_around(position, square) & sw_pieces(position, position->board.to_move)) != 0;
}

/* As sw_taken. */
static inline uint64_t sw_loot(const SwPosition *position, int square)
{
    return sw_raids(position, square)
               ? sw_around(position, square) & sw_pieces(position, position->board.to_move ^ 1)
               : 0;
}

static inline void sw_play(SwPosition *position, int square)
{
    if (sw_is_five(position)) {
        sw_apply(&position->board, square);
        return;
    }
    unsigned own = position->board.to_move, enemy = own ^ 1;
    uint64_t taken = sw_loot(position, square), gained = taken | UINT64_C(1) << square;
    position->board.pieces[own] |= (uint32_t)gained;
    position->board.pieces[enemy] &= ~(uint32_t)taken;
    position->high[own] |= (uint32_t)(gained >> 32);
    position->high[enemy] &= ~(uint32_t)(taken >> 32);
    position->board.to_move = enemy;
}

static inline int sw_total(const SwPosition *position, uint64_t set)
{
    int sum = 0;
    for (; set; set = bits_rest(set))
        sum += sw_value_at(position, bits_lowest(set));
    return sum;
}

#endif
