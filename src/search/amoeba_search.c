/* The search of Amoeba Wars' solver.
 *
 * A null-window search whose nodes are whole turns. What the mover gains from here on does
 * not depend on how it came here, so a node has no scores and no names of sides: positions that
 * differ in who killed what (without chains), by symmetry, or in cells that cannot matter any more
 * are one node (amoeba_node.h). Within a turn the order of moves rarely matters: a cell that was
 * tried at some point of a turn is not tried below its later brothers there, since the sets of
 * cells with it have been searched already; so every set is searched once.
 *
 * Threads all search the root, share the table, and leave for later the nodes that another thread
 * is at (`busy`). The first that settles a test wins, so values do not depend on their number. */
#include "search/amoeba_search.h"

#include "base/clock.h"

#include <string.h>

enum {
    BUSY_MIN_OPEN = 6, /* smaller nodes are not worth leaving for later */
    MAX_LEFT = 24,     /* children of a turn left for later */
    SORT_MIN_OPEN = 8, /* smaller turns are not sorted */
    MAX_TURNS = 4096,  /* sorted at once */
    NO_VALUE = -1000,
    LATER = -2000
};

/* A turn being enumerated. */
typedef struct Turn {
    AsWorker *worker;
    unsigned  side;
    int       beta, best;
    AsFact   *fact; /* its best turn is tried first, and becomes the best one found */
    uint8_t   path[AS_MAX_TURN], found[AS_MAX_TURN];
    int       n_path, n_found;
    size_t    first; /* of its children */
    int       n_left;
    struct {
        AsNode  node;
        int     gain, n_path;
        uint8_t path[AS_MAX_TURN];
    } left[MAX_LEFT];
} Turn;

static bool is_halted(AsWorker *worker)
{
    enum { POLL_NODES = 4096 };
    if (worker->nodes < worker->next_poll)
        return worker->is_aborted;
    worker->next_poll = worker->nodes + POLL_NODES;
    const AsOptions *options = worker->options;
    if ((options->nodes && worker->nodes >= options->nodes) ||
        (options->stop && atomic_load_explicit(options->stop, memory_order_relaxed)) ||
        (options->deadline_ns && clock_ns() >= options->deadline_ns))
        atomic_store_explicit(worker->halt, true, memory_order_relaxed);
    worker->is_aborted = atomic_load_explicit(worker->halt, memory_order_relaxed);
    return worker->is_aborted;
}

/* ---- turns -------------------------------------------------------------------------------- */

static int test(AsWorker *worker, const AsNode *given, unsigned side, int beta, bool may_wait);
static int play_sorted(AsWorker *worker, const AsNode *node, unsigned side, int n_left, int beta,
                       AsFact *fact);

/* Notes a value of the turn in turn->path; true if it is enough. */
static bool note(Turn *turn, int value)
{
    if (value > turn->best) {
        turn->best = value;
        turn->n_found = turn->n_path;
        memcpy(turn->found, turn->path, sizeof turn->found);
    }
    return value >= turn->beta;
}

/* The other side's turn after this one; true if that is enough. */
static bool end_turn(Turn *turn, const AsNode *node, int gain)
{
    AsWorker *worker = turn->worker;
    AsNode    next = as_turned(node);
    bool      is_stuck = worker->solver->board.is_stuck_lost;
    int       beta = is_stuck ? 1 - turn->beta : gain - turn->beta + 1;
    int       value = test(worker, &next, turn->side ^ 1, beta, turn->n_left < MAX_LEFT);
    if (value == LATER) {
        turn->left[turn->n_left].node = *node;
        turn->left[turn->n_left].gain = gain;
        turn->left[turn->n_left].n_path = turn->n_path;
        memcpy(turn->left[turn->n_left].path, turn->path, sizeof turn->path);
        turn->n_left++;
        return false;
    }
    return worker->is_aborted || note(turn, is_stuck ? -value : gain - value);
}

/* Picks the next cell to try: that of the best turn known, then kills, then by history. */
static int pick(const Turn *turn, const AsNode *node, uint64_t cells, bool is_on_best)
{
    const AsFact *fact = turn->fact;
    if (is_on_best && turn->n_path < fact->n_best && cells >> fact->best[turn->n_path] & 1)
        return fact->best[turn->n_path];
    int      best = -1;
    uint64_t best_score = 0;
    for (uint64_t left = cells; left; left = bits_rest(left)) {
        int      cell = bits_lowest(left);
        bool     is_kill = node->enemy >> cell & 1;
        uint64_t score =
            turn->worker->history[turn->side][is_kill][cell] + 1 + ((uint64_t)is_kill << 32);
        if (score > best_score) {
            best_score = score;
            best = cell;
        }
    }
    return best;
}

