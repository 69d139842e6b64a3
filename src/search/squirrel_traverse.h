/* The SquirrelWar coursework's searches: greedy, minimax and alpha-beta to a cut-off depth, in the
 * order A1 B1 ... E5, with every visit written to a log. (The players use lookahead.h, which finds
 * the same moves faster and writes no log.) */
#ifndef TURF_SEARCH_SQUIRREL_TRAVERSE_H
#define TURF_SEARCH_SQUIRREL_TRAVERSE_H

#include "games/squirrel_war.h"

#include <stdio.h>

typedef enum SwAlgorithm { SW_GREEDY = 1, SW_MINIMAX = 2, SW_ALPHA_BETA = 3 } SwAlgorithm;

/* The first best square for the side to move, or -1 on a full board. `log` may be NULL. Greedy uses
 * neither log nor depth. Log lines end with `line_end`. */
int sw_traverse(const SwPosition *state, SwAlgorithm algorithm, int depth, FILE *log,
                const char *line_end);

#endif
