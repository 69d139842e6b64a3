/* Monte Carlo tree search for the turn-based games: a tree of what has been tried, playouts from
 * its leaves, and the measure of the search by depth mixed in.
 *
 * A node keeps its children one after another in an arena of fixed size. The best move is the one
 * tried most. */
#ifndef TURF_SEARCH_MCTS_H
#define TURF_SEARCH_MCTS_H

#include "games/game.h"

#include <stdatomic.h>

typedef struct MctsNode {
    float    sum;    /* of the results for the side that made the move, 1 for a win */
    float    likely; /* the minimax of the measure, for the same side, 0 to 1 */
    uint32_t n_visits;
    uint32_t first_child; /* 0: not expanded */
    uint16_t n_children;
    uint16_t move;
    uint8_t  side;    /* who made the move */
    uint8_t  is_over; /* and what for is in `likely` */
} MctsNode;

typedef struct MctsTree {
    MctsNode *nodes; /* the first is never used, the second is the root */
    MctsNode *spare; /* as many again, for keeping a part of the tree */
    uint32_t  n_nodes, max_nodes;
    TurfState root; /* the position of the root */
    bool      has_root;
} MctsTree;

typedef struct MctsPlan {
    uint64_t           n_sims;      /* 0: no limit */
    int64_t            deadline_ns; /* 0: none */
    const atomic_bool *stop;        /* may be NULL */
    uint64_t           seed;        /* of the playouts */
} MctsPlan;

typedef struct MctsSearch {
    const TurfGame *game;
    const void     *root_state,
        *context; /* as those of an AbWorker, since the rules are seen by the same macros */
    unsigned  without;
    MctsTree *tree;
    TurfRng   rng;
} MctsSearch;

/* One way to run playouts: the body of mcts.inc.h, compiled for the table or for a game's rules. */
typedef struct MctsGame {
    const char *how;
    void (*simulate)(MctsSearch *search, uint64_t n_sims);
} MctsGame;

extern const MctsGame mcts_table;
const MctsGame       *mcts_game_for(const TurfGame *game, const void *state);

/* Room for so many bytes of nodes. */
bool mcts_init(MctsTree *tree, size_t n_bytes);
void mcts_release(MctsTree *tree);
void mcts_forget(MctsTree *tree);

/* Searches a position that is not over; keeps what an earlier search learnt about it. The children
 * of the root are in tree->nodes from nodes[1].first_child on. Returns the number of playouts. */
uint64_t mcts_search(const MctsGame *how, const TurfGame *game, const void *state,
                     const MctsPlan *plan, MctsTree *tree);

/* The child that was tried most. */
const MctsNode *mcts_best_child(const MctsTree *tree, const MctsNode *node);

#endif
