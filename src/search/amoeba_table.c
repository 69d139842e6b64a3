/* The table of proved bounds of Amoeba Wars' solver. The data of an entry, from the low end: lower
 * and upper bound (10 bits each), cost (6), cells of the best turn and their number (5 x 6 and 3).
 */
#include "search/amoeba_table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 << 20 };

bool as_table_init(AsTable *table, size_t bytes)
{
    size_t bucket = AS_WAYS * sizeof(AsEntry);
    table->n_buckets = 1;
    while (2 * table->n_buckets * bucket <= bytes)
        table->n_buckets *= 2;
    size_t size = table->n_buckets * bucket;
    table->entries = aligned_alloc(size < HUGE_PAGE ? bucket : HUGE_PAGE, size);
    if (!table->entries)
        return false;
#ifdef MADV_HUGEPAGE
    if (size >= HUGE_PAGE) /* lookups are anywhere: 40 % of the time is saved */
        (void)madvise(table->entries, size, MADV_HUGEPAGE);
#endif
    as_table_clear(table);
    return true;
}

void as_table_clear(AsTable *table)
{
    memset((void *)table->entries, 0, table->n_buckets * AS_WAYS * sizeof(AsEntry));
}

void as_table_free(AsTable *table) { free(table->entries); }

static uint64_t pack(const AsFact *fact)
{
    uint64_t data = (uint64_t)(fact->lower + AS_BOUND_BIAS) |
                    (uint64_t)(fact->upper + AS_BOUND_BIAS) << 10 | (uint64_t)fact->cost << 20 |
                    (uint64_t)fact->n_best << 56;
    for (int i = 0; i < fact->n_best; i++)
        data |= (uint64_t)fact->best[i] << (26 + 6 * i);
    return data;
}

static int cost_of(uint64_t data) { return (int)(data >> 20 & 63); }

static void unpack(uint64_t data, AsFact *fact)
{
    fact->lower = (int)(data & 1023) - AS_BOUND_BIAS;
    fact->upper = (int)(data >> 10 & 1023) - AS_BOUND_BIAS;
    fact->cost = cost_of(data);
    fact->n_best = (int)(data >> 56 & 7);
    for (int i = 0; i < AS_MAX_TURN; i++)
        fact->best[i] = (uint8_t)(data >> (26 + 6 * i) & 63);
}

static AsEntry *bucket_of(const AsTable *table, uint64_t key)
{
    return &table->entries[AS_WAYS * (key & (table->n_buckets - 1))];
}

bool as_table_find(const AsTable *table, uint64_t key, AsFact *fact)
{
    AsEntry *bucket = bucket_of(table, key);
    for (int i = 0; i < AS_WAYS; i++) {
        uint64_t check = atomic_load_explicit(&bucket[i].check, memory_order_relaxed);
        uint64_t data = atomic_load_explicit(&bucket[i].data, memory_order_relaxed);
        if (data != 0 && (check ^ data) == key) {
            unpack(data, fact);
            return true;
        }
    }
    return false;
}

/* Replaces what is known of the node, or else the entry that cost least. */
void as_table_store(const AsTable *table, uint64_t key, const AsFact *fact)
{
    AsEntry *bucket = bucket_of(table, key), *slot = bucket;
    int      least = 64;
    for (int i = 0; i < AS_WAYS; i++) {
        uint64_t check = atomic_load_explicit(&bucket[i].check, memory_order_relaxed);
        uint64_t data = atomic_load_explicit(&bucket[i].data, memory_order_relaxed);
        int      cost = data == 0 ? -1 : cost_of(data);
        if (data != 0 && (check ^ data) == key)
            cost = -2;
        if (cost < least) {
            least = cost;
            slot = &bucket[i];
        }
    }
    uint64_t data = pack(fact);
    atomic_store_explicit(&slot->check, key ^ data, memory_order_relaxed);
    atomic_store_explicit(&slot->data, data, memory_order_relaxed);
}
