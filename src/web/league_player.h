/* Playing the league of the server, in a thread of its own: rounds, or the final.
 *
 * The owner starts and stops it. What was started without a limit goes on after a restart of the
 * server, and so does a final; that wish is in the file. Played without a limit, it waits while
 * there is nothing to play, as before the second team has a bot.
 *
 * Locks: LeaguePlayer.lock guards the fields below it; it is taken after the service's or alone,
 * and never held while a game is played. */
#ifndef TURF_WEB_LEAGUE_PLAYER_H
#define TURF_WEB_LEAGUE_PLAYER_H

#include "league/league_round.h"
#include "web/api_error.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct Server Server;

typedef struct PlayWish {
    bool       is_final;
    FinalTerms final;     /* of a new one */
    uint64_t   max_games; /* 0: no limit */
    int64_t    for_s;     /* 0: no limit */
} PlayWish;

typedef struct LeaguePlayer {
    atomic_bool     stop;
    pthread_mutex_t lock;
    pthread_cond_t  changed;
    bool            is_playing;
    bool            has_begun; /* a restart goes on with it */
    TurfError       error;     /* why it does not play, or waits */
    PlayWish        wish;
    int64_t         end_ns; /* 0: none */
    Store          *store;  /* opened by the first start; see store_unlock_run */
} LeaguePlayer;

void league_player_init(LeaguePlayer *player);
void league_player_release(LeaguePlayer *player);

/* BUSY, as 409, if it is played already, here or by another program. */
bool league_player_start(Server *server, const PlayWish *wish, ApiError *api_error);
/* Stops it, and waits until it has stopped. False: it was not playing. */
bool league_player_stop(Server *server);
/* Goes on with what the server was playing when it ended. */
void league_player_resume(Server *server);
/* Is it playing? `error`: why not, or why it waits; without a text if there is no reason. */
bool league_player_state(Server *server, TurfError *error);

#endif
