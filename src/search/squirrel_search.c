/* Null-window search with enhanced transposition cut-offs (children are probed before any is
 * searched), exact values at the end, and simplified ABDADA between threads. Figures in comments
 * are node counts or times on random boards.
 *
 * Compiled twice, for any processor and for x86-64-v3; SEARCH is the name. */
#include "search/squirrel_search.h"

#include "search/squirrel_estimate.h"

enum {
    /* Below 4 empty squares the exact value costs less than probing for a bound. It also makes
     * stronger bounds above. Static bounds, and the table from 3 on, took 7 % more instructions;
     * exact values from 4 on 40 %. */
    SW_TABLE_MIN = 4,
    /* From here on a node is probed again when it is entered. Its parent has
     * just probed it; in small subtrees little has changed since. */
    SW_RECHECK_MIN = 10,
    /* Smallest subtree in which threads avoid each other's work. */
    SW_SHARE_MIN = 8,
    SW_POLL_NODES = 1 << 12 /* about 2 ms */
};

/* A node's best bound so far and the move that gives it. */
typedef struct {
    int value, square;
} SwBest;

/* Counts a node; true if the search must be aborted. */
static inline bool enter(SwWorker *worker)
{
    SwShared *shared = worker->shared;
    if (++worker->nodes >= worker->next_poll) {
        worker->next_poll = worker->nodes + SW_POLL_NODES;
        if (sw_is_limit_reached(&shared->limits))
            atomic_store_explicit(&shared->halt, true, memory_order_relaxed);
    }
    if (atomic_load_explicit(&shared->halt, memory_order_relaxed))
        worker->aborted = true;
    return worker->aborted;
}

/* Conversion between a value and the mover's share of the open squares, in which the table's bounds
 * are stored. */
static inline int share_of(const SwNode *node, int value)
{
    return (value - node->settled + node->open) / 2;
}

static inline int value_of(const SwNode *node, int share)
{
    return 2 * share - node->open + node->settled;
}

/* The exact value of a position with few empty squares. */
static int solve_endgame(SwWorker *worker, const SwNode *node, int n)
{
    const SwBoard *board = &worker->shared->board;
    worker->nodes++;
    if (n == 1) {
        /* Any live pieces are of both colours: the mover raids them all. */
        worker->best_square = sw_lowest(node->empty);
        return node->settled + node->open;
    }
    SwBest best = {SW_WORST, SW_NO_SQUARE};
    for (uint32_t left = sw_undominated_moves(board, node); left != 0; left &= left - 1) {
        int    square = sw_lowest(left);
        SwNode child = sw_node_play(board, node, square);
        int value = n == 2 ? -(child.settled + child.open) : -solve_endgame(worker, &child, n - 1);
        if (value > best.value)
            best = (SwBest){value, square};
    }
    worker->best_square = best.square;
    return best.value;
}

/* Records a move's proved value; true if it is a cut-off. */
static inline bool improve(SwBest *best, int value, int square, int beta)
{
    if (value > best->value)
        *best = (SwBest){value, square};
    return value >= beta;
}

static void generate(const SwShared *shared, const SwNode *node, SwChildren *children)
{
    children->n = 0;
    for (uint32_t left = sw_undominated_moves(&shared->board, node); left != 0; left &= left - 1) {
        SwChild *child = &children->child[children->n++];
        child->square = sw_lowest(left);
        child->node = sw_node_play(&shared->board, node, child->square);
    }
}

/* The same, with enhanced transposition cut-offs: leaves out the children that the table decides.
 * True if one of them is a cut-off, where it stops; half of all nodes end here. */
static bool generate_undecided(const SwShared *shared, const SwNode *node, int beta,
                               SwChildren *children, SwBest *best)
{
    const SwTable *table = &shared->table;
    uint32_t       moves = sw_undominated_moves(&shared->board, node);
    SwBucket       buckets[SW_SQUARES];
    int            share = 0;
    for (uint32_t left = moves; left != 0; left &= left - 1) {
        int square = sw_lowest(left);
        buckets[square] = sw_table_bucket(table, node->empty & ~sw_bit(square));
        sw_table_prefetch(buckets[square]);
    }
    children->n = 0;
    for (uint32_t left = moves; left != 0; left &= left - 1) {
        int      square = sw_lowest(left);
        SwChild *child = &children->child[children->n];
        child->node = sw_node_play(&shared->board, node, square);
        int goal = share_of(&child->node, 2 - beta);
        if (sw_table_decides(table, buckets[square], child->node.own, goal, &share)) {
            if (improve(best, -value_of(&child->node, share), square, beta))
                return true;
        } else {
            child->square = square;
            child->bucket = buckets[square];
            children->n++;
        }
    }
    return false;
}

static uint64_t busy_id(const SwNode *node) { return (uint64_t)node->empty << 25 | node->own; }

static _Atomic uint64_t *busy_slot(SwShared *shared, uint64_t id)
{
    return &shared->busy[id * UINT64_C(0x9E3779B97F4A7C15) >> 52];
}

