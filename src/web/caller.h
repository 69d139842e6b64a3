/* Who asks: an address, as far as one person is told from another by it. */
#ifndef TURF_WEB_CALLER_H
#define TURF_WEB_CALLER_H

#include "base/hash.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* An IPv4 address, or the network of an IPv6 one; all zero is nobody. */
typedef struct Caller {
    uint8_t bytes[16];
} Caller;

static inline bool caller_is(const Caller *a, const Caller *b) { return !memcmp(a->bytes, b->bytes, sizeof a->bytes); }

static inline bool caller_is_nobody(const Caller *caller)
{
    static const Caller nobody = {{0}};
    return caller_is(caller, &nobody);
}

static inline size_t caller_bucket(const Caller *caller, size_t n_buckets)
{
    return hash_bucket(caller->bytes, sizeof caller->bytes, n_buckets);
}

#endif
