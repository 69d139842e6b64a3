/* The tree of the Monte Carlo search: its memory, reuse of a subtree from one move to the next,
 * limits, and the choice of an instance.
 *
 * Invariant: nodes[FIRST_NODE] is the root, and every node's children lie after it in the pool. */
#include "search/mcts.h"

#include "base/clock.h"
#include "base/cpu.h"
#include "base/rng.h"
#include "games/amoeba_wars.h"
#include "games/squirrel_war.h"

#include <stdlib.h>
#include <string.h>

enum { POLL_PLAYOUTS = 16, FIRST_NODE = 1 };

bool mcts_init(MctsTree *tree, size_t n_bytes)
{
    size_t max = n_bytes / (2 * sizeof(MctsNode));

    *tree = (MctsTree){.max_nodes = max > UINT32_MAX ? UINT32_MAX : (uint32_t)max};
    tree->nodes = calloc(tree->max_nodes, sizeof *tree->nodes);
    tree->spare = calloc(tree->max_nodes, sizeof *tree->spare);
    return tree->nodes && tree->spare;
}

void mcts_release(MctsTree *tree)
{
    free(tree->nodes);
    free(tree->spare);
    *tree = (MctsTree){0};
}

void mcts_clear(MctsTree *tree) { tree->has_root = false; }

/* ---- reusing a subtree -------------------------------------------------------------------- */

/* Copies a subtree to the spare pool in breadth-first order: the copy is its own queue. */
static void keep_subtree(MctsTree *tree, const MctsNode *root)
{
    MctsNode *to = tree->spare;
    uint32_t  n_nodes = FIRST_NODE + 1;
    to[FIRST_NODE] = *root;
    for (uint32_t at = FIRST_NODE; at < n_nodes; at++) {
        if (!to[at].first_child)
            continue;
        memcpy(&to[n_nodes], &tree->nodes[to[at].first_child], to[at].n_children * sizeof *to);
        to[at].first_child = n_nodes;
        n_nodes += to[at].n_children;
    }
    tree->spare = tree->nodes;
    tree->nodes = to;
    tree->n_nodes = n_nodes;
}

/* Finds the node of the position `target` at most n_moves below `node`; NULL if the tree has none.
 */
static const MctsNode *find_position(const MctsTree *tree, const TurfGame *game,
                                     const MctsNode *node, const TurfState *state,
                                     const void *target, int n_moves)
{
    if (!memcmp(state, target, game->state_size))
        return node;
    if (n_moves == 0 || !node->first_child)
        return NULL;
    for (int i = 0; i < node->n_children; i++) {
        const MctsNode *child = &tree->nodes[node->first_child + (uint32_t)i];
        TurfState       after;
        if (child->n_visits < 2)
            continue;
        memcpy(&after, state, game->state_size);
        game->apply(&after, child->move);
        const MctsNode *found = find_position(tree, game, child, &after, target, n_moves - 1);
        if (found)
            return found;
    }
    return NULL;
}

/* Makes a position the root, keeping its subtree if there is one and dropping the rest. */
static void set_root(MctsTree *tree, const TurfGame *game, const void *state)
{
    /* Our move and the opponent's turn. */
    int             max_depth = 1 + (game->moves_per_turn ? game->moves_per_turn : 1);
    const MctsNode *found = NULL;
    if (tree->has_root)
        found = find_position(tree, game, &tree->nodes[FIRST_NODE], &tree->root, state, max_depth);
    if (found) {
        keep_subtree(tree, found);
    } else {
        tree->n_nodes = FIRST_NODE + 1;
        tree->nodes[FIRST_NODE] = (MctsNode){.side = (uint8_t)!game->to_move(state)};
    }
    memcpy(&tree->root, state, game->state_size);
    tree->has_root = true;
}

/* ---- searching ---------------------------------------------------------------------------- */

static bool must_stop(const MctsPlan *plan, uint64_t n_done)
{
    return (plan->n_sims && n_done >= plan->n_sims) ||
           (plan->deadline_ns && clock_ns() >= plan->deadline_ns) ||
           (plan->stop && atomic_load_explicit(plan->stop, memory_order_relaxed));
}

uint64_t mcts_search(const MctsGame *how, const TurfGame *game, const void *state,
                     const MctsPlan *plan, MctsTree *tree)
{
    uint64_t n_done = 0;
    set_root(tree, game, state);
    MctsSearch search = {
        .game = game, .root_state = &tree->root, .tree = tree, .rng = rng_stream(plan->seed, 0)};
    do {
        uint64_t n = POLL_PLAYOUTS;
        if (plan->n_sims && plan->n_sims - n_done < n)
            n = plan->n_sims - n_done;
        how->simulate(&search, n);
        n_done += n;
    } while (!must_stop(plan, n_done));
    return n_done;
}

const MctsNode *mcts_best_child(const MctsTree *tree, const MctsNode *node)
{
    const MctsNode *child = &tree->nodes[node->first_child], *best = child;
    for (int i = 1; i < node->n_children; i++) {
        bool is_win = child[i].is_over && child[i].minimax > best->minimax;
        if (is_win || child[i].n_visits > best->n_visits ||
            (child[i].n_visits == best->n_visits && child[i].minimax > best->minimax))
            best = &child[i];
    }
    return best;
}

/* ---- choosing an instance ----------------------------------------------------------------- */

extern const MctsGame mcts_wol_portable, mcts_aw_portable, mcts_squirrel;
#ifdef TURF_X86_KERNELS
extern const MctsGame mcts_wol_v3, mcts_aw_v3;
#endif

const MctsGame *mcts_game_for(const TurfGame *game, const void *state)
{
    bool is_small_amoeba = game == &amoeba_wars && aw_is_small(state);
#ifdef TURF_X86_KERNELS
    if (game == &war_of_life && cpu_has_v3())
        return &mcts_wol_v3;
    if (is_small_amoeba && cpu_has_v3())
        return &mcts_aw_v3;
#endif
    if (game == &war_of_life)
        return &mcts_wol_portable;
    if (is_small_amoeba)
        return &mcts_aw_portable;
    if (game == &squirrel_war && sw_is_five(state))
        return &mcts_squirrel;
    return &mcts_table;
}
