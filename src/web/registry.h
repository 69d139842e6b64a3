/* All live games that are in memory, by id. */
#ifndef TURF_WEB_REGISTRY_H
#define TURF_WEB_REGISTRY_H

#include "turf.h"
#include "web/quota.h"

#include <jansson.h>
#include <pthread.h>

struct HostedGame;
struct Server;

enum { REGISTRY_BUCKETS = 1024 };

typedef struct Registry {
    pthread_mutex_t    lock;
    struct HostedGame *buckets[REGISTRY_BUCKETS];
    size_t             n_live_games;
    int64_t            told_ns; /* when the list of live games was last told */
} Registry;

Registry *registry_new(TurfError *error);
/* Lets go of all live games; their bots are ended. NULL is fine. */
void registry_free(Registry *registry);

/* Retained; loaded from the store if it is not in memory. NULL: there is none, or `error` has a
 * text. */
struct HostedGame *registry_find(struct Server *server, const char *id, TurfError *error);
void               registry_add(struct Server *server, struct HostedGame *hosted);
/* A place for one more live game of a caller. Makes room if it can: games that nobody came to play
 * go first, and then those that were left alone for long. */
QuotaGrant registry_take_slot(struct Server *server, const Client *client);
/* Ends the bot that was of no use for longest, if there is one that does not think. */
void registry_dismiss_idle_bot(struct Server *server);
/* Loads what is not over. */
bool registry_restore(struct Server *server, TurfError *error);

/* Ticks every live game, lets go of those that nobody needs, tells the list of live games. */
void registry_tick(struct Server *server);
void registry_ping(struct Server *server);
void registry_close_streams(struct Server *server);
void registry_stop_thinking(struct Server *server);
void registry_save_clocks(struct Server *server);
/* The live games that are in memory and listed: [summary, ...], the latest first. */
json_t *registry_summaries(struct Server *server, size_t max, bool wants_over, const char *game);

#endif
