/* The transposition table: what searches have learnt about positions. Threads share it without
 * locks: an entry is two words, the key is stored xor the data (Hyatt and Mann, 2002), and an entry
 * that two threads wrote at once fits no key. */
#ifndef TURF_SEARCH_TRANSPOSITION_H
#define TURF_SEARCH_TRANSPOSITION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TT_CLUSTER = 4 }; /* entries to a cache line */

typedef enum TtBound { TT_NOTHING, TT_AT_LEAST, TT_AT_MOST, TT_EXACTLY } TtBound;

typedef struct TtEntry {
    _Atomic uint64_t check, data;
} TtEntry;

typedef struct TtTable {
    TtEntry *entries; /* NULL: no table, nothing is kept */
    void    *memory;
    size_t   n_clusters; /* a power of two */
    uint8_t  generation; /* of the search that is running; what older ones left counts as nothing */
} TtTable;

/* What is known of a position. */
typedef struct TtNote {
    int      value, depth;
    TtBound  bound;
    uint32_t move;
} TtNote;

/* A table of the largest power of two of bytes that is not more than so many; 0 bytes make one that
 * keeps nothing. False when memory is short. */
bool   tt_init(TtTable *table, size_t n_bytes);
void   tt_release(TtTable *table);
size_t tt_bytes(const TtTable *table);
/* Forgets everything, at no cost: a search depends on its position alone and not on what was asked
 * before. */
void tt_forget(TtTable *table);

static inline uint64_t tt_pack(const TtNote *note, uint8_t generation)
{
    return (uint64_t)(uint16_t)note->value | (uint64_t)(uint16_t)note->move << 16 |
           (uint64_t)(uint8_t)note->depth << 32 | (uint64_t)note->bound << 40 |
           (uint64_t)generation << 48;
}

static inline uint8_t tt_generation_of(uint64_t data) { return (uint8_t)(data >> 48); }
static inline int     tt_depth_of(uint64_t data) { return (uint8_t)(data >> 32); }

static inline TtEntry *tt_cluster(const TtTable *table, uint64_t key)
{
    return table->entries + TT_CLUSTER * (key & (table->n_clusters - 1));
}

static inline bool tt_find(const TtTable *table, uint64_t key, TtNote *note)
{
    if (!table->entries)
        return false;
    TtEntry *entry = tt_cluster(table, key);
    for (int i = 0; i < TT_CLUSTER; i++) {
        uint64_t data = atomic_load_explicit(&entry[i].data, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&entry[i].check, memory_order_relaxed);
        if ((check ^ data) == key && tt_generation_of(data) == table->generation) {
            *note = (TtNote){(int16_t)data, tt_depth_of(data), (TtBound)(data >> 40 & 3),
                             (uint32_t)(data >> 16 & 0xffff)};
            return true;
        }
    }
    return false;
}

/* Takes the place of the same position, else of an old entry, else of the shallowest. */
static inline void tt_store(TtTable *table, uint64_t key, const TtNote *note)
{
    if (!table->entries)
        return;
    TtEntry *entry = tt_cluster(table, key), *place = entry;
    int      min = 1 << 10;
    for (int i = 0; i < TT_CLUSTER; i++) {
        uint64_t data = atomic_load_explicit(&entry[i].data, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&entry[i].check, memory_order_relaxed);
        bool     is_old = tt_generation_of(data) != table->generation;
        int      worth = (check ^ data) == key ? -2 : is_old ? -1 : tt_depth_of(data);
        if (worth < min) {
            min = worth;
            place = &entry[i];
        }
    }
    uint64_t data = tt_pack(note, table->generation);
    atomic_store_explicit(&place->check, key ^ data, memory_order_relaxed);
    atomic_store_explicit(&place->data, data, memory_order_relaxed);
}

/* A good word from two: the halves of a product of 128 bits. */
static inline uint64_t tt_mix(uint64_t a, uint64_t b)
{
    __extension__ unsigned __int128 product =
        (unsigned __int128)(a ^ UINT64_C(0x9e3779b97f4a7c15)) * (b ^ UINT64_C(0xd1342543de82ef95));
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

#endif