/* Tries the sets of up to n_left more cells that have none of `tried`; true if the turn is good
 * enough. */
static bool try_moves(Turn *turn, const AsNode *node, int n_left, int gain, uint64_t tried)
{
    const AsBoard *board = &turn->worker->solver->board;
    uint64_t       reach = as_reach(board, node);
    bool           is_on_best = turn->fact->n_best > turn->n_path &&
                      !memcmp(turn->path, turn->fact->best, (size_t)turn->n_path);
    if (reach == 0)
        return note(turn, as_value_when_stuck(board, gain));
    for (uint64_t cells = reach & ~tried; cells;) {
        int cell = pick(turn, node, cells, is_on_best);
        cells ^= UINT64_C(1) << cell;
        AsNode next = *node;
        int    after = gain + as_play(board, &next, UINT64_C(1) << cell);
        turn->path[turn->n_path++] = (uint8_t)cell;
        bool is_enough = n_left == 1 ? end_turn(turn, &next, after)
                                     : try_moves(turn, &next, n_left - 1, after, tried);
        turn->n_path--;
        if (is_enough)
            return true;
        tried |= UINT64_C(1) << cell;
    }
    return false;
}

/* The children that were left to another thread: their values are in the table by now, or soon. */
static bool try_left(Turn *turn)
{
    int n_left = turn->n_left;
    turn->n_left = MAX_LEFT; /* no more waiting */
    for (int i = 0; i < n_left; i++) {
        turn->n_path = turn->left[i].n_path;
        memcpy(turn->path, turn->left[i].path, sizeof turn->path);
        if (end_turn(turn, &turn->left[i].node, turn->left[i].gain))
            return true;
    }
    return false;
}

static void begin_turn(Turn *turn, AsWorker *worker, unsigned side, int beta, AsFact *fact)
{
    turn->worker = worker;
    turn->side = side;
    turn->beta = beta;
    turn->best = NO_VALUE;
    turn->fact = fact;
    turn->n_path = turn->n_found = turn->n_left = 0;
    turn->first = worker->n_children;
}

static int finish_turn(Turn *turn, const AsNode *node, bool is_enough)
{
    AsWorker *worker = turn->worker;
    AsFact   *fact = turn->fact;
    if (worker->is_aborted)
        return 0;
    for (int i = 0; is_enough && i < turn->n_found; i++)
        worker->history[turn->side][node->enemy >> turn->found[i] & 1][turn->found[i]]++;
    if (is_enough || fact->n_best == 0) {
        fact->n_best = turn->n_found;
        memcpy(fact->best, turn->found, sizeof fact->best);
    }
    return turn->best;
}

static int play_turn(AsWorker *worker, const AsNode *node, unsigned side, int n_left, int beta,
                     AsFact *fact)
{
    Turn turn;
    begin_turn(&turn, worker, side, beta, fact);
    return finish_turn(&turn, node, try_moves(&turn, node, n_left, 0, 0) || try_left(&turn));
}

/* ---- nodes -------------------------------------------------------------------------------- */

static int log2_of(uint64_t n) { return 63 - __builtin_clzll(n | 1); }

/* Reduces a node. True if that says whether its gain is at least beta: *value is a bound that
 * does. Otherwise its key is wanted. */
static bool is_settled(AsWorker *worker, AsNode *node, int beta, AsBounds *bounds, int *value)
{
    const AsBoard *board = &worker->solver->board;
    worker->nodes++;
    if (as_reach(board, node) == 0) {
        *value = as_value_when_stuck(board, 0);
        return true;
    }
    *bounds = as_reduce(board, node);
    if (board->is_stuck_lost)
        *bounds = (AsBounds){-1, 1};
    *value = bounds->lower >= beta ? bounds->lower : bounds->upper;
    return bounds->lower >= beta || bounds->upper < beta;
}

/* The same by the table. */
static bool is_tabled(const AsWorker *worker, uint64_t key, int beta, AsFact *fact, int *value)
{
    if (!as_table_find(&worker->solver->table, key, fact))
        return false;
    *value = fact->lower >= beta ? fact->lower : fact->upper;
    return fact->lower >= beta || fact->upper < beta;
}

