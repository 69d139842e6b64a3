/* The table of proved bounds of Amoeba Wars' solver, shared by its threads without locks: an entry
 * is two words, the key XORed with the data, so that one torn by two writers matches nothing. */
#ifndef TURF_SEARCH_AMOEBA_TABLE_H
#define TURF_SEARCH_AMOEBA_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct AsEntry {
    _Atomic uint64_t check, data;
} AsEntry;

typedef struct AsTable {
    AsEntry *entries;
    size_t   n_buckets; /* of AS_WAYS entries, a cache line; a power of two */
} AsTable;

enum { AS_WAYS = 4, AS_MAX_TURN = 5, AS_BOUND_BIAS = 512 };

/* What is known of a node: bounds, the turn that gave the lower one, and how much it cost. */
typedef struct AsFact {
    int     lower, upper;
    int     n_best; /* cells of the turn, in order */
    uint8_t best[AS_MAX_TURN];
    int     cost; /* log2 of the nodes below */
} AsFact;

bool as_table_init(AsTable *table, size_t bytes); /* false: out of memory */
void as_table_clear(AsTable *table);
void as_table_free(AsTable *table);
bool as_table_find(const AsTable *table, uint64_t key, AsFact *fact);
void as_table_store(const AsTable *table, uint64_t key, const AsFact *fact);

static inline void as_table_prefetch(const AsTable *table, uint64_t key)
{
    __builtin_prefetch(&table->entries[AS_WAYS * (key & (table->n_buckets - 1))]);
}

#endif
