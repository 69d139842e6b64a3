/* Null-window search with enhanced transposition cut-offs (children are probed
 * before any is searched), static bounds near the end, and simplified ABDADA
 * between threads. Figures in comments are node counts or times on random
 * boards. */
#include "search/squirrel_search.h"

#include "base/clock.h"

enum {
    /* Below 3 empty squares proving a bound costs less than probing for it;
     * with 5 instead of 3 the search took 14 % longer. */
    SW_TABLE_MIN = 3,
    /* Up to here the static bounds of the children are tight enough to pay. */
    SW_BOUNDS_MAX = 4,
    /* From here on a node is probed again when it is entered. Its parent has
     * just probed it; in small subtrees little has changed since. */
    SW_RECHECK_MIN = 10,
    /* Smallest subtree in which threads avoid each other's work. */
    SW_SHARE_MIN = 8,
    SW_POLL_NODES = 1 << 12, /* about 2 ms */
    SW_WORST = -2 * (SW_SQUARES * SW_MAX_VALUE)
};

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

/* A node's best bound so far and the move that gives it. */
typedef struct {
    int value, square;
} SwBest;

bool sw_is_limit_reached(const SwLimits *limits)
{
    return (limits->stop != NULL && atomic_load_explicit(limits->stop, memory_order_relaxed)) ||
           (limits->deadline_ns != 0 && clock_ns() >= limits->deadline_ns);
}

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

/* sw_test for the last few squares, without the table. */
static int test_endgame(SwWorker *worker, const SwNode *node, int n, int beta)
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
        int      square = sw_lowest(left);
        SwNode   child = sw_node_play(board, node, square);
        SwBounds bounds = sw_static_bounds(board, &child);
        int      value = -bounds.upper;
        if (value < beta && -bounds.lower < beta)
            value = -bounds.lower;
        else if (value < beta)
            value = -test_endgame(worker, &child, n - 1, 2 - beta);
        if (value > best.value) {
            best = (SwBest){value, square};
            if (value >= beta)
                break;
        }
    }
    worker->best_square = best.square;
    return best.value;
}

static void generate(const SwShared *shared, const SwNode *node, bool with_buckets,
                     SwChildren *children)
{
    children->n = 0;
    for (uint32_t left = sw_undominated_moves(&shared->board, node); left != 0; left &= left - 1) {
        SwChild *child = &children->child[children->n++];
        child->square = sw_lowest(left);
        child->node = sw_node_play(&shared->board, node, child->square);
        if (with_buckets) {
            child->bucket = sw_table_bucket(&shared->table, child->node.empty);
            sw_table_prefetch(child->bucket);
        }
    }
}

/* Records a move's proved value; true if it is a cut-off. */
static inline bool improve(SwBest *best, int value, int square, int beta)
{
    if (value > best->value)
        *best = (SwBest){value, square};
    return value >= beta;
}

/* Enhanced transposition cut-off: removes the children that the table decides.
 * Half of all nodes end here. */
static bool prune_by_table(const SwShared *shared, SwChildren *children, int beta, SwBest *best)
{
    int kept = 0, share;
    for (int i = 0; i < children->n; i++) {
        const SwChild *child = &children->child[i];
        int            goal = share_of(&child->node, 2 - beta);
        if (sw_table_decides(&shared->table, child->bucket, child->node.own, goal, &share)) {
            if (improve(best, -value_of(&child->node, share), child->square, beta))
                return true;
        } else {
            if (i != kept)
                children->child[kept] = *child;
            kept++;
        }
    }
    children->n = kept;
    return false;
}

/* Removes the children that static bounds decide. */
static bool prune_by_bounds(const SwShared *shared, SwChildren *children, int beta, SwBest *best)
{
    int kept = 0;
    for (int i = 0; i < children->n; i++) {
        const SwChild *child = &children->child[i];
        SwBounds       bounds = sw_static_bounds(&shared->board, &child->node);
        if (-bounds.upper >= beta || -bounds.lower < beta) {
            int value = -bounds.upper >= beta ? -bounds.upper : -bounds.lower;
            if (improve(best, value, child->square, beta))
                return true;
        } else {
            if (i != kept)
                children->child[kept] = *child;
            kept++;
        }
    }
    children->n = kept;
    return false;
}

/* Swaps the best-scored remaining child to index i. A node is usually refuted
 * by the first move or by none, so sorting them all would be wasted. */
static void pick(SwChildren *children, int i)
{
    int pick = i;
    for (int j = i + 1; j < children->n; j++)
        if (children->child[j].score > children->child[pick].score)
            pick = j;
    SwChild chosen = children->child[pick];
    children->child[pick] = children->child[i];
    children->child[i] = chosen;
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
        return -test_endgame(worker, &child->node, n, 2 - beta);
    return -test_node(worker, &child->node, child->bucket, n, 2 - beta);
}

