/* What the SquirrelWar solver knows before it proves anything: a search to a fixed depth with the
 * static evaluation, for first guesses and for moves that cannot be proved in time. */
#include "search/squirrel_search.h"

#include "base/clock.h"
#include "base/cpu.h"
#include "search/squirrel_estimate.h"

SwTest *sw_test_fastest(void)
{
#ifdef TURF_X86_KERNELS
    if (cpu_has_v3())
        return sw_test_v3;
#endif
    return sw_test_portable;
}

bool sw_is_limit_reached(const SwLimits *limits)
{
    return (limits->stop != NULL && atomic_load_explicit(limits->stop, memory_order_relaxed)) ||
           (limits->deadline_ns != 0 && clock_ns() >= limits->deadline_ns);
}

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
        sw_pick(&children, i);
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
