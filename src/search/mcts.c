#include "search/mcts.h"

#include "base/clock.h"
#include "base/cpu.h"
#include "base/rng.h"
#include "games/amoeba_wars.h"

#include <stdlib.h>
#include <string.h>

enum { LOOK_EVERY = 16, FIRST_NODE = 1 };

bool mcts_init(MctsTree *tree, size_t n_bytes)
{
    size_t max = n_bytes / (2 * sizeof(MctsNode));
    /* Two halves: what is kept of one tree is copied into the other. */
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

void mcts_forget(MctsTree *tree) { tree->has_root = false; }

/* ---- keeping a part of the tree ----------------------------------------------------------- */

/* Copies what is below a node to the spare half, level by level: the copy is its own queue. */
static void keep_below(MctsTree *tree, const MctsNode *root)
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

/* The node of a position that can be reached from another node in a few moves; NULL if it is not in
 * the tree. */
static const MctsNode *find_position(const MctsTree *tree, const TurfGame *game,
                                     const MctsNode *node, const TurfState *state,
                                     const void *wanted, int n_moves)
{
    if (!memcmp(state, wanted, game->state_size))
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
        const MctsNode *found = find_position(tree, game, child, &after, wanted, n_moves - 1);
        if (found)
            return found;
    }
    return NULL;
}

/* Makes a position the root: what is known about it is kept, and nothing else. */
static void set_root(MctsTree *tree, const TurfGame *game, const void *state)
{
    /* A move of mine, and a turn of the other's. */
    int             deepest = 1 + (game->moves_per_turn ? game->moves_per_turn : 1);
    const MctsNode *found = tree->has_root ? find_position(tree, game, &tree->nodes[FIRST_NODE],
                                                           &tree->root, state, deepest)
                                           : NULL;
    if (found) {
        keep_below(tree, found);
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
        uint64_t n =
            plan->n_sims && plan->n_sims - n_done < LOOK_EVERY ? plan->n_sims - n_done : LOOK_EVERY;
        how->simulate(&search, n);
        n_done += n;
    } while (!must_stop(plan, n_done));
    return n_done;
}

const MctsNode *mcts_best_child(const MctsTree *tree, const MctsNode *node)
{
    const MctsNode *child = &tree->nodes[node->first_child], *best = child;
    for (int i = 1; i < node->n_children; i++) {
        bool is_win = child[i].is_over && child[i].likely > best->likely;
        if (is_win || child[i].n_visits > best->n_visits ||
            (child[i].n_visits == best->n_visits && child[i].likely > best->likely))
            best = &child[i];
    }
    return best;
}

/* ---- the choice --------------------------------------------------------------------------- */

extern const MctsGame mcts_wol_portable, mcts_aw_portable, mcts_squirrel;
#ifdef TURF_X86_KERNELS
extern const MctsGame mcts_wol_v3, mcts_aw_v3;
#endif

const MctsGame *mcts_game_for(const TurfGame *game, const void *state)
{
    bool is_small_amoeba = game == &amoeba_wars && aw_is_small(state);
#ifdef TURF_X86_KERNELS
    if (cpu_has_v3() && (game == &war_of_life || is_small_amoeba))
        return is_small_amoeba ? &mcts_aw_v3 : &mcts_wol_v3;
#endif
    if (game == &war_of_life)
        return &mcts_wol_portable;
    return is_small_amoeba         ? &mcts_aw_portable
           : game == &squirrel_war ? &mcts_squirrel
                                   : &mcts_table;
}
