/* The null-window search that the solver's threads run together. */
#ifndef TURF_SEARCH_SQUIRREL_SEARCH_H
#define TURF_SEARCH_SQUIRREL_SEARCH_H

#include "search/squirrel_node.h"
#include "search/squirrel_table.h"

enum { SW_BUSY_SLOTS = 1 << 12, SW_NO_SQUARE = -1 };

/* When to give up. */
typedef struct {
    const atomic_bool *stop;        /* the caller's wish, or NULL */
    int64_t            deadline_ns; /* on the monotonic clock; 0: none */
} SwLimits;

bool sw_is_limit_reached(const SwLimits *limits);

/* What all threads of a search share. */
typedef struct {
    SwBoard          board;
    SwTable          table;
    int              n_threads;
    atomic_bool      halt; /* give up the running test */
    SwLimits         limits;
    _Atomic uint64_t busy[SW_BUSY_SLOTS]; /* nodes some thread is searching */
} SwShared;

/* One thread's part. */
typedef struct {
    SwShared *shared;
    uint64_t  nodes;
    uint64_t  next_poll;   /* node count at which to look at clock and stop flag */
    int       best_square; /* of the node searched last; see sw_test */
    bool      aborted;     /* the last result is worthless */
} SwWorker;

/* Decides whether the node's value (mover minus opponent, final) is at least
 * beta: returns a proved lower bound >= beta if so, otherwise a proved upper
 * bound < beta. All values of a board have the parity of its total, and beta
 * must have it too. Leaves in worker->best_square a move that reaches the
 * bound if it is >= beta. With worker->aborted set the result means nothing. */
int sw_test(SwWorker *worker, const SwNode *node, int n_empty, int beta);

/* A guess at the node's value and best move, from looking six moves ahead:
 * some milliseconds, and 65 points off on average with 18 empty squares. */
int sw_guess(const SwBoard *board, const SwNode *node, int n_empty, int *square);

/* The best square by looking ever deeper with the estimate until the limits are reached, and its
 * value. */
int sw_advise(const SwBoard *board, const SwNode *node, int n_empty, const SwLimits *limits,
              int *value);

#endif
