/* Quotas: how much of the server one client may have at a time.
 *
 * Everything a client can have too much of is a resource with units. There is one account per
 * client, and two kinds of units:
 *
 * - Slots are shared by all clients and held until they are given back (open games, streams; jobs
 *   in web/pool.h). A client may take a slot only while at least as many stay free as it already
 *   holds. So a single client gets half of them, two get a third each, and a newcomer finds one.
 * - Requests leave the account by themselves, so many per second (a leaky bucket).
 *
 * All clients behind one proxy share an account. Sockets per address are limited by libmicrohttpd.
 * Thread safety: all functions may be called from any thread. */
#ifndef TURF_WEB_QUOTA_H
#define TURF_WEB_QUOTA_H

#include "web/client.h"

#include <pthread.h>
#include <stddef.h>

enum { QUOTA_BUCKETS = 256 };

typedef enum Resource {
    SLOT_LIVE_GAME, /* that is not over */
    SLOT_STREAM,
    N_SLOT_KINDS,
    RATE_CONNECT = N_SLOT_KINDS,
    RATE_READ,
    RATE_CHANGE,
    RATE_CREATE,
    N_RESOURCES
} Resource;

typedef struct Quota {
    pthread_mutex_t lock;
    size_t          n_slots[N_SLOT_KINDS], n_taken[N_SLOT_KINDS]; /* n_slots does not change */
    struct Account *buckets[QUOTA_BUCKETS];
} Quota;

typedef enum QuotaGrant { QUOTA_GRANTED, QUOTA_ALL_FULL, QUOTA_CLIENT_FULL } QuotaGrant;

/* The rule for slots: may a client that holds `n_own` of the `n_taken` slots have one more? */
QuotaGrant quota_rule(size_t n_slots, size_t n_taken, size_t n_own);

void quota_init(Quota *quota, size_t n_live_games, size_t n_streams);
void quota_release(Quota *quota);
/* Takes one unit. Without memory for the account nothing is granted. */
QuotaGrant quota_take(Quota *quota, const Client *client, Resource resource);
/* Takes a slot however many are taken: for live games that come back from the store. */
void   quota_force(Quota *quota, const Client *client, Resource slot);
void   quota_give_back(Quota *quota, const Client *client, Resource slot);
size_t quota_n_taken(Quota *quota, Resource slot);
/* Seconds until a rejected client may make another request; at least 1. */
int quota_wait_s(Quota *quota, const Client *client, Resource rate);

#endif
