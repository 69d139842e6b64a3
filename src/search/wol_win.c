/* The search for forced wins: an and/or search to a fixed number of plies, for one ply more each
 * time, so that the first win found is the shortest. The table carries what is proved from one
 * length to the next.
 *
 * Most of the work is refuting. An attacker's node costs all its moves, a defender's node one good
 * reply; so replies that refuted before are tried first, and the last ply is decided mostly without
 * a move (can_finish).
 *
 * Threads: those of one length share the table, the next root move to take and the results of
 * root moves, all atomic. Between two lengths only the calling thread runs. */
#include "search/wol_win.h"

#include "base/clock.h"
#include "search/wol_win_table.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_THREADS = 64,
    /* Fewer plies are refuted faster than looked up. */
    TABLE_MIN = 4,
    /* From here on sorting the moves costs less than it saves. */
    SORT_MIN = 3,
    /* With fewer plies a length is done before a second thread would have started. */
    PARALLEL_MIN = 6,
    POLL_NODES = 1 << 12,
    N_KILLERS = 2
};

/* A child of a node, with its score for sorting. */
typedef struct Child {
    WinNode  node;
    TurfMove move;
    int      score;
} Child;

typedef struct Children {
    Child  child[WOL_MAX_MOVES];
    size_t n;
} Children;

/* One search, shared by its threads. */
typedef struct Search {
    WinTable         *table;
    const WolWinPlan *plan;
    Children          root;
    bool              is_attacking; /* at the root */
    int               plies;        /* of this length */
    atomic_size_t     next;         /* root move to take */
    atomic_bool       halt;
    atomic_bool       wins[WOL_MAX_MOVES]; /* by root move */
} Search;

/* The state of one thread. */
typedef struct Worker {
    Search  *search;
    uint64_t nodes;
    bool     is_aborted;                                /* the last result is meaningless */
    TurfMove killers[WOL_WIN_MAX_PLIES + 1][N_KILLERS]; /* replies that refuted, by plies left */
} Worker;

struct WolWinSolver {
    WinTable table;
    Worker  *workers;
    int      n_threads;
};

WolWinSolver *wol_win_solver_new(size_t n_bytes, int n_threads)
{
    WolWinSolver *solver = calloc(1, sizeof *solver);
    if (!solver)
        return NULL;
    solver->n_threads = n_threads < 1 ? 1 : n_threads;
    if (solver->n_threads > MAX_THREADS)
        solver->n_threads = MAX_THREADS;
    solver->workers = calloc((size_t)solver->n_threads, sizeof *solver->workers);
    if (solver->workers && win_table_init(&solver->table, n_bytes))
        return solver;
    wol_win_solver_free(solver);
    return NULL;
}

void wol_win_solver_free(WolWinSolver *solver)
{
    if (!solver)
        return;
    win_table_release(&solver->table);
    free(solver->workers);
    free(solver);
}

/* Counts a node; true if the search must be aborted. */
static bool enter(Worker *worker)
{
    Search           *search = worker->search;
    const WolWinPlan *plan = search->plan;
    if (++worker->nodes % POLL_NODES == 0 &&
        ((plan->stop && atomic_load_explicit(plan->stop, memory_order_relaxed)) ||
         (plan->deadline_ns && clock_ns() >= plan->deadline_ns)))
        atomic_store_explicit(&search->halt, true, memory_order_relaxed);
    if (atomic_load_explicit(&search->halt, memory_order_relaxed))
        worker->is_aborted = true;
    return worker->is_aborted;
}

static inline WinNode play(const WinNode *node, TurfMove move)
{
    WinNode   child = *node;
    uint64_t *mover = node->is_attacking ? &child.attacker : &child.defender;
    *mover ^= wol_from(move) | wol_to(move);
    wol_crank(&child.attacker, &child.defender);
    child.is_attacking = !node->is_attacking;
    return child;
}

static inline bool is_won(const WinNode *node) { return !node->defender && node->attacker; }

/* The moves of the side to move and where they lead. The attacker prefers few of the defender's
 * pieces, the defender many: those with the lowest score come first. */
static void expand(const WinNode *node, Children *children)
{
    uint64_t mover = node->is_attacking ? node->attacker : node->defender;
    uint64_t empty = ~(node->attacker | node->defender);
    children->n = 0;
    for (uint64_t left = mover; left; left = bits_rest(left)) {
        int from = bits_lowest(left);
        for (uint64_t to = wol_beside(left & -left) & empty; to; to = bits_rest(to)) {
            Child *child = &children->child[children->n++];
            child->move = wol_move(from, bits_lowest(to));
            child->node = play(node, child->move);
            int n_defender = bits_count(child->node.defender);
            int n_attacker = bits_count(child->node.attacker);
            child->score =
                node->is_attacking ? 2 * n_defender - n_attacker : n_attacker - 2 * n_defender;
        }
    }
}

