/* Quotas: how much of the server one client may have at a time.
 *
 * Everything a client can have too much of is a resource with units. There is one account per
 * client, and two kinds of units:
 *
 * - Slots are shared by all clients and held until they are given back (connections, open games,
 *   streams; jobs in web/pool.h). A client may take a slot only while at least as many stay free as
 * it already holds. So a single client gets half of them, two get a third each, and a newcomer
 * finds one.
 * - Requests, and what they cost in CPU time and bytes, leave the account by themselves, so many
 *   units per second (a leaky bucket). The cost is known only afterwards: a client that owes more
 *   than its burst makes no further request until enough has leaked out.
 *
 * All clients behind a proxy that is not trusted (web/proxies.h) share an account. Thread safety:
 * all functions may be called from any thread. */
#ifndef TURF_WEB_QUOTA_H
#define TURF_WEB_QUOTA_H

#include "web/client.h"

#include <pthread.h>
#include <stddef.h>

enum { QUOTA_BUCKETS = 256 };

typedef enum Resource {
    SLOT_LIVE_GAME, /* that is not over */
    SLOT_STREAM,
    SLOT_UPLOAD, /* of a large body, which is kept in memory */
    SLOT_CONNECTION,
    N_SLOT_KINDS,
    RATE_CONNECT = N_SLOT_KINDS,
    RATE_READ,
    RATE_CHANGE,
    RATE_CREATE,
    RATE_UPLOAD,
    COST_CPU_MS, /* of handling requests */
    COST_KIB,    /* of bodies, in both directions */
    N_RESOURCES
} Resource;

typedef struct Quota {
    pthread_mutex_t lock;
    size_t          n_slots[N_SLOT_KINDS], n_taken[N_SLOT_KINDS]; /* n_slots is set at the start */
    struct Account *buckets[QUOTA_BUCKETS];
} Quota;

typedef enum QuotaGrant { QUOTA_GRANTED, QUOTA_ALL_FULL, QUOTA_CLIENT_FULL } QuotaGrant;

/* The rule for slots: may a client that holds `n_own` of the `n_taken` slots have one more? */
QuotaGrant quota_rule(size_t n_slots, size_t n_taken, size_t n_own);

void quota_init(Quota *quota, size_t n_live_games, size_t n_streams);
void quota_release(Quota *quota);
/* Takes one unit; for a request, if its client owes no costs. Without memory for the account
 * nothing is granted. */
QuotaGrant quota_take(Quota *quota, const Client *client, Resource resource);
/* Takes a slot however many are taken: for live games that come back from the store. */
void quota_force(Quota *quota, const Client *client, Resource slot);
void quota_give_back(Quota *quota, const Client *client, Resource slot);
/* Adds what a request has cost. */
void   quota_charge(Quota *quota, const Client *client, Resource cost, double amount);
size_t quota_n_taken(Quota *quota, Resource slot);
/* Seconds until a rejected client may make another request; at least 1. */
int quota_wait_s(Quota *quota, const Client *client, Resource rate);

#endif
