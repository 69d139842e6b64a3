/* Forced wins in War of Life: the shortest one, or a proof that there is none within a number of
 * plies. A forced win leaves the attacker with pieces and the other side with none, whatever the
 * other side does; draws of every kind are no win.
 *
 * Invariant: plies, moves and line depend on the position and the plan alone, not on the number of
 * threads, the size of the table or earlier searches. */
#ifndef TURF_SEARCH_WOL_WIN_H
#define TURF_SEARCH_WOL_WIN_H

#include "games/war_of_life.h"

#include <stdatomic.h>

enum { WOL_WIN_MAX_PLIES = WOL_LONGEST };

typedef struct WolWinSolver WolWinSolver;

/* The result, also of a search that was stopped. */
typedef struct WolWin {
    int  plies;       /* of the shortest forced win; 0: none was found */
    int  refuted;     /* proved: there is none within this many plies */
    bool is_complete; /* not stopped */
    /* Every first move that wins in that many plies, in the game's order; none if the attacker is
     * not to move. Of a search that was stopped, those found by then. */
    TurfMove moves[WOL_MAX_MOVES];
    size_t   n_moves;
    /* The win, with the replies that delay it most; the first in the game's order at each ply.
     * Shorter if the search was stopped. */
    TurfMove line[WOL_WIN_MAX_PLIES];
    int      line_length;
    uint64_t nodes;
    double   seconds;
} WolWin;

typedef struct WolWinPlan {
    TurfSide           attacker;    /* the side that is to win; it need not be to move */
    int                max_plies;   /* of both sides, from 1 on */
    bool               skip_line;   /* find no line */
    const atomic_bool *stop;        /* set to stop the search; may be NULL */
    int64_t            deadline_ns; /* on the monotonic clock; 0: none */
    /* Called from the calling thread after each length that was refuted; may be NULL. */
    void (*progress)(void *context, const WolWin *so_far);
    void *context;
} WolWinPlan;

/* A solver keeps what it has proved in a table of at most n_bytes (at least one entry), for later
 * searches too. NULL if out of memory. */
WolWinSolver *wol_win_solver_new(size_t n_bytes, int n_threads);
void          wol_win_solver_free(WolWinSolver *solver);

/* Searches a position; one that is over has no forced win. True if the search was not stopped. */
bool wol_win_search(WolWinSolver *solver, const WolState *state, const WolWinPlan *plan,
                    WolWin *win);

#endif
