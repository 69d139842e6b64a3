/* The null-window search of the SquirrelWar solver (squirrel_search.c), and a
 * shallow search for first guesses (squirrel_shallow.c).
 *
 * Threads: all threads of a solver search the same root and share the table
 * and the `busy` slots (simplified ABDADA). */
#ifndef TURF_SEARCH_SQUIRREL_SEARCH_H
#define TURF_SEARCH_SQUIRREL_SEARCH_H

#include "search/squirrel_node.h"
#include "search/squirrel_table.h"

enum { SW_BUSY_SLOTS = 1 << 12, SW_NO_SQUARE = -1, SW_WORST = -2 * (SW_SQUARES * SW_MAX_VALUE) };

/* The moves of a node and where they lead. */
typedef struct {
    SwNode   node;
    SwBucket bucket;
    int      square;
    int      score; /* for move ordering; of the side making the move */
} SwChild;

typedef struct {
    SwChild child[SW_SQUARES];
    int     n;
} SwChildren;

/* Swaps the best-scored remaining child to index i. A node is usually refuted
 * by the first move or by none, so sorting them all would be wasted. */
static inline void sw_pick(SwChildren *children, int i)
{
    int pick = i;
    for (int j = i + 1; j < children->n; j++)
        if (children->child[j].score > children->child[pick].score)
            pick = j;
    SwChild chosen = children->child[pick];
    children->child[pick] = children->child[i];
    children->child[i] = chosen;
}

typedef struct {
    const atomic_bool *stop;        /* may be NULL */
    int64_t            deadline_ns; /* on the monotonic clock; 0: none */
} SwLimits;

bool sw_is_limit_reached(const SwLimits *limits);

/* Shared by all threads of a search. */
typedef struct {
    SwBoard          board;
    SwTable          table;
    int              n_threads;
    atomic_bool      halt; /* abort the current test */
    SwLimits         limits;
    _Atomic uint64_t busy[SW_BUSY_SLOTS]; /* nodes being searched by some thread */
} SwShared;

/* The state of one thread. */
typedef struct {
    SwShared *shared;
    uint64_t  nodes;
    uint64_t  next_poll;   /* node count at which to check the limits */
    int       best_square; /* of the last node searched; see SwTest */
    bool      aborted;     /* the last result is meaningless */
} SwWorker;

/* Null-window test: is the node's value (mover minus opponent, final) at least
 * beta? Returns a proved lower bound >= beta if so, otherwise a proved upper
 * bound < beta. All values of a board have the parity of its total, and so
 * must beta. If the bound is >= beta, worker->best_square is a move that
 * reaches it. The result is meaningless if worker->aborted. */
typedef int SwTest(SwWorker *worker, const SwNode *node, int n_empty, int beta);

/* The same search, node by node, for any processor and for x86-64-v3. */
SwTest sw_test_portable, sw_test_v3;
/* The one for this processor. */
SwTest *sw_test_fastest(void);

/* Estimates value and best move by a search to depth 6. Takes some
 * milliseconds; with 18 empty squares it is 65 points off on average. */
int sw_guess(const SwBoard *board, const SwNode *node, int n_empty, int *square);

/* The best square and its value by iterative deepening with the static evaluation, until the limits
 * are reached. */
int sw_advise(const SwBoard *board, const SwNode *node, int n_empty, const SwLimits *limits,
              int *value);

#endif
