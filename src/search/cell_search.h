/* AI Battleground: which cells to place, given what the opponent may be about to place. The
 * opponent's cells are guessed by playing its side the same way, and every cell of ours is worth
 * what it is worth against all guesses together. */
#ifndef TURF_SEARCH_CELL_SEARCH_H
#define TURF_SEARCH_CELL_SEARCH_H

#include "search/projection.h"

#include <stdatomic.h>

/* What the opponent may do: nothing; what is best for it if we do nothing; its best answer to what
 * is best for us if it does nothing; or its best answer to our answer to its plain plan. */
typedef enum Guess {
    GUESS_NOTHING,
    GUESS_PLAIN,
    GUESS_ANSWER,
    GUESS_SECOND_ANSWER,
    N_GUESSES
} Guess;

/* No more cells than fit into a bot's answer, which is a line of at most 64 KiB. */
enum { CELL_SEARCH_MAX_CELLS = 1000 };

typedef struct CellList {
    size_t   n_cells;
    TurfCell cells[CELL_SEARCH_MAX_CELLS];
} CellList;

/* When to stop, whichever comes first. */
typedef struct CellSearchLimits {
    int64_t            deadline_ns; /* 0: none */
    int64_t            n_nodes;     /* cells tried out */
    const atomic_bool *stop;        /* may be NULL */
} CellSearchLimits;

typedef struct CellSearchResult {
    CellList choice;
    CellList guesses[N_GUESSES];
    int64_t  n_nodes;
} CellSearchResult;

typedef struct CellSearch
    CellSearch; /* the memory of the search; its content does not outlast a call */

CellSearch *cell_search_new(void); /* NULL when memory is short */
void        cell_search_free(CellSearch *cell_search);

/* `trust` says how likely the guesses are, by any measure. The choice is legal whatever the limits:
 * with no time at all, it is nothing. */
void cell_search_choose(CellSearch *cell_search, const BgState *state, TurfSide side,
                        const int32_t trust[N_GUESSES], const CellSearchLimits *limits,
                        CellSearchResult *result);

#endif
