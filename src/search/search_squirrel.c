/* The searches for SquirrelWar, on the solver's picture of a position: what can no longer change is
 * out of it. */
#include "base/rng.h"
#include "search/alphabeta.h"
#include "search/mcts.h"
#include "search/squirrel_node.h"

#include <math.h>
#include <string.h>

/* The estimate is in 64ths of a point, a value here in eighths: 25 squares of 99 points fit. */
enum { UNIT = 8 };

/* What the searches know about the game at hand. The picture does not say who moves, only how many
 * squares are left. */
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
    int            value = without & SW_WITHOUT_CHANCES
                               ? UNIT * (node->settled + sw_board_sum(board, node->own) -
                              sw_board_sum(board, node->enemy))
                               : sw_estimate(board, node, sw_count(node->empty) & 1) * UNIT / SW_ESTIMATE_UNIT;
    return for_side(context, node, side, value);
}

static inline int promise(const Context *context, const SwNode *node, TurfSide side)
{
    int value =
        sw_promise(&context->board, node, sw_count(node->empty) & 1) * UNIT / SW_ESTIMATE_UNIT;
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
#define PROMISE(search, state, side) promise((search)->context, state, side)
#define RANDOM_MOVE(search, state, rng) random_move(state, rng)
#define MCTS_NAME mcts_squirrel
#define REDUCES_FROM MAX_MOVES
#define PLAYOUT_MOVES 0
#define MCTS_SPREAD 1000
#define MCTS_TRUST 0.5F
#define MCTS_CURIOSITY 0.1F
#include "search/alphabeta.inc.h"
#include "search/mcts.inc.h"