static int test_node(SwWorker *worker, const SwNode *node, SwBucket bucket, int n, int beta);

static int test_child(SwWorker *worker, const SwChild *child, int n, int beta)
{
    if (n < SW_TABLE_MIN)
        return -solve_endgame(worker, &child->node, n);
    return -test_node(worker, &child->node, child->bucket, n, 2 - beta);
}

/* Searches the children in order of score, without regard to other threads. */
static void search_alone(SwWorker *worker, SwChildren *children, int n, int beta, SwBest *best)
{
    for (int i = 0; i < children->n; i++) {
        sw_pick(children, i);
        const SwChild *child = &children->child[i];
        int            value = test_child(worker, child, n - 1, beta);
        if (worker->aborted || improve(best, value, child->square, beta))
            return;
    }
}

/* The same while other threads may be at this node (simplified ABDADA): a child
 * that another thread is searching is deferred, and often in the table when
 * its turn comes. The first move is deferred only if it does not look like a
 * refutation; if it does, the other moves are probably not needed. */
static void search_shared(SwWorker *worker, SwChildren *children, int n, int beta, SwBest *best)
{
    SwShared *shared = worker->shared;
    int       n_deferred = 0, share = 0;
    for (int i = 0; i < children->n; i++) {
        sw_pick(children, i);
        const SwChild    *child = &children->child[i];
        uint64_t          id = busy_id(&child->node);
        _Atomic uint64_t *slot = busy_slot(shared, id);
        bool              may_defer = i > 0 || child->score < beta * SW_ESTIMATE_UNIT;
        if (may_defer && atomic_load_explicit(slot, memory_order_relaxed) == id) {
            children->child[n_deferred++] = *child;
            continue;
        }
        atomic_store_explicit(slot, id, memory_order_relaxed);
        int value = test_child(worker, child, n - 1, beta);
        if (atomic_load_explicit(slot, memory_order_relaxed) == id)
            atomic_store_explicit(slot, 0, memory_order_relaxed);
        if (worker->aborted || improve(best, value, child->square, beta))
            return;
    }
    for (int i = 0; i < n_deferred; i++) {
        const SwChild *child = &children->child[i];
        int            goal = share_of(&child->node, 2 - beta);
        int            value;
        if (sw_table_decides(&shared->table, child->bucket, child->node.own, goal, &share))
            value = -value_of(&child->node, share);
        else
            value = test_child(worker, child, n - 1, beta);
        if (worker->aborted || improve(best, value, child->square, beta))
            return;
    }
}

static int expand(SwWorker *worker, const SwNode *node, SwBucket bucket, int n, int beta)
{
    SwShared  *shared = worker->shared;
    SwBest     best = {SW_WORST, SW_NO_SQUARE};
    SwChildren children;
    bool       done = false;
    if (n > SW_TABLE_MIN)
        done = generate_undecided(shared, node, beta, &children, &best);
    else
        generate(shared, node, &children);
    if (!done) {
        for (int i = 0; i < children.n; i++) {
            SwChild *child = &children.child[i];
            child->score = -sw_order_score(&shared->board, &child->node, (n & 1) == 0);
        }
        if (shared->n_threads > 1 && n > SW_SHARE_MIN)
            search_shared(worker, &children, n, beta, &best);
        else
            search_alone(worker, &children, n, beta, &best);
        if (worker->aborted)
            return 0;
    }
    /* A covering bound may come from a node with more open value than the
     * child's, and be weaker than the trivial one. */
    int min = node->settled - node->open;
    best.value = best.value < min ? min : best.value;
    uint32_t needed = node->own;
    if (best.value >= beta) {
        /* A raid recolours all it touches, so the proof needs only one of the
         * own pieces there. Saves 5 % of the nodes. */
        uint32_t supporters = needed & shared->board.touching[best.square];
        needed &= ~(supporters & (supporters - 1));
    }
    sw_table_store(&shared->table, bucket, needed, best.value < beta, share_of(node, best.value));
    worker->best_square = best.square;
    return best.value;
}

static int test_node(SwWorker *worker, const SwNode *node, SwBucket bucket, int n, int beta)
{
    if (enter(worker))
        return 0;
    int share = 0;
    if (n >= SW_RECHECK_MIN &&
        sw_table_decides(&worker->shared->table, bucket, node->own, share_of(node, beta), &share))
        return value_of(node, share);
    return expand(worker, node, bucket, n, beta);
}

int SEARCH(SwWorker *worker, const SwNode *node, int n, int beta)
{
    worker->aborted = false;
    worker->best_square = SW_NO_SQUARE;
    if (n == 0)
        return node->settled;
    if (n < SW_TABLE_MIN)
        return solve_endgame(worker, node, n);
    if (enter(worker))
        return 0;
    return expand(worker, node, sw_table_bucket(&worker->shared->table, node->empty), n, beta);
}