/* Swaps the child with the lowest score from index i on to index i. */
static Child *pick(Children *children, size_t i)
{
    size_t best = i;
    for (size_t j = i + 1; j < children->n; j++)
        if (children->child[j].score < children->child[best].score)
            best = j;
    Child chosen = children->child[best];
    children->child[best] = children->child[i];
    children->child[i] = chosen;
    return &children->child[i];
}

/* The cells beside a set, and the set. */
static inline uint64_t around(uint64_t set) { return wol_beside(set) | set; }

/* Can one move change all these cells by the next crank? It changes two neighbouring cells, and so
 * only the fate of these and of the cells beside them: within four rows and four columns. This is
 * necessary, not sufficient. */
static bool is_within_a_move(uint64_t cells)
{
    if (!cells)
        return true;
    if (bits_lowest(cells) / 8 + 3 < (63 - __builtin_clzll(cells)) / 8)
        return false;
    uint64_t columns = cells | cells >> 32;
    columns |= columns >> 16;
    columns = (columns | columns >> 8) & 255;
    return columns >> bits_lowest(columns) <= 15;
}

/* Can a move of the attacker, and the crank, leave the defender without pieces? What the defender
 * would have after the crank alone must lie within the reach of the move, which rules out nearly
 * all boards without trying one. */
static bool can_finish(const WinNode *node)
{
    uint64_t attacker = node->attacker, rest = node->defender;
    wol_crank(&attacker, &rest);
    if (!is_within_a_move(rest))
        return false;
    uint64_t empty = ~(node->attacker | node->defender);
    for (uint64_t left = node->attacker; left; left = bits_rest(left)) {
        uint64_t from = left & -left, out = rest & ~around(from);
        for (uint64_t to = wol_beside(from) & empty; to; to = bits_rest(to)) {
            uint64_t cell = to & -to;
            if (out & ~around(cell))
                continue;
            WinNode child = play(node, wol_move(bits_lowest(from), bits_lowest(cell)));
            if (is_won(&child))
                return true;
        }
    }
    return false;
}

static bool is_lost_for_defender(Worker *worker, const WinNode *node, int plies);

/* Can the attacker, to move, win at once or with the defender's next move, whatever that is? What
 * the defender would have after two cranks alone, and lies beyond the reach of the attacker's move,
 * must be within reach of the defender's. */
static bool can_finish_in_two(Worker *worker, const WinNode *node)
{
    if (can_finish(node))
        return true;
    uint64_t attacker = node->attacker, rest = node->defender;
    uint64_t empty = ~(node->attacker | node->defender);
    wol_crank(&attacker, &rest);
    wol_crank(&attacker, &rest);
    for (uint64_t left = node->attacker; left; left = bits_rest(left)) {
        uint64_t from = left & -left, out = rest & ~around(around(from));
        for (uint64_t to = wol_beside(from) & empty; to; to = bits_rest(to)) {
            uint64_t cell = to & -to;
            if (!is_within_a_move(out & ~around(around(cell))))
                continue;
            WinNode child = play(node, wol_move(bits_lowest(from), bits_lowest(cell)));
            if (child.attacker && is_lost_for_defender(worker, &child, 1))
                return true;
        }
    }
    return false;
}

/* The attacker's move that wins within *plies, which becomes 1 if it wins at once; 0: none. */
static TurfMove find_win(Worker *worker, const WinNode *node, int *plies)
{
    Children children;
    expand(node, &children);
    for (size_t i = 0; i < children.n; i++)
        if (is_won(&children.child[i].node)) {
            *plies = 1;
            return children.child[i].move;
        }
    for (size_t i = 0; i < children.n && !worker->is_aborted; i++) {
        const Child *child = *plies >= SORT_MIN ? pick(&children, i) : &children.child[i];
        if (child->node.attacker && is_lost_for_defender(worker, &child->node, *plies - 1))
            return child->move;
    }
    return 0;
}

