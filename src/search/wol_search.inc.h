/* War of Life for alphabeta.inc.h and mcts.inc.h: what all its instances share. An instance adds
 * MEASURE, and what it does in its own way. */
#include "games/war_of_life.h"

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
#define VALUE_WHEN_OVER(search, state, side) wol_value_when_over(state, side)
#define ORDER_SCORE MEASURE
#define ORDERS_BY_MEASURE 1
#define REDUCE_FROM (worker->without & WOL_WITHOUT_REDUCTIONS ? WOL_MAX_MOVES : 4U)
