/* Quotas; see quota.h.
 *
 * Accounts are in a hash table with chains. Only accounts that hold slots must stay: of the others
 * each chain keeps the few that were used last, so that many addresses cannot fill the memory. The
 * lock is held for the length of one call and no other lock is taken under it. */
#include "web/quota.h"

#include "base/clock.h"

#include <stdlib.h>

enum { MAX_IDLE_IN_BUCKET = 8, N_UPLOADS = 8 };

/* How many units a client may use at once, and how many a second after that. */
static const struct {
    double burst, per_s;
} rates[N_RESOURCES] = {
    [RATE_CONNECT] = {4000, 1000},     [RATE_READ] = {8000, 2000}, [RATE_CHANGE] = {4000, 1000},
    [RATE_CREATE] = {400, 2},          [RATE_UPLOAD] = {60, 0.1},  [COST_CPU_MS] = {8000, 250},
    [COST_KIB] = {256 << 10, 16 << 10}};

typedef struct Account {
    struct Account *next;
    Client          client;
    int64_t         used_ns;
    double          n_held[N_RESOURCES]; /* slots; requests that had not leaked out at used_ns */
} Account;

QuotaGrant quota_rule(size_t n_slots, size_t n_taken, size_t n_own)
{
    if (n_taken >= n_slots)
        return QUOTA_ALL_FULL;
    return n_own < n_slots - n_taken ? QUOTA_GRANTED : QUOTA_CLIENT_FULL;
}

void quota_init(Quota *quota, size_t n_live_games, size_t n_streams)
{
    *quota = (Quota){
        .n_slots = {
            [SLOT_LIVE_GAME] = n_live_games, [SLOT_STREAM] = n_streams, [SLOT_UPLOAD] = N_UPLOADS}};
    pthread_mutex_init(&quota->lock, NULL);
}

void quota_release(Quota *quota)
{
    for (size_t bucket = 0; bucket < QUOTA_BUCKETS; bucket++)
        for (Account *each = quota->buckets[bucket], *next; each; each = next) {
            next = each->next;
            free(each);
        }
    pthread_mutex_destroy(&quota->lock);
}

static bool is_idle(const Account *account)
{
    for (int slot = 0; slot < N_SLOT_KINDS; slot++)
        if (account->n_held[slot] > 0)
            return false;
    return true;
}

/* Frees the least recently used idle account of a chain that has too many of them. */
static void trim(Account **chain)
{
    Account **oldest = NULL;
    size_t    n_idle = 0;
    for (Account **at = chain; *at; at = &(*at)->next) {
        if (!is_idle(*at))
            continue;
        n_idle++;
        if (!oldest || (*at)->used_ns < (*oldest)->used_ns)
            oldest = at;
    }
    if (n_idle < MAX_IDLE_IN_BUCKET)
        return;
    Account *gone = *oldest;
    *oldest = gone->next;
    free(gone);
}

/* The account of a client, opened if there is none; NULL when memory is short. The lock is held. */
static Account *find(Quota *quota, const Client *client)
{
    Account **chain = &quota->buckets[client_bucket(client, QUOTA_BUCKETS)];
    for (Account *each = *chain; each; each = each->next)
        if (client_equals(&each->client, client))
            return each;
    trim(chain);
    Account *account = calloc(1, sizeof *account);
    if (account) {
        *account = (Account){.next = *chain, .client = *client, .used_ns = clock_ns()};
        *chain = account;
    }
    return account;
}

/* Lets requests leave the buckets for the time since the account was last used. */
static void leak(Account *account)
{
    int64_t now_ns = clock_ns();
    double  seconds = (double)(now_ns - account->used_ns) / 1e9;
    for (int rate = N_SLOT_KINDS; rate < N_RESOURCES; rate++) {
        double left = account->n_held[rate] - seconds * rates[rate].per_s;
        account->n_held[rate] = left > 0 ? left : 0;
    }
    account->used_ns = now_ns;
}

/* Seconds until the client may make a request of this kind; 0: now. */
static double excess_s(const Account *account, Resource rate)
{
    const Resource kinds[] = {rate, COST_CPU_MS, COST_KIB};
    double         longest_s = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        double excess = account->n_held[kinds[i]] + (i == 0) - rates[kinds[i]].burst;
        if (excess > longest_s * rates[kinds[i]].per_s)
            longest_s = excess / rates[kinds[i]].per_s;
    }
    return longest_s;
}

static QuotaGrant ask(const Quota *quota, const Account *account, Resource resource)
{
    double n_held = account->n_held[resource];
    if (resource < N_SLOT_KINDS)
        return quota_rule(quota->n_slots[resource], quota->n_taken[resource], (size_t)n_held);
    if (resource == RATE_CONNECT) /* a client in debt is told so when it asks */
        return n_held + 1 <= rates[resource].burst ? QUOTA_GRANTED : QUOTA_CLIENT_FULL;
    return excess_s(account, resource) > 0 ? QUOTA_CLIENT_FULL : QUOTA_GRANTED;
}

/* Without memory for an account only the total is counted. */
static void add(Quota *quota, Account *account, Resource resource)
{
    if (resource < N_SLOT_KINDS)
        quota->n_taken[resource]++;
    if (account)
        account->n_held[resource]++;
}

QuotaGrant quota_take(Quota *quota, const Client *client, Resource resource)
{
    QuotaGrant grant = QUOTA_ALL_FULL;
    pthread_mutex_lock(&quota->lock);
    Account *account = find(quota, client);
    if (account) {
        leak(account);
        grant = ask(quota, account, resource);
    }
    if (grant == QUOTA_GRANTED)
        add(quota, account, resource);
    pthread_mutex_unlock(&quota->lock);
    return grant;
}

void quota_force(Quota *quota, const Client *client, Resource slot)
{
    pthread_mutex_lock(&quota->lock);
    add(quota, find(quota, client), slot);
    pthread_mutex_unlock(&quota->lock);
}

void quota_give_back(Quota *quota, const Client *client, Resource slot)
{
    pthread_mutex_lock(&quota->lock);
    Account *account = find(quota, client);
    if (account && account->n_held[slot] > 0) /* or it was forced without memory for an account */
        account->n_held[slot]--;
    quota->n_taken[slot]--;
    pthread_mutex_unlock(&quota->lock);
}

void quota_charge(Quota *quota, const Client *client, Resource cost, double amount)
{
    pthread_mutex_lock(&quota->lock);
    Account *account = find(quota, client);
    if (account) {
        leak(account);
        account->n_held[cost] += amount;
    }
    pthread_mutex_unlock(&quota->lock);
}

size_t quota_n_taken(Quota *quota, Resource slot)
{
    pthread_mutex_lock(&quota->lock);
    size_t n_taken = quota->n_taken[slot];
    pthread_mutex_unlock(&quota->lock);
    return n_taken;
}

int quota_wait_s(Quota *quota, const Client *client, Resource rate)
{
    pthread_mutex_lock(&quota->lock);
    const Account *account = find(quota, client);
    double         wait_s = account ? excess_s(account, rate) : 0;
    pthread_mutex_unlock(&quota->lock);
    return 1 + (int)wait_s;
}
