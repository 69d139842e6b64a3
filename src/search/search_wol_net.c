/* The alpha-beta instance for War of Life that judges by a network. Compiled twice, for any
 * processor and for x86-64-v3; AB_NAME is its name. */
#include "search/alphabeta.h"
#include "search/wol_network.h"
#include "search/wol_search.inc.h"

#define AB_HOW "by the network"
#define MEASURE(search, state, side) wol_network_measure((search)->network, state, side)
/* Half a logit for each ply: 0.547 against none (300 games at 10 ms). */
#define FUTILITY_MARGIN 150
#define FUTILITY_MAX_DEPTH 4
#include "search/alphabeta.inc.h"
