/* The server: the state that all requests share. web.c starts and stops it.
 *
 * The registry, the tournaments and the league are known here by pointer only, so that they can
 * include this file. Locks are taken in this order: a live game's; the registry's; store_lock or
 * reader_lock; the league's, then its player's; the tournaments'; and last those of bots, channels,
 * pools and the quota, which are never nested, but for those of joins (web/joins.h), home bots and
 * their channels, taken in this order. */
#ifndef TURF_WEB_SERVER_H
#define TURF_WEB_SERVER_H

#include "store/store.h"
#include "web/bot_slots.h"
#include "web/catalogue.h"
#include "web/channel.h"
#include "web/http.h"
#include "web/moment.h"
#include "web/owner.h"
#include "web/pool.h"
#include "web/quota.h"
#include "web/record_cache.h"
#include "web/time_limit.h"

#include <pthread.h>
#include <stdatomic.h>

enum {
    MAX_THINKING_JOBS = 4096,
    MAX_CHOICES = 16,
    MAX_READS = 1024,
    MAX_KEPT_PLAYERS = 16,
    STORE_WAIT_MS = 2000, /* for other programs that use the database */
    MAX_LISTED_TOURNAMENTS = 50
};

struct Server {
    const struct WebOptions *options;
    Http                     http;
    PlayerCatalogue          catalogue;
    struct Registry         *registry;    /* the live games */
    struct Tournaments      *tournaments; /* being played or looked at */
    struct LeagueService    *league;      /* NULL in a page without a server */
    struct Joins            *joins;       /* bots at home; the same */
    struct SubmissionWorker *submissions; /* NULL: nothing can be handed in */
    Channel                 *live;        /* the list of games being played */
    Quota                    quota;
    Owner                    owner;

    /* Two connections to the store, each for one thread at a time: one for the moves of live games,
     * which must be quick, one for reading history and tournaments. */
    pthread_mutex_t store_lock, reader_lock;
    Store          *store, *reader;

    Pool *players; /* searches of built-in players */
    Pool *bots;    /* waiting for bots */
    Pool *choices; /* /api/choose */
    Pool *readers; /* handlers that read much from the store */
    Pool *leavers; /* ending players, which may take a while for bots */

    BotSlots    bot_slots; /* of live games */
    RecordCache records;   /* finished games that were looked at lately */

    TimeLimits  time_limits;    /* of the threads of `choices` */
    atomic_int  n_kept_players; /* built-in players kept between moves */
    atomic_bool is_leaving;
    atomic_bool has_league; /* as the league's service saw last */
    int64_t     started_ms, pinged_ns, trimmed_ns;
};

#endif