/* Can the attacker, to move, force a win within so many plies? */
static bool is_win_for_attacker(Worker *worker, const WinNode *node, int plies)
{
    if (enter(worker))
        return false;
    if (plies == 1)
        return can_finish(node);
    if (plies == 2)
        return can_finish_in_two(worker, node);
    WinTable *table = worker->search->table;
    WinFact   fact = {0};
    if (plies >= TABLE_MIN)
        fact = win_table_find(table, node);
    if (fact.win && fact.win <= plies)
        return true;
    if (fact.refuted >= plies)
        return false;
    int      win = plies;
    TurfMove winner = find_win(worker, node, &win);
    if (worker->is_aborted)
        return false;
    if (plies >= TABLE_MIN)
        win_table_store(table, node,
                        winner ? (WinFact){.win = win, .move = winner}
                               : (WinFact){.refuted = plies});
    return winner != 0;
}

/* Does the attacker still win within so many plies after one has been played? */
static bool still_wins(Worker *worker, const WinNode *child, int plies)
{
    if (is_won(child))
        return true;
    return child->attacker && plies > 0 && is_win_for_attacker(worker, child, plies);
}

static bool is_legal(const WinNode *node, TurfMove move)
{
    return move && (wol_from(move) & node->defender) &&
           !(wol_to(move) & (node->attacker | node->defender));
}

static void note_killer(Worker *worker, int plies, TurfMove move)
{
    TurfMove *killers = worker->killers[plies];
    if (killers[0] != move) {
        killers[1] = killers[0];
        killers[0] = move;
    }
}

/* The defender's replies that may refute: first those of the table and of other nodes, before all
 * moves are made. A move is tried at most once. Sets *has_moves. */
static TurfMove find_refutation(Worker *worker, const WinNode *node, int plies, TurfMove known,
                                bool *has_moves)
{
    TurfMove early[1 + N_KILLERS] = {known, worker->killers[plies][0], worker->killers[plies][1]};
    for (int i = 0; i < 1 + N_KILLERS; i++) {
        bool is_new = is_legal(node, early[i]) && (i < 1 || early[i] != early[0]);
        if (!is_new)
            early[i] = 0;
        if (!early[i])
            continue;
        WinNode child = play(node, early[i]);
        *has_moves = true;
        bool wins = still_wins(worker, &child, plies - 1);
        if (!wins || worker->is_aborted)
            return early[i];
    }
    Children children;
    expand(node, &children);
    *has_moves = children.n > 0;
    for (size_t i = 0; i < children.n; i++) {
        const Child *child = plies > SORT_MIN ? pick(&children, i) : &children.child[i];
        bool         is_tried = false;
        for (int j = 0; j < 1 + N_KILLERS; j++)
            is_tried |= child->move == early[j];
        if (!is_tried && !still_wins(worker, &child->node, plies - 1))
            return child->move;
        if (worker->is_aborted)
            return 0;
    }
    return 0;
}

/* Does the attacker win within so many plies whatever the defender, to move, does? */
static bool is_lost_for_defender(Worker *worker, const WinNode *node, int plies)
{
    if (enter(worker))
        return false;
    WinTable *table = worker->search->table;
    WinFact   fact = {0};
    if (plies >= TABLE_MIN)
        fact = win_table_find(table, node);
    if (fact.win && fact.win <= plies)
        return true;
    if (fact.refuted >= plies)
        return false;
    bool     has_moves = false;
    TurfMove refutation = find_refutation(worker, node, plies, fact.move, &has_moves);
    if (worker->is_aborted)
        return false;
    bool is_lost = has_moves && !refutation;
    if (refutation)
        note_killer(worker, plies, refutation);
    if (plies >= TABLE_MIN)
        win_table_store(table, node,
                        is_lost ? (WinFact){.win = plies}
                                : (WinFact){.refuted = plies, .move = refutation});
    return is_lost;
}

/* ---- the root ------------------------------------------------------------------------------ */

static bool child_wins(Worker *worker, const WinNode *child, int plies)
{
    if (is_won(child))
        return true;
    if (!child->attacker || plies == 0)
        return false;
    return child->is_attacking ? is_win_for_attacker(worker, child, plies)
                               : is_lost_for_defender(worker, child, plies);
}

/* Takes root moves until there are none left. A reply that refutes ends it for all threads. */
static void *run_worker(void *argument)
{
    Worker *worker = argument;
    Search *search = worker->search;
    size_t  i;
    while (!worker->is_aborted && (i = atomic_fetch_add(&search->next, 1)) < search->root.n) {
        bool wins = child_wins(worker, &search->root.child[i].node, search->plies - 1);
        if (worker->is_aborted)
            break;
        atomic_store(&search->wins[i], wins);
        if (!wins && !search->is_attacking)
            atomic_store(&search->next, search->root.n);
    }
    return NULL;
}

