/* The alpha-beta instance for Amoeba Wars on 8x8 that judges by a network. Compiled twice, for any
 * processor and for x86-64-v3; AB_NAME is its name. */
#include "search/alphabeta.h"
#include "search/amoeba_search.inc.h"
#include "search/aw_network.h"

#define AB_HOW "by the network"
#define AB_UNIT 32 /* of a point: the network's scale is 64, and a point is about half a logit */
#define APPLY(search, state, move) aw_small_apply_by(state, aw_small_cell(move), 0)
#define MEASURE(search, state, side) aw_network_measure((search)->network, state, side)
#define VALUE_WHEN_OVER(search, state, side) aw_network_value_when_over(state, side)
/* The hand-made evaluation orders moves nearly as well, for a tenth of the time: 0.615 against
 * ordering by the network (200 games at 20 ms). */
#define ORDER_SCORE(search, state, side) aw_small_measure(state, side, 0)
#define ORDERS_BY_MEASURE 0
#define REDUCE_FROM 4U
#include "search/alphabeta.inc.h"
