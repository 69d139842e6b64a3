/* The solver's representation of a SquirrelWar position: relative to the side
 * to move, and normalised, with everything settled folded into one number.
 *
 * Invariant: after sw_normalise every piece has an empty neighbour, and
 * positions that must have the same value are mostly the same node. */
#ifndef TURF_SEARCH_SQUIRREL_NODE_H
#define TURF_SEARCH_SQUIRREL_NODE_H

#include "games/squirrel_war.h"

/* Lookup tables, built once per board. The values of a set of squares are
 * summed with three reads. */
typedef struct {
    int16_t  sum[3][512];
    uint32_t touching[SW_SQUARES];
    int16_t  value[SW_SQUARES];
    int      total;
    uint8_t  bytes[32]; /* the values once more, for vectors */
} SwBoard;

/* Only live pieces (those with an empty neighbour) are kept: no other piece
 * can change colour or support a raid again. Values are final scores, mover
 * minus opponent. */
typedef struct {
    uint32_t empty;
    uint32_t own, enemy;
    int      settled; /* own minus enemy over the pieces dropped so far */
    int      open;    /* sum of every square still undecided (empty or live) */
} SwNode;

static inline int sw_board_sum(const SwBoard *board, uint32_t set)
{
    return board->sum[0][set & 511] + board->sum[1][set >> 9 & 511] + board->sum[2][set >> 18];
}

/* Squares by their number of empty neighbours. */
typedef struct {
    uint32_t some, one; /* at least one; exactly one */
} SwLiberties;

static inline SwLiberties sw_liberties(uint32_t empty)
{
    uint32_t    right = (empty & ~SW_COLUMN_E) << 1;
    uint32_t    left = (empty & ~SW_COLUMN_A) >> 1;
    uint32_t    up = (empty << SW_SIDE) & SW_ALL;
    uint32_t    down = empty >> SW_SIDE;
    uint32_t    several = (right & left) | (up & down) | ((right | left) & (up | down));
    SwLiberties liberties;
    liberties.some = right | left | up | down;
    liberties.one = liberties.some & ~several;
    return liberties;
}

static inline void sw_settle(const SwBoard *board, SwNode *node, uint32_t dead)
{
    int own = sw_board_sum(board, node->own & dead);
    int enemy = sw_board_sum(board, node->enemy & dead);
    node->settled += own - enemy;
    node->open -= own + enemy;
    node->own &= ~dead;
    node->enemy &= ~dead;
}

/* Settles what is decided and maps equivalent positions to one representative:
 *  - a piece without an empty neighbour is settled;
 *  - so are the pieces around a lone empty square that touch no other one and
 *    all have the same colour: no raid can ever turn them;
 *  - pieces of both colours whose only empty neighbour is the same square e:
 *    the side that plays e raids and takes them all, so their colours do not
 *    matter. The lowest becomes own and the others enemy. */
static inline void sw_normalise(const SwBoard *board, SwNode *node)
{
    SwLiberties liberties = sw_liberties(node->empty);
    uint32_t    pieces = node->own | node->enemy;
    uint32_t    dead = pieces & ~liberties.some;
    uint32_t    lone = node->empty & ~liberties.some;
    if (lone != 0)
        lone &= ~(sw_beside(node->own) & sw_beside(node->enemy));
    for (; lone != 0; lone &= lone - 1) {
        uint32_t around = board->touching[sw_lowest(lone)];
        if ((around & ~liberties.one) == 0)
            dead |= around;
    }
    if ((dead & pieces) != 0)
        sw_settle(board, node, dead);
    uint32_t own_one = node->own & liberties.one;
    uint32_t enemy_one = node->enemy & liberties.one;
    if (own_one == 0 || enemy_one == 0)
        return;
    uint32_t contested = node->empty & sw_beside(own_one) & sw_beside(enemy_one);
    for (; contested != 0; contested &= contested - 1) {
        uint32_t around = board->touching[sw_lowest(contested)];
        uint32_t group = around & (own_one | enemy_one);
        uint32_t lowest = group & (0u - group);
        node->own = (node->own & ~group) | lowest;
        node->enemy = (node->enemy | group) & ~lowest;
    }
}

static inline SwNode sw_node_play(const SwBoard *board, const SwNode *node, int square)
{
    uint32_t bit = sw_bit(square);
    uint32_t touching = board->touching[square];
    uint32_t taken = (node->own & touching) != 0 ? node->enemy & touching : 0;
    SwNode   child;
    child.empty = node->empty & ~bit;
    child.own = node->enemy & ~taken;
    child.enemy = node->own | taken | bit;
    child.settled = -node->settled;
    child.open = node->open;
    sw_normalise(board, &child);
    return child;
}

/* Dominance pruning. Lone empty squares whose pieces depend on no other square
 * are independent items, of which the largest is at least as good as any other
 * (swap the two in the rest of the game). Saves 3 % of the nodes. */
static inline uint32_t sw_undominated_moves(const SwBoard *board, const SwNode *node)
{
    SwLiberties liberties = sw_liberties(node->empty);
    uint32_t    pieces = node->own | node->enemy;
    uint32_t    items = node->empty & ~liberties.some & ~sw_beside(pieces & ~liberties.one);
    if ((items & (items - 1)) == 0)
        return node->empty;
    int      max = 0;
    uint32_t largest = 0;
    for (uint32_t left = items; left != 0; left &= left - 1) {
        int square = sw_lowest(left);
        int item = board->value[square] + sw_board_sum(board, board->touching[square] & pieces);
        if (item > max) {
            max = item;
            largest = sw_bit(square);
        }
    }
    return (node->empty & ~items) | largest;
}

void   sw_board_init(SwBoard *board, const SwValues *values);
SwNode sw_node_from_state(const SwBoard *board, const SwState *state);

#endif
