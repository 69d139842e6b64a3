/* Allocation of the transposition table, and clearing it by generations. */
#include "search/transposition.h"

#include <stdlib.h>
#include <string.h>

enum { CLUSTER_BYTES = TT_CLUSTER_SIZE * sizeof(TtEntry) };

bool tt_init(TtTable *table, size_t n_bytes)
{
    *table = (TtTable){.n_clusters = 1, .generation = 1};
    if (n_bytes == 0)
        return true;
    while (table->n_clusters * 2 * CLUSTER_BYTES <= n_bytes)
        table->n_clusters *= 2;
    /* calloc hands out zero pages lazily, aligned_alloc would need a memset: so align by hand, to
     * cache lines. */
    table->memory = calloc(table->n_clusters + 1, CLUSTER_BYTES);
    if (!table->memory)
        return false;
    uintptr_t at = (uintptr_t)table->memory;
    table->entries = (TtEntry *)(void *)((char *)table->memory +
                                         (CLUSTER_BYTES - at % CLUSTER_BYTES) % CLUSTER_BYTES);
    return true;
}

void tt_release(TtTable *table)
{
    free(table->memory);
    *table = (TtTable){.n_clusters = 1};
}

size_t tt_bytes(const TtTable *table)
{
    return table->entries ? table->n_clusters * CLUSTER_BYTES : 0;
}

void tt_clear(TtTable *table)
{
    /* Generation 0 is that of unused memory; no search has it. */
    if (++table->generation != 0)
        return;
    table->generation = 1;
    if (table->entries)
        memset(table->entries, 0, table->n_clusters * CLUSTER_BYTES);
}
