/* Tournaments: runs in the store that are played here, one thread for each, and shown whether they
 * are or not. */
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
    /* The next three are guarded by the lock of all. */
    int         n_users; /* threads that play it, wait for it or open a stream of it */
    bool        is_running;
    TurfError   error; /* of the last time it was played */
    atomic_bool stop;
} Tournament;

typedef struct Tournaments {
    pthread_mutex_t lock;
    pthread_cond_t  changed;
    Tournament     *list; /* those that are played or looked at */
    int             n_running;
    /* For those that are played; they stay open until the end, as store_unlock_run says. */
    Store *stores[MAX_RUNNING];
    bool   is_taken[MAX_RUNNING];
} Tournaments;

/* NULL: `error` says why. */
Tournaments *tournaments_new(TurfError *error);
/* Stops what is being played, and waits for it. */
void tournaments_stop(Server *server);
/* Streams end, those that are asked for later at once. */
void tournaments_close_streams(Server *server);
void tournaments_free(Tournaments *tournaments); /* NULL is fine */

/* Writes a new run of the plan, which is taken over. */
bool tournament_make(Server *server, Plan *plan, int64_t *run, ApiError *api_error);
/* Plays what is missing. Refuses with a message if it is being played, is finished, or too many
 * are. */
bool tournament_play(Server *server, int64_t run, ApiError *api_error);
/* Asks a tournament that is being played to stop, and waits until it has. False: it was not being
 * played. */
bool tournament_stop(Server *server, int64_t run);

/* Entries of the list, latest first; and one in full. NULL: `error` says why, or has no text if
 * there is none. */
json_t *tournament_list(Server *server, size_t max, TurfError *error);
json_t *tournament_json(Server *server, int64_t run, TurfError *error);
/* A stream of one; NULL as above. */
struct MHD_Response *tournament_stream(Server *server, struct MHD_Connection *connection,
                                       int64_t run, TurfError *error);
/* To be called every now and then: lets go of what nobody looks at. */
void tournaments_tick(Server *server);
void tournaments_ping(Server *server);

/* ---- between tournaments.c and tournament_play.c ---- */

/* Begins to play it in a thread of its own; the lock of all is held. */
bool tournament_start(Tournament *tournament, TurfError *error);
/* As the two above, from a store that the caller has for himself. */
json_t *tournament_entries(Server *server, Store *store, size_t max, TurfError *error);
json_t *tournament_whole(Server *server, Store *store, int64_t run, TurfError *error);

#endif
