/* A client of the server, as far as clients can be told apart: an IPv4 address, or an IPv6 network
 * of 64 bits, since one client usually has all of its addresses. */
#ifndef TURF_WEB_CLIENT_H
#define TURF_WEB_CLIENT_H

#include "base/hash.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct Client {
    uint8_t bytes[16]; /* all zero: no client, as for a live game that came from the store */
} Client;

static inline bool client_equals(const Client *a, const Client *b)
{
    return !memcmp(a->bytes, b->bytes, sizeof a->bytes);
}

static inline bool client_is_none(const Client *client)
{
    static const Client none = {{0}};
    return client_equals(client, &none);
}

static inline size_t client_bucket(const Client *client, size_t n_buckets)
{
    return hash_bucket(client->bytes, sizeof client->bytes, n_buckets);
}

#endif
