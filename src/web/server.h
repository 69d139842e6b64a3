/* The server: the state that all requests share. web.c starts and stops it. Modules that are part
 * of it (the registry, tournaments) are known here by pointer only, so that they may include this.
 */
#ifndef TURF_WEB_SERVER_H
#define TURF_WEB_SERVER_H

#include "store/store.h"
#include "web/bot_slots.h"
#include "web/channel.h"
#include "web/pool.h"
#include "web/catalogue.h"
#include "web/quota.h"
#include "web/http.h"
#include "web/moment.h"
#include "web/time_limit.h"

#include <pthread.h>
#include <stdatomic.h>

enum {
    MAX_THINKING_JOBS = 4096,
    MAX_CHOICES = 16,
    MAX_READS = 64,
    MAX_KEPT_PLAYERS = 16,
    STORE_WAIT_MS = 2000, /* for other programs, in stores that requests wait for */
    MAX_LISTED_TOURNAMENTS = 50
};

struct Server {
    const struct WebOptions *options;
    Http                     http;
    PlayerCatalogue          catalogue;
    struct Registry         *registry;    /* the live games */
    struct Tournaments      *tournaments; /* being played or looked at */
    Channel                 *live;        /* the list of games being played */
    Quota                    quota;

    /* The store, twice, each for one thread at a time: for the moves of live games, which must be
     * quick, and for all that may take a while to add up. */
    pthread_mutex_t store_lock, reader_lock;
    Store          *store, *reader;

    Pool *players; /* built-in players think here, */
    Pool *bots;    /* other programs are waited for here, */
    Pool *choices; /* questions about any position are answered here, */
    Pool *readers; /* and those that take some looking up here; */
    Pool *leavers; /* players that are done with end here */

    BotSlots bot_slots; /* of live games */

    TimeLimits  time_limits;    /* of the threads of `choices` */
    atomic_int  n_kept_players; /* built-in ones that stay between moves */
    atomic_bool is_leaving;
    int64_t     started_ms, pinged_ns;
};

#endif
