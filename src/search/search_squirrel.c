/* Alpha-beta and MCTS instances for SquirrelWar, on the solver's normalised positions (SwNode), in
 * which settled squares are folded into a number. */
#include "base/rng.h"
#include "search/alphabeta.h"
#include "search/mcts.h"
#include "search/squirrel_estimate.h"

#include <math.h>
#include <string.h>

/* sw_estimate counts in 64ths of a point. Values here are in eighths, so that 25 squares of 99
 * points fit into 16 bits. */
enum { UNIT = 8 };

/* An SwNode does not say who moves; that follows from the number of empty squares. */
typedef struct Context {
    SwBoard  board;
    unsigned mover_when_even;
} Context;

static SwNode root_node(const SwPosition *position, Context *context)
{
    sw_board_init(&context->board, &position->values);
    context->mover_when_even =
        (position->board.to_move ^ (unsigned)sw_count(sw_empty(&position->board))) & 1;
    return sw_node_from_state(&context->board, &position->board);
}

static inline TurfSide mover(const Context *context, const SwNode *node)
{
    return (TurfSide)((unsigned)sw_count(node->empty) & 1U) ^ context->mover_when_even;
}

static inline int for_side(const Context *context, const SwNode *node, TurfSide side, int value)
{
    return mover(context, node) == side ? value : -value;
}

static inline int estimate(const Context *context, unsigned without, const SwNode *node,
                           TurfSide side)
{
    const SwBoard *board = &context->board;
    int            value = 0;
    if (without & SW_WITHOUT_CHANCES)
        value = UNIT *
                (node->settled + sw_board_sum(board, node->own) - sw_board_sum(board, node->enemy));
    else
        value = sw_estimate(board, node, sw_count(node->empty) & 1) * UNIT / SW_ESTIMATE_UNIT;
    return for_side(context, node, side, value);
}

static inline int order_score(const Context *context, const SwNode *node, TurfSide side)
{
    int value =
        sw_order_score(&context->board, node, sw_count(node->empty) & 1) * UNIT / SW_ESTIMATE_UNIT;
    return for_side(context, node, side, value);
}

static inline size_t node_moves(const SwNode *node, TurfMove *moves)
{
    size_t n_moves = 0;
    for (uint32_t left = node->empty; left; left &= left - 1)
        moves[n_moves++] = (TurfMove)sw_lowest(left);
    return n_moves;
}

static inline TurfMove random_move(const SwNode *node, TurfRng *rng)
{
    return (TurfMove)bits_lowest(
        bits_nth(node->empty, rng_below(rng, (uint32_t)sw_count(node->empty))));
}

#define AB_NAME ab_squirrel
#define AB_HOW "from the rules header"
#define AB_UNIT UNIT
#define STATE SwNode
#define MAX_MOVES SW_SQUARES
#define ROOT(search, state)                                                                        \
    Context context;                                                                               \
    *(state) = root_node((search)->root_state, &context);                                          \
    (search)->context = &context
#define COPY(search, to, from) (*(to) = *(from))
#define APPLY(search, state, move)                                                                 \
    (*(state) = sw_node_play(&((const Context *)(search)->context)->board, state, (int)(move)))
#define MOVES(search, state, moves) node_moves(state, moves)
#define IS_OVER(search, state) ((state)->empty == 0)
#define TO_MOVE(search, state) mover((search)->context, state)
#define KEY(search, state)                                                                         \
    tt_mix((uint64_t)(state)->empty << 32 | (state)->own,                                          \
           (uint64_t)(state)->enemy << 32 | (uint32_t)(state)->settled)
#define MEASURE(search, state, side) estimate((search)->context, (search)->without, state, side)
#define VALUE_WHEN_OVER(search, state, side)                                                       \
    for_side((search)->context, state, side, UNIT *(state)->settled)
#define ORDER_SCORE(search, state, side) order_score((search)->context, state, side)
#define ORDERS_BY_MEASURE 0
#define RANDOM_MOVE(search, state, rng) random_move(state, rng)
#define MCTS_NAME mcts_squirrel
#define REDUCE_FROM MAX_MOVES
#define PLAYOUT_MOVES 0
#define MCTS_SCALE 1000
#define MCTS_MINIMAX_WEIGHT 0.5F
#define MCTS_EXPLORATION 0.1F
#include "search/alphabeta.inc.h"
#include "search/mcts.inc.h"
