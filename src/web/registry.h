/* All live games in memory, by id.
 *
 * `lock` guards the table, not the games in it: a game is retained under it and used after it has
 * been released, and no game's lock is taken while it is held. Loading a game from the store is
 * done under it, so that no game is loaded twice. */
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
    int64_t            published_ns; /* when the list of live games last was */
} Registry;

Registry *registry_new(TurfError *error);
/* Releases all live games and ends their bots. NULL is fine. */
void registry_free(Registry *registry);

/* Retained; loaded from the store if it is not in memory. */
struct HostedGame *registry_find(struct Server *server, const char *id, TurfError *error);
void               registry_add(struct Server *server, struct HostedGame *hosted);
/* A slot for one more live game of a client. If there is none, one game is ended to make room, if
 * one can be: first games that were never started, then those idle for a day. */
QuotaGrant registry_take_slot(struct Server *server, const Client *client);
/* Dismisses the bot that has been idle for longest, if one is. */
void registry_dismiss_idle_bot(struct Server *server);
/* Loads the games that are not over. */
bool registry_restore(struct Server *server, TurfError *error);

/* Ticks every live game, unloads finished ones, publishes changes of the list. */
void registry_tick(struct Server *server);
void registry_ping(struct Server *server);
void registry_close_streams(struct Server *server);
void registry_stop_thinking(struct Server *server);
void registry_save_clocks(struct Server *server);
/* The listed games in memory: [summary, ...], the latest first; of one game if `game` is given. */
json_t *registry_summaries(struct Server *server, size_t max, bool wants_over, const char *game);

#endif