/* Searches a reduced node that is not known. Returns a bound, or LATER. */
static int expand(AsWorker *worker, const AsNode *node, unsigned side, int beta, uint64_t key,
                  AsFact *fact, bool may_wait)
{
    AsSolver         *solver = worker->solver;
    int               n_open = bits_count(node->open);
    bool              is_large = solver->n_threads > 1 && n_open >= BUSY_MIN_OPEN;
    _Atomic uint64_t *busy = &solver->busy[key >> 32 & (AS_BUSY - 1)];
    if (is_halted(worker))
        return 0;
    if (is_large) {
        if (may_wait && atomic_load_explicit(busy, memory_order_relaxed) == key)
            return LATER;
        atomic_store_explicit(busy, key, memory_order_relaxed);
    }
    uint64_t n_before = worker->nodes;
    int      value = n_open >= SORT_MIN_OPEN
                         ? play_sorted(worker, node, side, solver->board.steps, beta, fact)
                         : play_turn(worker, node, side, solver->board.steps, beta, fact);
    if (is_large)
        atomic_store_explicit(busy, 0, memory_order_relaxed);
    if (worker->is_aborted)
        return 0;
    if (value >= beta)
        fact->lower = value;
    else
        fact->upper = value;
    fact->cost = log2_of(worker->nodes - n_before + 1);
    as_table_store(&solver->table, key, fact);
    return value;
}

/* Is the gain of the side to move at least beta? Returns a bound that says so, or LATER. */
static int test(AsWorker *worker, const AsNode *given, unsigned side, int beta, bool may_wait)
{
    AsNode   node = *given;
    AsBounds bounds;
    int      value;
    if (is_settled(worker, &node, beta, &bounds, &value))
        return value;
    AsFact   fact = {.lower = bounds.lower, .upper = bounds.upper};
    uint64_t key = as_key(&worker->solver->board, &node);
    if (is_tabled(worker, key, beta, &fact, &value))
        return value;
    return expand(worker, &node, side, beta, key, &fact, may_wait);
}

/* ---- sorted turns ------------------------------------------------------------------------- */

/* Lists the positions after all sets of moves; false if there is no room. */
static bool list_turns(AsWorker *worker, Turn *turn, const AsNode *node, int n_left, int gain,
                       uint64_t tried)
{
    const AsBoard *board = &worker->solver->board;
    uint64_t       reach = as_reach(board, node);
    if (reach == 0)
        (void)note(turn, as_value_when_stuck(board, gain));
    for (uint64_t cells = reach & ~tried; cells; cells = bits_rest(cells)) {
        uint64_t cell = cells & -cells;
        AsNode   next = *node;
        int      after = gain + as_play(board, &next, cell);
        turn->path[turn->n_path++] = (uint8_t)bits_lowest(cell);
        if (n_left > 1) {
            if (!list_turns(worker, turn, &next, n_left - 1, after, tried))
                return false;
        } else {
            if (worker->n_children == AS_MAX_CHILDREN ||
                worker->n_children == turn->first + MAX_TURNS)
                return false;
            AsChild *child = &worker->children[worker->n_children++];
            child->node = as_turned(&next);
            child->gain = (int16_t)after;
            child->n_path = (uint8_t)turn->n_path;
            memcpy(child->path, turn->path, sizeof child->path);
        }
        turn->n_path--;
        tried |= cell;
    }
    return true;
}

/* What the mover's turn seems worth: its gain, and the reach and the prey of both sides. The
 * weights are those of a dozen tried that took the fewest nodes on 4x5 and 3x7. */
static int score_of(const AsBoard *board, const AsChild *child)
{
    enum { GAIN = 16, OWN_REACH = 3, ENEMY_REACH = 4, PREY = 3 };
    AsNode   mine = as_turned(&child->node);
    uint64_t own = as_reach(board, &mine), theirs = as_reach(board, &child->node);
    int      n_prey = bits_count(own & child->node.own);
    int      n_hunted = bits_count(theirs & child->node.enemy);
    n_prey = n_prey < board->steps ? n_prey : board->steps;
    n_hunted = n_hunted < board->steps ? n_hunted : board->steps;
    return GAIN * child->gain + OWN_REACH * bits_count(own) - ENEMY_REACH * bits_count(theirs) +
           PREY * (n_prey - n_hunted);
}

/* The window of a child. */
static int beta_of(const Turn *turn, const AsChild *child)
{
    bool is_stuck = turn->worker->solver->board.is_stuck_lost;
    return is_stuck ? 1 - turn->beta : child->gain - turn->beta + 1;
}

