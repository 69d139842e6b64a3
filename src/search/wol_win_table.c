/* Memory and replacement of the table of forced wins. */
#include "search/wol_win_table.h"

#include <stdlib.h>

enum { CLUSTER_BYTES = WIN_CLUSTER_WORDS * 8 };

bool win_table_init(WinTable *table, size_t n_bytes)
{
    size_t n_clusters = 1;
    while (n_clusters <= n_bytes / CLUSTER_BYTES / 2)
        n_clusters *= 2;
    /* Pages of zeros from the system cost nothing until they are used. */
    *table = (WinTable){.words = calloc(n_clusters, CLUSTER_BYTES), .n_clusters = n_clusters};
    return table->words != NULL;
}

void win_table_release(WinTable *table)
{
    free((void *)table->words);
    table->words = NULL;
}

static uint64_t pack(const WinNode *node, WinFact fact, uint8_t age)
{
    return (uint64_t)fact.win | (uint64_t)fact.refuted << 8 | (uint64_t)fact.move << 16 |
           (uint64_t)node->is_attacking << 28 | (uint64_t)age << 29;
}

/* Replaces the entry of the same position, else one of an earlier search, else the one that took
 * the fewest plies to prove. */
void win_table_store(WinTable *table, const WinNode *node, WinFact fact)
{
    WinFact known = win_table_find(table, node);
    if (known.win && (!fact.win || known.win < fact.win))
        fact.win = known.win;
    if (known.refuted > fact.refuted)
        fact.refuted = known.refuted;
    _Atomic uint64_t *entry = win_table_cluster(table, node), *victim = entry;
    int               min = 1 << 10;
    for (int i = 0; i < WIN_CLUSTER_ENTRIES; i++, entry += 3) {
        uint64_t word = atomic_load_explicit(&entry[2], memory_order_relaxed);
        WinFact  old = win_fact_unpack(word);
        int      worth = old.win > old.refuted ? old.win : old.refuted;
        bool     is_same =
            (atomic_load_explicit(&entry[0], memory_order_relaxed) ^ word) == node->attacker &&
            (atomic_load_explicit(&entry[1], memory_order_relaxed) ^ word) == node->defender &&
            (word >> 28 & 1) == node->is_attacking;
        if ((word >> 29 & 255) != table->age)
            worth -= 300;
        if (is_same)
            worth = -1000;
        if (worth < min) {
            min = worth;
            victim = entry;
        }
    }
    uint64_t word = pack(node, fact, table->age);
    atomic_store_explicit(&victim[0], node->attacker ^ word, memory_order_relaxed);
    atomic_store_explicit(&victim[1], node->defender ^ word, memory_order_relaxed);
    atomic_store_explicit(&victim[2], word, memory_order_relaxed);
}
