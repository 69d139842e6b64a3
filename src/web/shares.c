#include "web/shares.h"

#include <stdlib.h>

/* One caller's places. */
typedef struct Share {
    struct Share *next;
    Caller        caller;
    size_t        n_places;
} Share;

Grant share_grant(size_t most, size_t n_taken, size_t n_own)
{
    if (n_taken >= most)
        return GRANT_FULL;
    return n_own < most - n_taken ? GRANT_GIVEN : GRANT_USED_UP;
}

void shares_init(Shares *shares, size_t most)
{
    *shares = (Shares){.most = most};
    pthread_mutex_init(&shares->lock, NULL);
}

void shares_release(Shares *shares)
{
    for (size_t bucket = 0; bucket < SHARE_BUCKETS; bucket++)
        for (Share *each = shares->buckets[bucket], *next; each; each = next) {
            next = each->next;
            free(each);
        }
    pthread_mutex_destroy(&shares->lock);
}

/* Where the share of a caller hangs, or would. */
static Share **find(Shares *shares, const Caller *caller)
{
    Share **at = &shares->buckets[caller_bucket(caller, SHARE_BUCKETS)];
    while (*at && !caller_is(&(*at)->caller, caller))
        at = &(*at)->next;
    return at;
}

static void add(Shares *shares, Share **at, const Caller *caller)
{
    if (!*at && (*at = calloc(1, sizeof **at)))
        (*at)->caller = *caller;
    if (*at) /* short of memory, it is counted for all but not for him */
        (*at)->n_places++;
    shares->n_taken++;
}

Grant shares_take(Shares *shares, const Caller *caller)
{
    pthread_mutex_lock(&shares->lock);
    Share **at = find(shares, caller);
    Grant   grant = share_grant(shares->most, shares->n_taken, *at ? (*at)->n_places : 0);
    if (grant == GRANT_GIVEN)
        add(shares, at, caller);
    pthread_mutex_unlock(&shares->lock);
    return grant;
}

void shares_force(Shares *shares, const Caller *caller)
{
    pthread_mutex_lock(&shares->lock);
    add(shares, find(shares, caller), caller);
    pthread_mutex_unlock(&shares->lock);
}

void shares_give_back(Shares *shares, const Caller *caller)
{
    pthread_mutex_lock(&shares->lock);
    Share **at = find(shares, caller), *share = *at;
    if (share && --share->n_places == 0) {
        *at = share->next;
        free(share);
    }
    shares->n_taken--;
    pthread_mutex_unlock(&shares->lock);
}

size_t shares_n_taken(Shares *shares)
{
    pthread_mutex_lock(&shares->lock);
    size_t n_taken = shares->n_taken;
    pthread_mutex_unlock(&shares->lock);
    return n_taken;
}
