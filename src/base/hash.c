/* FNV-1a (Fowler, Noll and Vo), 64 bits. */
#include "base/hash.h"

uint64_t hash_bytes(const void *bytes, size_t n_bytes)
{
    const unsigned char *at = bytes;
    uint64_t             hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n_bytes; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

size_t hash_bucket(const void *bytes, size_t n_bytes, size_t n_buckets)
{
    return (size_t)(hash_bytes(bytes, n_bytes) % n_buckets);
}
