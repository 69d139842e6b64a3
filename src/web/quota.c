#include "web/quota.h"

#include <stdlib.h>

/* One caller's places. */
typedef struct QuotaUse {
    struct QuotaUse *next;
    Client           client;
    size_t           n_places;
} QuotaUse;

QuotaGrant quota_grant(size_t max, size_t n_taken, size_t n_own)
{
    if (n_taken >= max)
        return QUOTA_ALL_FULL;
    return n_own < max - n_taken ? QUOTA_GRANTED : QUOTA_CLIENT_FULL;
}

void quota_init(Quota *quota, size_t max)
{
    *quota = (Quota){.max = max};
    pthread_mutex_init(&quota->lock, NULL);
}

void quota_release(Quota *quota)
{
    for (size_t bucket = 0; bucket < QUOTA_BUCKETS; bucket++)
        for (QuotaUse *each = quota->buckets[bucket], *next; each; each = next) {
            next = each->next;
            free(each);
        }
    pthread_mutex_destroy(&quota->lock);
}

/* Where the share of a caller hangs, or would. */
static QuotaUse **find(Quota *quota, const Client *client)
{
    QuotaUse **at = &quota->buckets[caller_bucket(client, QUOTA_BUCKETS)];
    while (*at && !caller_is(&(*at)->client, client))
        at = &(*at)->next;
    return at;
}

static void add(Quota *quota, QuotaUse **at, const Client *client)
{
    if (!*at && (*at = calloc(1, sizeof **at)))
        (*at)->client = *client;
    if (*at) /* short of memory, it is counted for all but not for him */
        (*at)->n_places++;
    quota->n_taken++;
}

QuotaGrant quota_take(Quota *quota, const Client *client)
{
    pthread_mutex_lock(&quota->lock);
    QuotaUse **at = find(quota, client);
    QuotaGrant grant = quota_grant(quota->max, quota->n_taken, *at ? (*at)->n_places : 0);
    if (grant == QUOTA_GRANTED)
        add(quota, at, client);
    pthread_mutex_unlock(&quota->lock);
    return grant;
}

void quota_force(Quota *quota, const Client *client)
{
    pthread_mutex_lock(&quota->lock);
    add(quota, find(quota, client), client);
    pthread_mutex_unlock(&quota->lock);
}

void quota_give_back(Quota *quota, const Client *client)
{
    pthread_mutex_lock(&quota->lock);
    QuotaUse **at = find(quota, client), *share = *at;
    if (share && --share->n_places == 0) {
        *at = share->next;
        free(share);
    }
    quota->n_taken--;
    pthread_mutex_unlock(&quota->lock);
}

size_t quota_n_taken(Quota *quota)
{
    pthread_mutex_lock(&quota->lock);
    size_t n_taken = quota->n_taken;
    pthread_mutex_unlock(&quota->lock);
    return n_taken;
}
