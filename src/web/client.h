/* Who asks: an address, as far as one person is told from another by it. */
#ifndef TURF_WEB_CLIENT_H
#define TURF_WEB_CLIENT_H

#include "base/hash.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* An IPv4 address, or the network of an IPv6 one; all zero is nobody. */
typedef struct Client {
    uint8_t bytes[16];
} Client;

static inline bool caller_is(const Client *a, const Client *b)
{
    return !memcmp(a->bytes, b->bytes, sizeof a->bytes);
}

static inline bool caller_is_nobody(const Client *client)
{
    static const Client nobody = {{0}};
    return caller_is(client, &nobody);
}

static inline size_t caller_bucket(const Client *client, size_t n_buckets)
{
    return hash_bucket(client->bytes, sizeof client->bytes, n_buckets);
}

#endif
