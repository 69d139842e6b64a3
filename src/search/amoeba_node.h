/* Positions of Amoeba Wars as its solver sees them: from the side to move, with a row after the
 * other, and without what cannot matter any more. */
#ifndef TURF_SEARCH_AMOEBA_NODE_H
#define TURF_SEARCH_AMOEBA_NODE_H

#include "base/bits.h"

#include <stdbool.h>
#include <stdint.h>

enum { AS_MAX_CELLS = 64, AS_SYMMETRIES = 4 };

/* What does not change during a game. */
typedef struct AsBoard {
    int      rows, columns, n_cells, steps;
    bool     has_chains, is_stuck_lost;
    uint64_t all, not_left, not_right; /* cells: all, and those not in the outer columns */
    int      n_symmetries;             /* the identity is not in the tables */
    uint64_t symmetry[AS_SYMMETRIES - 1][AS_MAX_CELLS / 8][256];
} AsBoard;

/* A cell is the mover's, the enemy's, open, or none of them: a wall. Kills only with chains. */
typedef struct AsNode {
    uint64_t own, enemy, open, own_kills, enemy_kills;
} AsNode;

void as_board_init(AsBoard *board, int rows, int columns);

/* The cells of a set and those around them, also beyond the board. */
static inline uint64_t as_near(const AsBoard *board, uint64_t set)
{
    uint64_t row = set | (set & board->not_right) << 1 | (set & board->not_left) >> 1;
    return row | row << board->columns | row >> board->columns;
}

/* The cells connected with `from` through `way`, and `from`. */
static inline uint64_t as_flood(const AsBoard *board, uint64_t from, uint64_t way)
{
    for (uint64_t more; (more = as_near(board, from) & way & ~from) != 0;)
        from |= more;
    return from;
}

/* Where the mover can go. */
static inline uint64_t as_reach(const AsBoard *board, const AsNode *node)
{
    uint64_t sources = node->own;
    if (board->has_chains && node->own_kills)
        sources = as_flood(board, sources, node->own_kills);
    return as_near(board, sources) & (node->open | node->enemy);
}

/* Plays a move of the mover, who stays to move; returns what its lead gains. */
static inline int as_play(const AsBoard *board, AsNode *node, uint64_t cell)
{
    if (node->enemy & cell) {
        node->enemy ^= cell;
        if (board->has_chains)
            node->own_kills |= cell;
        return 2;
    }
    node->open ^= cell;
    node->own |= cell;
    return 1;
}

static inline AsNode as_turned(const AsNode *node)
{
    return (AsNode){.own = node->enemy,
                    .enemy = node->own,
                    .open = node->open,
                    .own_kills = node->enemy_kills,
                    .enemy_kills = node->own_kills};
}

/* The cells that a side may ever fill, with those it has. With chains it may kill its way. */
static inline uint64_t as_region(const AsBoard *board, uint64_t own, uint64_t enemy, uint64_t open,
                                 uint64_t kills)
{
    return as_flood(board, own, board->has_chains ? open | enemy | kills : open);
}

/* Bounds of the mover's gain to the end of the game. */
typedef struct AsBounds {
    int lower, upper;
} AsBounds;

/* What a side can hope for: the open cells that it may fill, the other open ones, and the enemies
 * that it may kill. */
typedef struct AsHopes {
    int n_open, n_elsewhere, n_prey;
} AsHopes;

/* The most that a side can gain if it makes n_turns turns and the other side n_between of them
 * before the last, whole ones. It gains 1 for each cell that it fills and 2 for a kill, also of
 * cells that the other side fills in the meantime; so the other side had better fill cells, there
 * or elsewhere, than kill. */
static inline int as_most(int steps, int n_turns, int n_between, const AsHopes *hopes)
{
    int n_moves = steps * n_turns, n_replies = steps * n_between;
    int n_filled = n_replies < hopes->n_open ? n_replies : hopes->n_open;
    int n_open = hopes->n_open - n_filled, n_prey = hopes->n_prey + n_filled;
    int n_kills = n_prey < n_moves ? n_prey : n_moves;
    int n_births = n_moves - n_kills < n_open ? n_moves - n_kills : n_open;
    int n_other = n_replies - n_filled;
    int n_dear = n_other > hopes->n_elsewhere ? n_other - hopes->n_elsewhere : 0;
    return 2 * n_kills + n_births - n_replies - n_dear;
}

/* The most over all lengths of the game. */
static inline int as_most_of_all(int steps, bool is_first, const AsHopes *hopes)
{
    int most = 0;
    for (int n_turns = 1; steps * (n_turns - 1) <= hopes->n_open + hopes->n_prey; n_turns++) {
        int gain = as_most(steps, n_turns, is_first ? n_turns - 1 : n_turns, hopes);
        most = gain > most ? gain : most;
    }
    return most;
}

/* Turns into walls what cannot matter any more, and bounds the rest. */
static inline AsBounds as_reduce(const AsBoard *board, AsNode *node)
{
    uint64_t mine = as_region(board, node->own, node->enemy, node->open, node->own_kills);
    uint64_t theirs = as_region(board, node->enemy, node->own, node->open, node->enemy_kills);
    uint64_t near_mine = as_near(board, mine), near_theirs = as_near(board, theirs);
    AsHopes  mine_at_best = {bits_count(node->open & mine), bits_count(node->open & ~mine),
                             bits_count(node->enemy & near_mine)};
    AsHopes  theirs_at_best = {bits_count(node->open & theirs), bits_count(node->open & ~theirs),
                               bits_count(node->own & near_theirs)};
    AsBounds bounds = {.upper = as_most_of_all(board->steps, true, &mine_at_best),
                       .lower = -as_most_of_all(board->steps, false, &theirs_at_best)};
    node->open &= mine | theirs;
    /* A live cell that touches no open cell, no enemy and no chain is never a source of anything
     * and never killed. */
    uint64_t kills = node->own_kills | node->enemy_kills;
    uint64_t by_mine = as_near(board, node->open | node->enemy | kills),
             by_theirs = as_near(board, node->open | node->own | kills);
    if (board->has_chains) { /* cells that can be reached by killing what is before them */
        by_mine |= theirs;
        by_theirs |= mine;
    }
    uint64_t own = node->own & by_mine, enemy = node->enemy & by_theirs;
    if (kills) {
        uint64_t mine_left = 0, theirs_left = 0;
        for (uint64_t left = node->own_kills; left; left = bits_rest(left)) {
            uint64_t cell = left & -left;
            uint64_t near = as_near(board, cell) & ~cell;
            if (near & (node->open | node->enemy | node->own_kills))
                mine_left |= cell;
        }
        for (uint64_t left = node->enemy_kills; left; left = bits_rest(left)) {
            uint64_t cell = left & -left;
            uint64_t near = as_near(board, cell) & ~cell;
            if (near & (node->open | node->own | node->enemy_kills))
                theirs_left |= cell;
        }
        node->own_kills = mine_left;
        node->enemy_kills = theirs_left;
    }
    node->own = own;
    node->enemy = enemy;
    return bounds;
}

static inline uint64_t as_mix(uint64_t x)
{
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    x ^= x >> 32;
    return x;
}

/* The least of the keys of a node and its mirror images. Two bits tell what a cell is, so without
 * chains and with up to 32 cells no two nodes have the same key; otherwise it is a hash. */
uint64_t as_key(const AsBoard *board, const AsNode *node);

#endif
