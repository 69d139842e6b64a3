/* Hostile build: gives every hash table a single bucket (ld's --wrap). Moves, values at a fixed
 * depth and the server's answers must not change; tables may only save work. */
#include "base/hash.h"
#include "search/squirrel_table.h"
#include "search/transposition.h"

bool __wrap_tt_init(TtTable *table, size_t n_bytes);
bool __real_tt_init(TtTable *table, size_t n_bytes);
bool __wrap_sw_table_init(SwTable *table, size_t bytes);
bool __real_sw_table_init(SwTable *table, size_t bytes);

size_t __wrap_hash_bucket(const void *bytes, size_t n_bytes, size_t n_buckets);

bool __wrap_tt_init(TtTable *table, size_t n_bytes) { return __real_tt_init(table, n_bytes > 0); }

bool __wrap_sw_table_init(SwTable *table, size_t bytes)
{
    (void)bytes;
    return __real_sw_table_init(table, 1);
}

size_t __wrap_hash_bucket(const void *bytes, size_t n_bytes, size_t n_buckets)
{
    (void)bytes;
    (void)n_bytes;
    (void)n_buckets;
    return 0;
}
