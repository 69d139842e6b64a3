/* Fixed-depth minimax with a weighted piece count: the course's strategies. Depth 1 is bloodlust,
 * self-preservation and land grab; depth 2 or more is minimax. */
#ifndef TURF_SEARCH_LOOKAHEAD_H
#define TURF_SEARCH_LOOKAHEAD_H

#include "turf.h"

#include <stdatomic.h>

enum { LOOKAHEAD_MAX_DEPTH = 20, LOOKAHEAD_WIN = 1000000 };

typedef struct Lookahead {
    int  own_weight, opponent_weight; /* the measure: weighted sum of both sides' pieces */
    int  depth;                       /* in plies, from 1 */
    bool wins_beyond; /* a win is worth LOOKAHEAD_WIN, a draw 0; otherwise a finished game counts by
                         the measure */

    int *values; /* if not NULL, gets the exact value of every move, in the game's order (slower) */

    const atomic_bool *stop; /* set to abort; the result is then meaningless. May be NULL */
} Lookahead;

typedef struct LookaheadResult {
    int      value; /* for the side to move */
    size_t   n_best;
    uint64_t n_nodes; /* positions visited */
} LookaheadResult;

/* Finds the best move: the first in the game's order, or with want_all every move of the best
 * value, in that order. `best` has room for TURF_MAX_MOVES. */
typedef LookaheadResult LookaheadSearch(const TurfGame *game, const void *state,
                                        const Lookahead *plan, bool want_all, TurfMove *best);

/* Works for every game, through the game table. */
LookaheadSearch lookahead_table;
/* The fastest instance for a game on this processor; all give the same results. */
LookaheadSearch *lookahead_for(const TurfGame *game);

#endif
