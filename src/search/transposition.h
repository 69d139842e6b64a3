/* Transposition table with lockless hashing (Hyatt and Mann, 2002).
 *
 * Threads share the table without locks. An entry is two words, data and key xor data, so an entry
 * that two threads wrote at the same time matches no key. */
#ifndef TURF_SEARCH_TRANSPOSITION_H
#define TURF_SEARCH_TRANSPOSITION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TT_CLUSTER_SIZE = 4 }; /* entries in a cache line */

typedef enum TtBound { TT_NONE, TT_LOWER, TT_UPPER, TT_EXACT } TtBound;

typedef struct TtEntry {
    _Atomic uint64_t check, data;
} TtEntry;

typedef struct TtTable {
    TtEntry *entries; /* NULL: no table, nothing is stored */
    void    *memory;
    size_t   n_clusters; /* a power of two */
    uint8_t  generation; /* of the current search; entries of older ones are ignored */
} TtTable;

/* An entry, unpacked. */
typedef struct TtData {
    int      value, depth;
    TtBound  bound;
    uint32_t move;
} TtData;

/* Allocates the largest power of two that is at most n_bytes; a table of 0 bytes stores nothing.
 * False if out of memory. */
bool   tt_init(TtTable *table, size_t n_bytes);
void   tt_release(TtTable *table);
size_t tt_bytes(const TtTable *table);
/* Forgets all entries by starting a new generation, in constant time except every 255th call. */
void tt_clear(TtTable *table);

static inline uint64_t tt_pack(const TtData *info, uint8_t generation)
{
    return (uint64_t)(uint16_t)info->value | (uint64_t)(uint16_t)info->move << 16 |
           (uint64_t)(uint8_t)info->depth << 32 | (uint64_t)info->bound << 40 |
           (uint64_t)generation << 48;
}

static inline uint8_t tt_generation_of(uint64_t data) { return (uint8_t)(data >> 48); }
static inline int     tt_depth_of(uint64_t data) { return (uint8_t)(data >> 32); }

static inline TtEntry *tt_cluster(const TtTable *table, uint64_t key)
{
    return table->entries + TT_CLUSTER_SIZE * (key & (table->n_clusters - 1));
}

static inline bool tt_probe(const TtTable *table, uint64_t key, TtData *info)
{
    if (!table->entries)
        return false;
    TtEntry *entry = tt_cluster(table, key);
    for (int i = 0; i < TT_CLUSTER_SIZE; i++) {
        uint64_t data = atomic_load_explicit(&entry[i].data, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&entry[i].check, memory_order_relaxed);
        if ((check ^ data) == key && tt_generation_of(data) == table->generation) {
            *info = (TtData){(int16_t)data, tt_depth_of(data), (TtBound)(data >> 40 & 3),
                             (uint32_t)(data >> 16 & 0xffff)};
            return true;
        }
    }
    return false;
}

/* Replaces the entry of the same position, else one of an older generation, else the shallowest. */
static inline void tt_store(TtTable *table, uint64_t key, const TtData *info)
{
    if (!table->entries)
        return;
    TtEntry *entry = tt_cluster(table, key), *victim = entry;
    int      min = 1 << 10;
    for (int i = 0; i < TT_CLUSTER_SIZE; i++) {
        uint64_t data = atomic_load_explicit(&entry[i].data, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&entry[i].check, memory_order_relaxed);
        bool     is_old = tt_generation_of(data) != table->generation;
        int      worth = is_old ? -1 : tt_depth_of(data);
        if ((check ^ data) == key)
            worth = -2;
        if (worth < min) {
            min = worth;
            victim = &entry[i];
        }
    }
    uint64_t data = tt_pack(info, table->generation);
    atomic_store_explicit(&victim->check, key ^ data, memory_order_relaxed);
    atomic_store_explicit(&victim->data, data, memory_order_relaxed);
}

/* Hashes two words into one: the xor of the halves of their 128-bit product. */
static inline uint64_t tt_mix(uint64_t a, uint64_t b)
{
    __extension__ unsigned __int128 product =
        (unsigned __int128)(a ^ UINT64_C(0x9e3779b97f4a7c15)) * (b ^ UINT64_C(0xd1342543de82ef95));
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

#endif
