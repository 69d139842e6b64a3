/* The table-driven instance of the lookahead, for every game, and the choice of a faster one. */
#include "search/lookahead.h"

#include "base/cpu.h"
#include "games/game.h"

#include <limits.h>
#include <string.h>

#define SEARCH lookahead_table
#define STATE TurfState
#define MAX_MOVES TURF_MAX_MOVES
#define COPY(game, to, from) memcpy(to, from, (game)->state_size)
#define APPLY(game, state, move) (game)->apply(state, move)
#define MOVES(game, state, moves) (game)->moves(state, moves)
#define IS_OVER(game, state, how) (game)->is_over(state, how)
#define OWN(game, state, side) (game)->own(state, side)
#define TO_MOVE(game, state) ((TurfSide)(game)->to_move(state))
#include "search/lookahead.inc.h"

LookaheadSearch lookahead_wol_portable;
#ifdef TURF_X86_KERNELS
LookaheadSearch lookahead_wol_v3;
#endif

LookaheadSearch *lookahead_for(const TurfGame *game)
{
    if (game != &war_of_life)
        return lookahead_table;
#ifdef TURF_X86_KERNELS
    if (cpu_has_v3())
        return lookahead_wol_v3;
#endif
    return lookahead_wol_portable;
}
