/* The server: what all requests share. */
#ifndef TURF_WEB_SERVER_H
#define TURF_WEB_SERVER_H

#include "store/store.h"
#include "web/channel.h"
#include "web/access.h"
#include "web/pool.h"
#include "web/registry.h"
#include "web/catalogue.h"
#include "web/quota.h"
#include "web/tournaments.h"
#include "web/web.h"

#include <pthread.h>
#include <stdatomic.h>

enum {
    MAX_THINKING_JOBS = 4096,
    MAX_CHOICES = 16,
    MAX_READS = 64,
    MAX_KEPT_PLAYERS = 16,
    N_CHOOSERS = 3,
    STORE_WAIT_MS = 2000, /* for other programs, in stores that requests wait for */
    MAX_LISTED_TOURNAMENTS = 50
};

/* A time limit for a thought. */
typedef struct Watch {
    int64_t     until_ns; /* 0: not in use */
    atomic_bool is_up;    /* read without the lock */
} Watch;

struct Server {
    const WebOptions *options;
    AccessControl    *access;
    PlayerCatalogue   catalogue;
    Registry          registry;
    Channel          *live;            /* the list of games being played */
    Quota             places, streams; /* for live games that are not over; for streams of events */

    Tournaments tournaments;

    /* The store, twice, each for one thread at a time: for the moves of live games, which must be
     * quick, and for all that may take a while to add up. */
    pthread_mutex_t store_lock, reader_lock;
    Store          *store, *reader;

    Pool *players; /* built-in players think here, */
    Pool *bots;    /* other programs are waited for here, */
    Pool *choices; /* questions about any position are answered here, */
    Pool *readers; /* and those that take some looking up here; */
    Pool *leavers; /* players that are done with end here */

    /* Processes of bots in live games. */
    pthread_mutex_t bots_lock;
    pthread_cond_t  bots_changed;
    size_t          n_bots, max_bots;
    size_t n_leaving_bots, n_waiting_for_bots; /* of those alive; threads that want one more */

    pthread_mutex_t watches_lock;
    Watch           watches[N_CHOOSERS];

    struct MHD_Daemon *daemon;
    int                listener;
    unsigned           max_connections;
    atomic_size_t      n_responding;   /* requests that came in whole, streams among them */
    atomic_int         n_kept_players; /* built-in ones that stay between moves */
    atomic_bool        is_leaving;
    int64_t            started_ms, pinged_ns;
};

/* For the threads of `choices`, of which there are as many as watches. */
Watch *watch_begin(Server *server, int64_t until_ns);
void   watch_end(Server *server, Watch *watch);

/* Milliseconds since 1970, and such a moment as JSON: ISO 8601, to the second. */
int64_t now_ms(void);
json_t *moment_json(int64_t ms);

#endif
