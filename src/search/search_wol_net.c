/* The alpha-beta instance for War of Life that judges by a network. Compiled twice, for any
 * processor and for x86-64-v3; AB_NAME is its name. */
#include "search/alphabeta.h"
#include "search/wol_network.h"

#define AB_HOW "by the network"
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
#define MEASURE(search, state, side) wol_network_measure((search)->network, state, side)
#define VALUE_WHEN_OVER(search, state, side) wol_value_when_over(state, side)
#define ORDER_SCORE MEASURE
#define ORDERS_BY_MEASURE 1
#define REDUCE_FROM (worker->without & WOL_WITHOUT_REDUCTIONS ? WOL_MAX_MOVES : 4U)
/* Half a logit for each ply: 0.547 against none (300 games at 10 ms). */
#define FUTILITY_MARGIN 150
#define FUTILITY_MAX_DEPTH 4
#include "search/alphabeta.inc.h"
