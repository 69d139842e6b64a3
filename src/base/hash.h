/* Numbers for bytes: FNV-1a. Not against somebody who chooses the bytes. */
#ifndef TURF_BASE_HASH_H
#define TURF_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t hash_bytes(const void *bytes, size_t n_bytes);

/* The place of bytes in a table. */
size_t hash_bucket(const void *bytes, size_t n_bytes, size_t n_buckets);

#endif