/* Searches the children in order of score, without regard to other threads. */
static void search_alone(SwWorker *worker, SwChildren *children, int n, int beta, SwBest *best)
{
    for (int i = 0; i < children->n; i++) {
        pick(children, i);
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
    int       n_deferred = 0, share;
    for (int i = 0; i < children->n; i++) {
        pick(children, i);
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
    bool       tabled = n > SW_TABLE_MIN;
    generate(shared, node, tabled, &children);
    bool done = tabled && prune_by_table(shared, &children, beta, &best);
    if (!done && n <= SW_BOUNDS_MAX)
        done = prune_by_bounds(shared, &children, beta, &best);
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
    int share;
    if (n >= SW_RECHECK_MIN &&
        sw_table_decides(&worker->shared->table, bucket, node->own, share_of(node, beta), &share))
        return value_of(node, share);
    return expand(worker, node, bucket, n, beta);
}

int sw_test(SwWorker *worker, const SwNode *node, int n, int beta)
{
    worker->aborted = false;
    worker->best_square = SW_NO_SQUARE;
    if (n == 0)
        return node->settled;
    if (n < SW_TABLE_MIN)
        return test_endgame(worker, node, n, beta);
    if (enter(worker))
        return 0;
    return expand(worker, node, sw_table_bucket(&worker->shared->table, node->empty), n, beta);
}

/* ---- shallow search with the static evaluation -------------------------------------------- */
typedef struct {
    const SwBoard *board;
    SwLimits       limits;
    uint64_t       nodes;
    bool           is_aborted;
} ShallowSearch;

static bool must_stop(ShallowSearch *shallow)
{
    enum { POLL_NODES = 1024 };
    if (++shallow->nodes % POLL_NODES == 0 && sw_is_limit_reached(&shallow->limits))
        shallow->is_aborted = true;
    return shallow->is_aborted;
}

/* Plain alpha-beta to a fixed depth; values in SW_ESTIMATE_UNITs. */
static int search_shallow(ShallowSearch *shallow, const SwNode *node, int n, int depth, int alpha,
                          int beta)
{
    if (n == 0)
        return node->settled * SW_ESTIMATE_UNIT;
    if (depth == 0)
        return sw_estimate(shallow->board, node, (n & 1) != 0);
    if (must_stop(shallow))
        return 0;
    SwChildren children;
    children.n = 0;
    for (uint32_t left = node->empty; left != 0; left &= left - 1) {
        SwChild *child = &children.child[children.n++];
        child->square = sw_lowest(left);
        child->node = sw_node_play(shallow->board, node, child->square);
        child->score = -sw_order_score(shallow->board, &child->node, (n & 1) == 0);
    }
    int best = SW_WORST * SW_ESTIMATE_UNIT;
    for (int i = 0; i < children.n && best < beta; i++) {
        pick(&children, i);
        int above = best > alpha ? best : alpha;
        int value =
            -search_shallow(shallow, &children.child[i].node, n - 1, depth - 1, -beta, -above);
        best = value > best ? value : best;
    }
    return best;
}

/* The best square by a search to a fixed depth, trying `first` first; SW_NO_SQUARE if the limits
 * were reached. */
static int shallow_best(ShallowSearch *shallow, const SwNode *node, int n, int depth, int first,
                        int *value)
{
    int      limit = -SW_WORST * SW_ESTIMATE_UNIT, best = -limit, square = SW_NO_SQUARE;
    uint32_t left = node->empty;
    while (left != 0) {
        int    move = first != SW_NO_SQUARE && (left >> first & 1) != 0 ? first : sw_lowest(left);
        SwNode child = sw_node_play(shallow->board, node, move);
        int    value_of_child = -search_shallow(shallow, &child, n - 1, depth - 1, -limit, -best);
        if (shallow->is_aborted)
            return SW_NO_SQUARE;
        if (value_of_child > best) {
            best = value_of_child;
            square = move;
        }
        left &= ~sw_bit(move);
    }
    *value = square == SW_NO_SQUARE ? node->settled : best / SW_ESTIMATE_UNIT;
    return square;
}

int sw_guess(const SwBoard *board, const SwNode *node, int n, int *square)
{
    enum { DEPTH = 6 };
    ShallowSearch shallow = {.board = board};
    int           value = node->settled;
    *square = shallow_best(&shallow, node, n, DEPTH, SW_NO_SQUARE, &value);
    return value;
}

int sw_advise(const SwBoard *board, const SwNode *node, int n, const SwLimits *limits, int *value)
{
    ShallowSearch shallow = {.board = board};
    int           square = SW_NO_SQUARE;
    for (int depth = 1; depth <= n; depth++) {
        int deeper = shallow_best(&shallow, node, n, depth, square, value);
        if (deeper == SW_NO_SQUARE)
            break;
        square = deeper;
        shallow.limits = *limits; /* depth 1 is always completed */
    }
    return square;
}
