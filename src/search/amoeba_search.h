/* The null-window search of Amoeba Wars' solver, and what its threads share. */
#ifndef TURF_SEARCH_AMOEBA_SEARCH_H
#define TURF_SEARCH_AMOEBA_SEARCH_H

#include "search/amoeba_node.h"
#include "search/amoeba_solver.h"
#include "search/amoeba_table.h"

enum { AS_BUSY = 1 << 12, AS_MAX_CHILDREN = 1 << 16, AS_MAX_VALUE = 3 * AS_MAX_CELLS };

struct AsSolver {
    AsBoard          board;
    AsTable          table;
    bool             is_prepared; /* the table is about this board and rules */
    int              n_threads;
    _Atomic uint64_t busy[AS_BUSY];
};

/* The position after a turn. */
typedef struct AsChild {
    AsNode   node; /* reduced once it has been looked up */
    uint64_t key;
    int16_t  gain, score;
    uint8_t  n_path, path[AS_MAX_TURN];
} AsChild;

typedef struct AsWorker {
    AsSolver        *solver;
    const AsOptions *options;
    atomic_bool     *halt; /* another thread has settled the test, or a limit was reached */
    bool             is_aborted;
    uint64_t         nodes, next_poll;
    uint32_t         history[2][2][AS_MAX_CELLS]; /* of cut-offs: side, kill, cell */
    AsChild         *children;                    /* of the sorted turns on the way, a stack */
    size_t           n_children;
    /* The test of the root. */
    const AsNode *root;
    unsigned      side;
    int           moves_left, beta, value;
    AsFact        best;
} AsWorker;

/* The value of the end of a game, whose last mover has gained so much and is stuck. */
static inline int as_value_when_stuck(const AsBoard *board, int gain)
{
    return board->is_stuck_lost ? -1 : gain;
}

/* Tests whether the root's gain is at least beta: a function of a thread, whose argument is an
 * AsWorker. Sets `halt` when it has settled that; is_aborted if another one was faster. */
void *as_test_root(void *worker);

#endif
