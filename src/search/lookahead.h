/* Looking a number of moves ahead with a measure of the board: what the course's strategies do. One
 * move ahead is bloodlust, self-preservation and land grab; two or more is minimax. */
#ifndef TURF_SEARCH_LOOKAHEAD_H
#define TURF_SEARCH_LOOKAHEAD_H

#include "turf.h"

#include <stdatomic.h>

enum { LOOKAHEAD_DEEPEST = 20, LOOKAHEAD_BEYOND = 1000000 };

typedef struct Lookahead {
    int  own_weight, opponent_weight; /* the measure: a weighted sum of what each side owns */
    int  depth;                       /* in moves, from 1 */
    bool wins_beyond;                 /* a won game is worth more than any measure, a drawn one 0 */

    int *values; /* gets what each move is worth, in the game's order; usually NULL, since that
                    takes longer */

    const atomic_bool *stop; /* when it is set nobody wants the answer any more, and it means
                                nothing; may be NULL */
} Lookahead;

typedef struct LookaheadResult {
    int      value; /* from the mover's side */
    size_t   n_best;
    uint64_t n_nodes; /* positions looked at */
} LookaheadResult;

/* The best moves of the side to move: all of them, in the game's order, or only the first. `best`
 * has room for all moves. */
typedef LookaheadResult LookaheadSearch(const TurfGame *game, const void *state,
                                        const Lookahead *plan, bool want_all, TurfMove *best);

/* Through the game table, for every game. */
LookaheadSearch lookahead_table;
/* The quickest there is for a game on this processor; all give the same results. */
LookaheadSearch *lookahead_for(const TurfGame *game);

#endif
