/* The table of the search for forced wins: what was proved about a position, for good.
 *
 * A fact says that the attacker can or cannot force a win within a number of plies. Colours are
 * relative to the attacker, so a fact serves either side. It stays true whatever is searched next:
 * the table is never cleared.
 *
 * Threads share it without locks. An entry is three words, the position xor the fact and the fact
 * (Hyatt and Mann, 2002), so one that two threads wrote at the same time matches no position. The
 * whole position is compared: no entry is taken for another. */
#ifndef TURF_SEARCH_WOL_WIN_TABLE_H
#define TURF_SEARCH_WOL_WIN_TABLE_H

#include "games/war_of_life.h"
#include "search/transposition.h"

enum { WIN_CLUSTER_WORDS = 16, WIN_CLUSTER_ENTRIES = 5 }; /* two cache lines */

/* A position as the attacker sees it. */
typedef struct WinNode {
    uint64_t attacker, defender;
    bool     is_attacking; /* the attacker is to move */
} WinNode;

/* What is known about a position. */
typedef struct WinFact {
    int      win;     /* a win is forced within so many plies; 0: unknown */
    int      refuted; /* no win is forced within so many plies */
    TurfMove move;    /* that won, or refuted; 0: none */
} WinFact;

typedef struct WinTable {
    _Atomic uint64_t *words;
    size_t            n_clusters; /* a power of two */
    uint8_t           age;        /* of the current search */
} WinTable;

/* Allocates the largest power of two of clusters that fits into n_bytes, and at least one. False if
 * out of memory. */
bool win_table_init(WinTable *table, size_t n_bytes);
void win_table_release(WinTable *table);

static inline _Atomic uint64_t *win_table_cluster(const WinTable *table, const WinNode *node)
{
    uint64_t hash = tt_mix(node->attacker, node->defender + node->is_attacking);
    return table->words + WIN_CLUSTER_WORDS * (hash & (table->n_clusters - 1));
}

/* The word of a fact, from the low end: win (8 bits), refuted (8), move (12), to move (1), age (8).
 * A fact that says nothing is zero, and so is an empty entry. */
static inline WinFact win_fact_unpack(uint64_t word)
{
    return (WinFact){(int)(word & 255), (int)(word >> 8 & 255), (TurfMove)(word >> 16 & 4095)};
}

/* The fact about a node, or one that says nothing. */
static inline WinFact win_table_find(const WinTable *table, const WinNode *node)
{
    _Atomic uint64_t *entry = win_table_cluster(table, node);
    for (int i = 0; i < WIN_CLUSTER_ENTRIES; i++, entry += 3) {
        uint64_t word = atomic_load_explicit(&entry[2], memory_order_relaxed);
        if ((atomic_load_explicit(&entry[0], memory_order_relaxed) ^ word) == node->attacker &&
            (atomic_load_explicit(&entry[1], memory_order_relaxed) ^ word) == node->defender &&
            (word >> 28 & 1) == node->is_attacking)
            return win_fact_unpack(word);
    }
    return (WinFact){0};
}

/* Stores a fact, with what was known before. */
void win_table_store(WinTable *table, const WinNode *node, WinFact fact);

#endif
