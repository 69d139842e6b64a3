/* AI Battleground: which cells to place. Both sides place at once, so the search predicts the
 * opponent's cells in several ways (iterated best responses) and maximises the weighted sum of
 * its gains over these scenarios, cell by cell. */
#ifndef TURF_SEARCH_CELL_SEARCH_H
#define TURF_SEARCH_CELL_SEARCH_H

#include "search/projection.h"

#include <stdatomic.h>

/* Predictions of the opponent's cells. */
typedef enum Guess {
    GUESS_NOTHING,       /* it places nothing */
    GUESS_PLAIN,         /* its best cells if we place nothing */
    GUESS_ANSWER,        /* its best response to our best cells against GUESS_NOTHING */
    GUESS_SECOND_ANSWER, /* its best response to our best response to GUESS_PLAIN */
    N_GUESSES
} Guess;

/* As many cells as fit into a bot's answer, a line of at most 64 KiB. */
enum { CELL_SEARCH_MAX_CELLS = 1000 };

typedef struct CellList {
    size_t   n_cells;
    TurfCell cells[CELL_SEARCH_MAX_CELLS];
} CellList;

/* The search stops at the first limit reached. */
typedef struct CellSearchLimits {
    int64_t            deadline_ns; /* 0: none */
    int64_t            n_nodes;     /* maximum number of cells evaluated */
    const atomic_bool *stop;        /* may be NULL */
} CellSearchLimits;

typedef struct CellSearchResult {
    CellList choice;
    CellList guesses[N_GUESSES];
    int64_t  n_nodes;
} CellSearchResult;

/* Working memory, to be reused from turn to turn. It carries no state between calls. */
typedef struct CellSearch CellSearch;

CellSearch *cell_search_new(void); /* NULL if out of memory */
void        cell_search_free(CellSearch *search);

/* `weights` says how likely each guess is, on any scale. The choice is always legal; if the limits
 * leave no time at all it is empty. */
void cell_search_choose(CellSearch *search, const BgState *state, TurfSide side,
                        const int32_t weights[N_GUESSES], const CellSearchLimits *limits,
                        CellSearchResult *result);

#endif
