#include "search/squirrel_search.h"

#include "base/clock.h"

enum {
    /* Below 3 empty squares a bound costs less to prove than to look up. From 5
     * on instead of 3 took 14 % more time. */
    SW_TABLE_MIN = 3,
    /* Static bounds of the children: tight enough to pay up to here. */
    SW_BOUNDS_MAX = 4,
    /* From here on, a node looks itself up again. Its parent just did so for
     * all its children, and in small subtrees little has changed since. */
    SW_RECHECK_MIN = 10,
    /* Smallest subtree that threads keep out of each other's way in. */
    SW_SHARE_MIN = 8,
    SW_POLL_NODES = 1 << 12, /* about 2 ms */
    SW_WORST = -2 * (SW_SQUARES * SW_MAX_VALUE)
};

typedef struct {
    SwNode   node;
    SwBucket place;
    int      square;
    int      promise; /* for the side making the move */
} SwChild;

typedef struct {
    SwChild child[SW_SQUARES];
    int     n;
} SwChildren;

/* The best bound so far for a node and the move that gives it. */
typedef struct {
    int value, square;
} SwBest;

bool sw_is_limit_reached(const SwLimits *limits)
{
    return (limits->stop != NULL && atomic_load_explicit(limits->stop, memory_order_relaxed)) ||
           (limits->deadline_ns != 0 && clock_ns() >= limits->deadline_ns);
}

/* Counts a node; true if the search has to be abandoned. */
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

static inline int use_of(const SwNode *node, int value)
{
    return (value - node->settled + node->open) / 2;
}

static inline int value_of(const SwNode *node, int share)
{
    return 2 * share - node->open + node->settled;
}

/* Like sw_test, without the table: the last few squares. */
static int test_few(SwWorker *worker, const SwNode *node, int n, int beta)
{
    const SwBoard *board = &worker->shared->board;
    worker->nodes++;
    if (n == 1) {
        /* Any pieces left have both colours: the mover raids them all. */
        worker->best_square = sw_lowest(node->empty);
        return node->settled + node->open;
    }
    SwBest best = {SW_WORST, SW_NO_SQUARE};
    for (uint32_t left = sw_undominated_moves(board, node); left != 0; left &= left - 1) {
        int      square = sw_lowest(left);
        SwNode   child = sw_node_play(board, node, square);
        SwBounds bounds = sw_static_bounds(board, &child);
        int      value = -bounds.upper;
        if (value < beta)
            value =
                -bounds.lower < beta ? -bounds.lower : -test_few(worker, &child, n - 1, 2 - beta);
        if (value > best.value) {
            best = (SwBest){value, square};
            if (value >= beta)
                break;
        }
    }
    worker->best_square = best.square;
    return best.value;
}

static void generate(const SwShared *shared, const SwNode *node, bool with_places,
                     SwChildren *children)
{
    children->n = 0;
    for (uint32_t left = sw_undominated_moves(&shared->board, node); left != 0; left &= left - 1) {
        SwChild *child = &children->child[children->n++];
        child->square = sw_lowest(left);
        child->node = sw_node_play(&shared->board, node, child->square);
        if (with_places) {
            child->place = sw_table_bucket(&shared->table, child->node.empty);
            sw_table_prefetch(child->place);
        }
    }
}

/* Takes note of a proved value of a move; true if it settles the node. */
static inline bool improve(SwBest *best, int value, int square, int beta)
{
    if (value > best->value)
        *best = (SwBest){value, square};
    return value >= beta;
}

/* Removes the children the table already decides. Half of all nodes end here,
 * by a child that refutes them, whichever move would have been tried first. */
