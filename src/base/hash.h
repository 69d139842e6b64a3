/* FNV-1a hash. Not safe against inputs chosen to collide. */
#ifndef TURF_BASE_HASH_H
#define TURF_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t hash_bytes(const void *bytes, size_t n_bytes);

/* Bucket index in a hash table. */
size_t hash_bucket(const void *bytes, size_t n_bytes, size_t n_buckets);

#endif
