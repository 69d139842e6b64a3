/* The searches through the game table, for every game. They know no game: its measure, its moves
 * and its endings come from the table, with the defaults of games.c. */
#include "base/rng.h"
#include "search/alphabeta.h"
#include "search/mcts.h"

#include <math.h>
#include <string.h>

static TurfMove table_random_move(const TurfGame *game, const void *state, TurfRng *rng)
{
    TurfMove moves[TURF_MAX_MOVES];
    if (game->random_move)
        return game->random_move(state, rng);
    size_t n_moves = game->moves(state, moves);
    return moves[rng_below(rng, (uint32_t)n_moves)];
}

#define AB_NAME ab_table
#define AB_HOW "through the game table"
#define AB_UNIT GAME_UNIT
#define STATE TurfState
#define MAX_MOVES TURF_MAX_MOVES
#define ROOT(search, state) memcpy(state, (search)->root_state, (search)->game->state_size)
#define COPY(search, to, from) memcpy(to, from, (search)->game->state_size)
#define APPLY(search, state, move) (search)->game->apply(state, move)
#define MOVES(search, state, to) (search)->game->moves(state, to)
#define IS_OVER(search, state) (search)->game->is_over(state, &(TurfEnding){0})
#define TO_MOVE(search, state) ((TurfSide)(search)->game->to_move(state))
#define KEY(search, state) (search)->game->hash(state)
#define MEASURE(search, state, side) game_measure((search)->game, state, side, (search)->without)
#define VALUE_WHEN_OVER(search, state, side) game_value_when_over((search)->game, state, side)
#define ORDER_SCORE MEASURE
#define ORDERS_BY_MEASURE 0
#define RANDOM_MOVE(search, state, rng) table_random_move((search)->game, state, rng)
#define REDUCE_FROM MAX_MOVES
#define PLAYOUT_MOVES 0
#define MCTS_NAME mcts_table
#define MCTS_SCALE 64
#define MCTS_MINIMAX_WEIGHT 0.5F
#define MCTS_EXPLORATION 0.3F
#include "search/alphabeta.inc.h"
#include "search/mcts.inc.h"
