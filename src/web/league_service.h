/* The league of the server's database, if there is one: kept up to date, shown, and played.
 *
 * Whoever changes the league (this server's player, the owner in the page, turf league in another
 * terminal), the service finds out by the number of the last commit, reads what is new, and
 * publishes the state as an event `league`, at most once a second.
 *
 * Locks: LeagueService.lock guards the connection `store`, the copy of the league and the texts
 * made of it. It is held while they are read, so only by threads of pools and the main thread,
 * which does not wait for it. Under it only locks of channels are taken. */
#ifndef TURF_WEB_LEAGUE_SERVICE_H
#define TURF_WEB_LEAGUE_SERVICE_H

#include "league/league_table.h"
#include "league/league_watch.h"
#include "web/channel.h"
#include "web/league_game_list.h"
#include "web/league_player.h"

#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct Server Server;

/* Who looks at it. */
typedef enum LeagueViewer { FOR_VISITORS, FOR_INSIDERS } LeagueViewer; /* teams and the owner */
enum { N_LEAGUE_VIEWERS = FOR_INSIDERS + 1 };

typedef struct LeagueService {
    pthread_mutex_t lock;
    Store          *store;
    LeagueWatch     watch;
    int64_t         data_version; /* of the file, when it was read */
    bool            is_stale;     /* it was changed through `store` itself */
    bool            is_locked;    /* somebody plays it, here or elsewhere */
    int64_t         refresh_ns;   /* not earlier: reading takes time */
    TurfError       error;        /* why there is no league to show */
    LeagueRows     *rows;
    GameList        games; /* the latest */
    json_t         *final;
    int64_t         final_run; /* of a final that is over, and in `final`; 0: none */
    json_t         *views[N_LEAGUE_VIEWERS];
    char           *texts[N_LEAGUE_VIEWERS]; /* the views as JSON */
    Channel        *channels[N_LEAGUE_VIEWERS];
    int64_t         publish_ns; /* not earlier */
    bool            is_unpublished;
    atomic_bool     is_publishing; /* a job waits or runs */
    atomic_bool     is_touched;    /* what is shown changed, but not the file */
    LeaguePlayer    player;        /* has a lock of its own */
} LeagueService;

/* NULL: `error` says why. Opens the database once more. */
LeagueService *league_service_new(Server *server, TurfError *error);
void           league_service_free(LeagueService *service); /* NULL is fine */
/* Ends all event streams; later ones end at once. */
void league_service_close_streams(Server *server);
/* Called regularly by the main thread. */
void league_service_tick(Server *server);
void league_service_ping(Server *server);

/* Locks the service and reads what is new. False, and not locked: there is no league (NOT_FOUND),
 * or it cannot be read. */
bool league_service_lock(Server *server, TurfError *error);
void league_service_unlock(Server *server);
/* To be called under the lock after a change made through service->watch.league: it is shown at
 * once. */
void league_service_changed(Server *server);
/* Something changed that is not in the file, such as whether the league is played here. From any
 * thread, with any lock. */
void league_service_touch(Server *server);

#endif
