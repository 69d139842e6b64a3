/* Alpha-beta and MCTS instances for small boards of Amoeba Wars, from the rules header. Compiled
 * twice, for any processor and for x86-64-v3; AB_NAME and MCTS_NAME are their names. */
#include "base/rng.h"
#include "search/alphabeta.h"
#include "search/amoeba_search.inc.h"
#include "search/mcts.h"

#include <math.h>
#include <string.h>

static inline TurfMove random_move(const AwSmall *state, TurfRng *rng)
{
    int cell = aw_small_nth_feasible(
        state, rng_below(rng, state->header.n_feasible[state->header.to_move]));
    return aw_move(cell / 8, cell % 8);
}

#define AB_HOW "from the rules header"
#define AB_UNIT GAME_UNIT
#define APPLY(search, state, move) aw_small_apply(state, aw_small_cell(move))
#define MEASURE(search, state, side) aw_small_measure(state, side, (search)->without)
#define VALUE_WHEN_OVER(search, state, side) aw_value_when_over(&(state)->header, side)
#define ORDER_SCORE MEASURE
#define ORDERS_BY_MEASURE 1
#define RANDOM_MOVE(search, state, rng) random_move(state, rng)
#define REDUCE_FROM MAX_MOVES
#define PLAYOUT_MOVES 0
#define MCTS_SCALE 64
#define MCTS_MINIMAX_WEIGHT 0.5F
#define MCTS_EXPLORATION 0.3F
#include "search/alphabeta.inc.h"
#include "search/mcts.inc.h"
