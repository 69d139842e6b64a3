/* The lookahead instance for War of Life, from the rules header. Compiled twice, for any processor
 * and for x86-64-v3; SEARCH is its name. */
#include "games/war_of_life.h"
#include "search/lookahead.h"

#include <limits.h>

LookaheadSearch SEARCH;

#define STATE WolState
#define MAX_MOVES WOL_MAX_MOVES
#define COPY(game, to, from) (*(to) = *(from))
#define APPLY(game, state, move) wol_apply(state, move)
#define MOVES(game, state, moves) wol_moves(state, moves)
#define IS_OVER(game, state, how) wol_is_over(state, how)
#define OWN(game, state, side) wol_own(state, side)
#define TO_MOVE(game, state) ((TurfSide)(state)->to_move)
#include "search/lookahead.inc.h"
