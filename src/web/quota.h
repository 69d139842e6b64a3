/* Places that callers share, such as games that may be open at once. Nobody gets one more than he
 * leaves free: a single caller has half of them, two have a third each, and whoever comes new
 * always finds one. All that comes through a proxy is one caller, which half of the places must do
 * for. */
#ifndef TURF_WEB_QUOTA_H
#define TURF_WEB_QUOTA_H

#include "web/client.h"

#include <pthread.h>
#include <stddef.h>

enum { QUOTA_BUCKETS = 256 };

typedef struct Quota {
    pthread_mutex_t  lock;
    size_t           max, n_taken;
    struct QuotaUse *buckets[QUOTA_BUCKETS];
} Quota;

typedef enum QuotaGrant { QUOTA_GRANTED, QUOTA_ALL_FULL, QUOTA_CLIENT_FULL } QuotaGrant;

/* May somebody who has `n_own` of `n_taken` places have one more? */
QuotaGrant quota_grant(size_t max, size_t n_taken, size_t n_own);

void quota_init(Quota *quota, size_t max);
void quota_release(Quota *quota);
/* A place for a caller, if he may have one more. Nobody is a caller like any other here. */
QuotaGrant quota_take(Quota *quota, const Client *client);
/* A place that must be there, however many there are. */
void   quota_force(Quota *quota, const Client *client);
void   quota_give_back(Quota *quota, const Client *client);
size_t quota_n_taken(Quota *quota);

#endif