static bool sift_by_table(const SwShared *shared, SwChildren *children, int beta, SwBest *best)
{
    int kept = 0, share;
    for (int i = 0; i < children->n; i++) {
        const SwChild *child = &children->child[i];
        int            goal = use_of(&child->node, 2 - beta);
        if (sw_table_decides(&shared->table, child->place, child->node.own, goal, &share)) {
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

/* Removes the children that need no search at all. */
static bool sift_by_bounds(const SwShared *shared, SwChildren *children, int beta, SwBest *best)
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

/* Moves the most promising child from i on to place i. Most nodes are refuted
 * by the first move or by none, so sorting them all would be a waste. */
static void pick(SwChildren *children, int i)
{
    int pick = i;
    for (int j = i + 1; j < children->n; j++)
        if (children->child[j].promise > children->child[pick].promise)
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

static int test_node(SwWorker *worker, const SwNode *node, SwBucket place, int n, int beta);

static int test_child(SwWorker *worker, const SwChild *child, int n, int beta)
{
    if (n < SW_TABLE_MIN)
        return -test_few(worker, &child->node, n, 2 - beta);
    return -test_node(worker, &child->node, child->place, n, 2 - beta);
}

/* Searches the children in order of promise, alone. */
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

/* Searches the children as one of several threads that may be at this node
 * (simplified ABDADA): what another thread is busy with is put off, and has
 * often been answered in the table when its turn comes. The first move is put
 * off only if it does not look like a refutation: if it does, the others
 * are probably not worth anyone's time. */
static void search_shared(SwWorker *worker, SwChildren *children, int n, int beta, SwBest *best)
{
    SwShared *shared = worker->shared;
    int       put_off = 0, share;
    for (int i = 0; i < children->n; i++) {
        pick(children, i);
        const SwChild    *child = &children->child[i];
        uint64_t          id = busy_id(&child->node);
        _Atomic uint64_t *slot = busy_slot(shared, id);
        bool              may_wait = i > 0 || child->promise < beta * SW_ESTIMATE_UNIT;
        if (may_wait && atomic_load_explicit(slot, memory_order_relaxed) == id) {
            children->child[put_off++] = *child;
            continue;
        }
        atomic_store_explicit(slot, id, memory_order_relaxed);
        int value = test_child(worker, child, n - 1, beta);
        if (atomic_load_explicit(slot, memory_order_relaxed) == id)
            atomic_store_explicit(slot, 0, memory_order_relaxed);
        if (worker->aborted || improve(best, value, child->square, beta))
            return;
    }
    for (int i = 0; i < put_off; i++) {
        const SwChild *child = &children->child[i];
        int            goal = use_of(&child->node, 2 - beta);
        int            value;
        if (sw_table_decides(&shared->table, child->place, child->node.own, goal, &share))
            value = -value_of(&child->node, share);
        else
            value = test_child(worker, child, n - 1, beta);
        if (worker->aborted || improve(best, value, child->square, beta))
            return;
    }
}

static int expand(SwWorker *worker, const SwNode *node, SwBucket place, int n, int beta)
{
    SwShared  *shared = worker->shared;
    SwBest     best = {SW_WORST, SW_NO_SQUARE};
    SwChildren children;
    bool       tabled = n > SW_TABLE_MIN;
    generate(shared, node, tabled, &children);
    bool done = tabled && sift_by_table(shared, &children, beta, &best);
    if (!done && n <= SW_BOUNDS_MAX)
        done = sift_by_bounds(shared, &children, beta, &best);
    if (!done) {
        for (int i = 0; i < children.n; i++) {
            SwChild *child = &children.child[i];
            child->promise = -sw_order_score(&shared->board, &child->node, (n & 1) == 0);
        }
        if (shared->n_threads > 1 && n > SW_SHARE_MIN)
            search_shared(worker, &children, n, beta, &best);
        else
            search_alone(worker, &children, n, beta, &best);
        if (worker->aborted)
            return 0;
    }
    /* A covering bound may stem from a node with more open value than the
     * child's and then say less than nothing. */
    int min = node->settled - node->open;
    best.value = best.value < min ? min : best.value;
    uint32_t needed = node->own;
    if (best.value >= beta) {
        /* A raid recolours all it touches: of the own pieces there only one
         * is needed, to make it a raid. Saves 5 % of the nodes. */
        uint32_t supporters = needed & shared->board.touching[best.square];
        needed &= ~(supporters & (supporters - 1));
    }
    sw_table_store(&shared->table, place, needed, best.value < beta, use_of(node, best.value));
    worker->best_square = best.square;
    return best.value;
}

static int test_node(SwWorker *worker, const SwNode *node, SwBucket place, int n, int beta)
{
    if (enter(worker))
        return 0;
    int share;
    if (n >= SW_RECHECK_MIN &&
        sw_table_decides(&worker->shared->table, place, node->own, use_of(node, beta), &share))
        return value_of(node, share);
    return expand(worker, node, place, n, beta);
}

int sw_test(SwWorker *worker, const SwNode *node, int n, int beta)
{
    worker->aborted = false;
    worker->best_square = SW_NO_SQUARE;
    if (n == 0)
        return node->settled;
    if (n < SW_TABLE_MIN)
        return test_few(worker, node, n, beta);
    if (enter(worker))
        return 0;
    return expand(worker, node, sw_table_bucket(&worker->shared->table, node->empty), n, beta);
}

/* A search with the estimate instead of the end of the game. */
typedef struct {
    const SwBoard *board;
    SwLimits       limits;
    uint64_t       nodes;
    bool           is_given_up;
} Glance;

static bool must_give_up(Glance *glance)
{
    enum { POLL_NODES = 1024 };
    if (++glance->nodes % POLL_NODES == 0 && sw_is_limit_reached(&glance->limits))
        glance->is_given_up = true;
    return glance->is_given_up;
}

/* Plain alpha-beta to a fixed depth, in estimate units. */
static int look_ahead(Glance *glance, const SwNode *node, int n, int depth, int alpha, int beta)
{
    if (n == 0)
        return node->settled * SW_ESTIMATE_UNIT;
    if (depth == 0)
        return sw_estimate(glance->board, node, (n & 1) != 0);
    if (must_give_up(glance))
        return 0;
    SwChildren children;
    children.n = 0;
    for (uint32_t left = node->empty; left != 0; left &= left - 1) {
        SwChild *child = &children.child[children.n++];
        child->square = sw_lowest(left);
        child->node = sw_node_play(glance->board, node, child->square);
        child->promise = -sw_order_score(glance->board, &child->node, (n & 1) == 0);
    }
    int best = SW_WORST * SW_ESTIMATE_UNIT;
    for (int i = 0; i < children.n && best < beta; i++) {
        pick(&children, i);
        int above = best > alpha ? best : alpha;
        int value = -look_ahead(glance, &children.child[i].node, n - 1, depth - 1, -beta, -above);
        best = value > best ? value : best;
    }
    return best;
}

/* The best square by a glance so deep, beginning with `first`, which is likely to be it;
 * SW_NO_SQUARE if the limits were reached before. */
static int glance_square(Glance *glance, const SwNode *node, int n, int depth, int first,
                         int *value)
{
    int      limit = -SW_WORST * SW_ESTIMATE_UNIT, best = -limit, square = SW_NO_SQUARE;
    uint32_t left = node->empty;
    while (left != 0) {
        int    move = first != SW_NO_SQUARE && (left >> first & 1) != 0 ? first : sw_lowest(left);
        SwNode child = sw_node_play(glance->board, node, move);
        int    of_child = -look_ahead(glance, &child, n - 1, depth - 1, -limit, -best);
        if (glance->is_given_up)
            return SW_NO_SQUARE;
        if (of_child > best) {
            best = of_child;
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
    Glance glance = {.board = board};
    int    value = node->settled;
    *square = glance_square(&glance, node, n, DEPTH, SW_NO_SQUARE, &value);
    return value;
}

int sw_advise(const SwBoard *board, const SwNode *node, int n, const SwLimits *limits, int *value)
{
    Glance glance = {.board = board};
    int    square = SW_NO_SQUARE;
    for (int depth = 1; depth <= n; depth++) {
        int deeper = glance_square(&glance, node, n, depth, square, value);
        if (deeper == SW_NO_SQUARE)
            break;
        square = deeper;
        glance.limits = *limits; /* the first glance is always finished */
    }
    return square;
}
