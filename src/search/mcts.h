/* Monte Carlo tree search (UCT) for the turn-based games, with implicit minimax backups (Lanctot et
 * al., 2014): a node's worth mixes its playouts with the minimax of the static evaluations below
 * it.
 *
 * The children of a node are consecutive in a node pool of fixed size. The best move is the most
 * visited one. Single-threaded. */
#ifndef TURF_SEARCH_MCTS_H
#define TURF_SEARCH_MCTS_H

#include "games/game.h"

#include <stdatomic.h>

typedef struct MctsNode {
    float    sum;     /* of the playout results, for the side that made the move; a win is 1 */
    float    minimax; /* of the evaluations below, for the same side, 0 to 1 */
    uint32_t n_visits;
    uint32_t first_child; /* index; 0: not expanded */
    uint16_t n_children;
    uint16_t move;
    uint8_t  side;    /* who made the move */
    uint8_t  is_over; /* then `minimax` is the result: 0, 0.5 or 1 */
} MctsNode;

typedef struct MctsTree {
    MctsNode *nodes; /* nodes[0] is unused, nodes[1] is the root */
    MctsNode *spare; /* a second pool of the same size, to copy a subtree into */
    uint32_t  n_nodes, max_nodes;
    TurfState root; /* the position of the root */
    bool      has_root;
} MctsTree;

typedef struct MctsPlan {
    uint64_t           n_sims;      /* 0: no limit */
    int64_t            deadline_ns; /* 0: none */
    const atomic_bool *stop;        /* may be NULL */
    uint64_t           seed;        /* of the playouts' random numbers */
} MctsPlan;

typedef struct MctsSearch {
    const TurfGame *game;
    const void     *root_state, *context; /* as in AbWorker: both bodies use the same macros */
    unsigned        without;
    MctsTree       *tree;
    TurfRng         rng;
} MctsSearch;

/* One instance of mcts.inc.h: compiled for the game table, or for one game's rules header. */
typedef struct MctsGame {
    const char *how;
    void (*simulate)(MctsSearch *search, uint64_t n_sims);
} MctsGame;

extern const MctsGame mcts_table;
const MctsGame       *mcts_game_for(const TurfGame *game, const void *state);

/* Allocates both pools, n_bytes in all. False if out of memory. */
bool mcts_init(MctsTree *tree, size_t n_bytes);
void mcts_release(MctsTree *tree);
void mcts_clear(MctsTree *tree);

/* Searches a position that is not over, starting from its subtree if an earlier search reached it.
 * The children of the root are in tree->nodes from nodes[1].first_child on. Returns the number of
 * playouts. */
uint64_t mcts_search(const MctsGame *how, const TurfGame *game, const void *state,
                     const MctsPlan *plan, MctsTree *tree);

/* The most visited child; ties and finished games go by value. */
const MctsNode *mcts_best_child(const MctsTree *tree, const MctsNode *node);

#endif
