/* Places that callers share, such as games that may be open at once. Nobody gets one more than he leaves free: a single
 * caller has half of them, two have a third each, and whoever comes new always finds one. All that comes through a
 * proxy is one caller, which half of the places must do for. */
#ifndef TURF_WEB_SHARES_H
#define TURF_WEB_SHARES_H

#include "web/caller.h"

#include <pthread.h>
#include <stddef.h>

enum { SHARE_BUCKETS = 256 };

typedef struct Shares {
    pthread_mutex_t lock;
    size_t          most, n_taken;
    struct Share   *buckets[SHARE_BUCKETS];
} Shares;

typedef enum Grant { GRANT_GIVEN, GRANT_FULL, GRANT_USED_UP } Grant;

/* May somebody who has `n_own` of `n_taken` places have one more? */
Grant share_grant(size_t most, size_t n_taken, size_t n_own);

void shares_init(Shares *shares, size_t most);
void shares_release(Shares *shares);
/* A place for a caller, if he may have one more. Nobody is a caller like any other here. */
Grant shares_take(Shares *shares, const Caller *caller);
/* A place that must be there, however many there are. */
void   shares_force(Shares *shares, const Caller *caller);
void   shares_give_back(Shares *shares, const Caller *caller);
size_t shares_n_taken(Shares *shares);

#endif
