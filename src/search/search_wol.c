/* Alpha-beta and MCTS instances for War of Life, from the rules header. Compiled twice, for any
 * processor and for x86-64-v3; AB_NAME and MCTS_NAME are their names. */
#include "search/alphabeta.h"
#include "search/mcts.h"
#include "search/wol_search.inc.h"

#include <math.h>
#include <string.h>

static inline TurfMove random_move(const WolState *state, TurfRng *rng)
{
    TurfMove move = 0;
    (void)wol_draw_move(state, rng_next(rng), &move);
    return move;
}

#define AB_HOW "from the rules header"
#define MEASURE(search, state, side) wol_measure(state, side, (search)->without)
#define RANDOM_MOVE(search, state, rng) random_move(state, rng)
#define PLAYOUT_MOVES 4
#define MCTS_SCALE 128
#define MCTS_MINIMAX_WEIGHT 0.5F
#define MCTS_EXPLORATION 0.3F
#include "search/alphabeta.inc.h"
#include "search/mcts.inc.h"
