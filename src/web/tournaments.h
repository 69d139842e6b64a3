/* Tournaments of the server: stored runs, shown to clients and played here in a thread each.
 *
 * Locks: Tournaments.lock guards the list, its entries and the stores; it is never held while a run
 * is played, read or written. */
#ifndef TURF_WEB_TOURNAMENTS_H
#define TURF_WEB_TOURNAMENTS_H

#include "arena/plan.h"
#include "web/channel.h"
#include "web/api_error.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct Server Server;

enum {
    MAX_RUNNING = 2,
    MAX_TOURNAMENT_PLAYERS = 32,
    MAX_TOURNAMENT_GAMES = 10000000,
    RECORDED_GAMES = 20
};

typedef struct Tournament {
    struct Tournament *next;
    Server            *server;
    int64_t            run_id;
    Channel           *channel;
    /* The next three are guarded by Tournaments.lock. */
    int         n_users; /* threads that play it, wait for it or open a stream of it */
    bool        is_running;
    TurfError   error; /* of the last attempt to play it */
    atomic_bool stop;
} Tournament;

typedef struct Tournaments {
    pthread_mutex_t lock;
    pthread_cond_t  changed;
    Tournament     *list; /* those that are played or watched */
    int             n_running;
    /* One for each running tournament. They stay open until the server ends: see
     * store_unlock_run. */
    Store *stores[MAX_RUNNING];
    bool   is_taken[MAX_RUNNING];
} Tournaments;

/* NULL: `error` says why. */
Tournaments *tournaments_new(TurfError *error);
/* Stops all running tournaments, and waits for them. */
void tournaments_stop(Server *server);
/* Ends all event streams; later ones end at once. */
void tournaments_close_streams(Server *server);
void tournaments_free(Tournaments *tournaments); /* NULL is fine */

/* Stores a new run with this plan, which is taken over. */
bool tournament_make(Server *server, Plan *plan, int64_t *run, ApiError *api_error);
/* Starts playing the rest of a run. Fails if it is running or finished, or if too many run. */
bool tournament_play(Server *server, int64_t run, ApiError *api_error);
/* Stops a tournament and waits until it has stopped. False: it was not running. */
bool tournament_stop(Server *server, int64_t run);

/* NOT_FOUND for a round of the league, which is no tournament; reader_lock is held. */
bool tournament_is_there(Server *server, int64_t run, TurfError *error);
/* Entries of the list, latest first; and one in full. NULL: `error` says why, or has no text if
 * there is none. */
json_t *tournament_list(Server *server, size_t max, TurfError *error);
json_t *tournament_json(Server *server, int64_t run, TurfError *error);
/* A stream of one; NULL as above. */
struct MHD_Response *tournament_stream(Server *server, struct MHD_Connection *connection,
                                       int64_t run, TurfError *error);
/* Called regularly: frees entries that are neither played nor watched. */
void tournaments_tick(Server *server);
void tournaments_ping(Server *server);

/* ---- between tournaments.c and tournament_play.c ---- */

/* Starts a thread that plays it. Tournaments.lock is held. */
bool tournament_start(Tournament *tournament, TurfError *error);
/* Stops it, and waits until it has stopped. Tournaments.lock is held. */
void tournament_end(Tournament *tournament);
/* tournament_list and tournament_json, from a store of the caller. */
json_t *tournament_entries(Server *server, Store *store, size_t max, TurfError *error);
json_t *tournament_whole(Server *server, Store *store, int64_t run, TurfError *error);

#endif
