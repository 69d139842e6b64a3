/* Alpha-beta and MCTS instances for War of Life, from the rules header. Compiled twice, for any
 * processor and for x86-64-v3; AB_NAME and MCTS_NAME are their names. */
#include "search/alphabeta.h"
#include "search/mcts.h"
#include "games/war_of_life.h"

#include <math.h>
#include <string.h>

static inline TurfMove random_move(const WolState *state, TurfRng *rng)
{
    TurfMove move = 0;
    (void)wol_draw_move(state, rng_next(rng), &move);
    return move;
}

#define AB_HOW "from the rules header"
#define AB_UNIT GAME_UNIT
#define STATE WolState
#define MAX_MOVES WOL_MAX_MOVES
#define ROOT(search, state) memcpy(state, (search)->root_state, sizeof *(state))
#define COPY(search, to, from) (*(to) = *(from))
#define APPLY(search, state, move) wol_apply(state, move)
#define MOVES(search, state, moves) wol_moves(state, moves)
#define IS_OVER(search, state) wol_is_over(state, &(TurfEnding){0})
#define TO_MOVE(search, state) ((TurfSide)(state)->to_move)
#define KEY(search, state)                                                                         \
    tt_mix(tt_mix((state)->pieces[0], (state)->pieces[1]),                                         \
           (uint64_t)(state)->moves_made << 1 | (state)->to_move)
#define MEASURE(search, state, side) wol_measure(state, side, (search)->without)
#define VALUE_WHEN_OVER(search, state, side) wol_value_when_over(state, side)
#define ORDER_SCORE MEASURE
#define ORDERS_BY_MEASURE 1
#define RANDOM_MOVE(search, state, rng) random_move(state, rng)
#define REDUCE_FROM (worker->without & WOL_WITHOUT_REDUCTIONS ? WOL_MAX_MOVES : 4U)
#define PLAYOUT_MOVES 4
#define MCTS_SCALE 128
#define MCTS_MINIMAX_WEIGHT 0.5F
#define MCTS_EXPLORATION 0.3F
#include "search/alphabeta.inc.h"
#include "search/mcts.inc.h"