/* Notes the value of a child; true if it is enough. */
static bool note_child(Turn *turn, const AsChild *child, int value)
{
    turn->n_path = child->n_path;
    memcpy(turn->path, child->path, sizeof turn->path);
    return note(turn, turn->worker->solver->board.is_stuck_lost ? -value : child->gain - value);
}

/* Keeps the children whose bounds are not enough to know them, and fetches their entries; true if
 * one that is known is enough. */
static bool reduce_children(Turn *turn, AsChild *children, size_t *n_children)
{
    AsWorker      *worker = turn->worker;
    const AsBoard *board = &worker->solver->board;
    size_t         n_kept = 0;
    for (size_t i = 0; i < *n_children; i++) {
        AsChild *child = &children[i];
        int      value, score = score_of(board, child);
        AsBounds bounds;
        if (is_settled(worker, &child->node, beta_of(turn, child), &bounds, &value)) {
            if (note_child(turn, child, value))
                return true;
            continue;
        }
        child->score = (int16_t)score;
        child->key = as_key(board, &child->node);
        as_table_prefetch(&worker->solver->table, child->key);
        children[n_kept++] = *child;
    }
    *n_children = n_kept;
    return false;
}

/* Looks the children up, and writes the places of those that are not known, the best first; true
 * if one that is known is enough. */
static bool sort_children(Turn *turn, const AsChild *children, size_t n_children, uint32_t *order,
                          size_t *n_unknown)
{
    enum { SCORE_BIAS = 1 << 14 };
    *n_unknown = 0;
    for (size_t i = 0; i < n_children; i++) {
        AsFact fact;
        int    value;
        if (is_tabled(turn->worker, children[i].key, beta_of(turn, &children[i]), &fact, &value)) {
            if (note_child(turn, &children[i], value))
                return true;
            continue;
        }
        uint32_t rank = (uint32_t)(SCORE_BIAS - children[i].score) << 16 | (uint32_t)i;
        size_t   at = (*n_unknown)++;
        for (; at > 0 && order[at - 1] > rank; at--)
            order[at] = order[at - 1];
        order[at] = rank;
    }
    return false;
}

static bool try_children(Turn *turn, const AsChild *children, uint32_t *order, size_t n_unknown)
{
    AsWorker *worker = turn->worker;
    for (int round = 0; round < 2; round++) {
        size_t n_later = 0;
        for (size_t i = 0; i < n_unknown; i++) {
            const AsChild *child = &children[order[i] & UINT16_MAX];
            int            value, beta = beta_of(turn, child);
            AsFact         fact = {.lower = -AS_MAX_VALUE, .upper = AS_MAX_VALUE};
            /* Another thread may have found it out, or a brother. */
            if (!is_tabled(worker, child->key, beta, &fact, &value))
                value = expand(worker, &child->node, turn->side ^ 1, beta, child->key, &fact,
                               round == 0);
            if (value == LATER)
                order[n_later++] = order[i];
            else if (worker->is_aborted || note_child(turn, child, value))
                return true;
        }
        n_unknown = n_later;
    }
    return false;
}

static int play_sorted(AsWorker *worker, const AsNode *node, unsigned side, int n_left, int beta,
                       AsFact *fact)
{
    Turn   turn;
    size_t first = worker->n_children;
    begin_turn(&turn, worker, side, beta, fact);
    if (!list_turns(worker, &turn, node, n_left, 0, 0)) {
        worker->n_children = first;
        return play_turn(worker, node, side, n_left, beta, fact);
    }
    uint32_t order[MAX_TURNS];
    size_t   n_children = worker->n_children - first, n_unknown = 0;
    AsChild *children = &worker->children[first];
    bool     is_enough = turn.best >= beta || reduce_children(&turn, children, &n_children);
    worker->n_children = first + n_children;
    is_enough = is_enough || sort_children(&turn, children, n_children, order, &n_unknown) ||
                try_children(&turn, children, order, n_unknown);
    worker->n_children = first;
    return finish_turn(&turn, node, is_enough);
}

/* ---- the root ----------------------------------------------------------------------------- */

void *as_test_root(void *argument)
{
    AsWorker *worker = argument;
    worker->is_aborted = false;
    worker->n_children = 0;
    worker->value = play_sorted(worker, worker->root, worker->side, worker->moves_left,
                                worker->beta, &worker->best);
    if (!worker->is_aborted)
        atomic_store(worker->halt, true);
    return NULL;
}