/* Tries one length with all threads; false if it was stopped. */
static bool search_length(WolWinSolver *solver, Search *search, int plies)
{
    pthread_t threads[MAX_THREADS];
    int       n_workers = plies < PARALLEL_MIN ? 1 : solver->n_threads, n_started = 0;
    search->plies = plies;
    atomic_store(&search->next, 0);
    for (size_t i = 0; i < search->root.n; i++)
        atomic_store(&search->wins[i], false);
    /* If a thread cannot be started, go on with fewer. */
    while (n_started < n_workers - 1 && pthread_create(&threads[n_started], NULL, run_worker,
                                                       &solver->workers[n_started + 1]) == 0)
        n_started++;
    run_worker(&solver->workers[0]);
    for (int i = 0; i < n_started; i++)
        pthread_join(threads[i], NULL);
    return !atomic_load(&search->halt);
}

static void count_nodes(const WolWinSolver *solver, WolWin *win)
{
    win->nodes = 0;
    for (int i = 0; i < solver->n_threads; i++)
        win->nodes += solver->workers[i].nodes;
}

/* Fills in the win if this length has one. */
static void note_length(const Search *search, WolWin *win)
{
    size_t n_wins = 0;
    for (size_t i = 0; i < search->root.n; i++)
        if (atomic_load(&search->wins[i])) {
            n_wins++;
            if (search->is_attacking)
                win->moves[win->n_moves++] = search->root.child[i].move;
        }
    if (search->is_attacking ? n_wins > 0 : n_wins == search->root.n)
        win->plies = search->plies;
}

/* The line of a win: the attacker's first move that keeps it, the defender's first reply that
 * loses no sooner than the others. */
static void find_line(Worker *worker, WinNode node, WolWin *win)
{
    for (int left = win->plies; left > 0; left--) {
        Children children;
        expand(&node, &children);
        size_t found = children.n;
        for (size_t i = 0; i < children.n && found == children.n; i++) {
            const WinNode *child = &children.child[i].node;
            bool           is_given = left == win->plies && node.is_attacking;
            bool           is_right;
            if (is_given)
                is_right = children.child[i].move == win->moves[0];
            else if (node.is_attacking)
                is_right = child_wins(worker, child, left - 1);
            else
                is_right = left == 1 || (!is_won(child) && !child_wins(worker, child, left - 2));
            if (worker->is_aborted)
                return;
            if (is_right)
                found = i;
        }
        if (found == children.n)
            return;
        win->line[win->line_length++] = children.child[found].move;
        node = children.child[found].node;
    }
}

/* One length after the other, until there is a win. */
static void search_lengths(WolWinSolver *solver, Search *search, int max_plies, WolWin *win)
{
    for (int plies = 1; plies <= max_plies && !win->plies; plies++) {
        win->is_complete = search_length(solver, search, plies);
        note_length(search, win);
        if (!win->is_complete)
            return;
        if (!win->plies)
            win->refuted = plies;
        if (!win->plies && search->plan->progress) {
            count_nodes(solver, win);
            search->plan->progress(search->plan->context, win);
        }
    }
    /* The game cannot last longer. */
    if (!win->plies)
        win->refuted = search->plan->max_plies;
}

bool wol_win_search(WolWinSolver *solver, const WolState *state, const WolWinPlan *plan,
                    WolWin *win)
{
    int64_t    begin_ns = clock_ns();
    Search     search = {.table = &solver->table, .plan = plan};
    TurfEnding ending;
    int        limit = WOL_LONGEST - (int)state->moves_made;
    WinNode    root = {state->pieces[plan->attacker], state->pieces[!plan->attacker],
                       state->to_move == (uint32_t)plan->attacker};
    memset(win, 0, sizeof *win);
    win->is_complete = true;
    win->refuted = wol_is_over(state, &ending) ? plan->max_plies : 0;
    if (win->refuted)
        return true;
    solver->table.age++;
    for (int i = 0; i < solver->n_threads; i++)
        solver->workers[i] = (Worker){.search = &search};
    search.is_attacking = root.is_attacking;
    expand(&root, &search.root);
    search_lengths(solver, &search, plan->max_plies < limit ? plan->max_plies : limit, win);
    if (win->plies && win->is_complete && !plan->skip_line)
        find_line(&solver->workers[0], root, win);
    win->is_complete &= !atomic_load(&search.halt);
    count_nodes(solver, win);
    win->seconds = clock_seconds_since(begin_ns);
    return win->is_complete;
}
