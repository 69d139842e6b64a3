/* Playing against bots of the league in live games, where their teams allow it. The player
 * "league/anna" is the version of anna that plays now.
 *
 * All of these lock the service of the league, so they are not called by threads of HTTP. */
#ifndef TURF_WEB_LEAGUE_PRACTICE_H
#define TURF_WEB_LEAGUE_PRACTICE_H

#include "players/player.h"

#include <jansson.h>
#include <stdatomic.h>

typedef struct Server Server;

/* Is it the id of such a player? */
bool is_practice(const char *id);
/* Adds those that may be chosen to a list of players, for /api/games. */
void practice_add(Server *server, const TurfGame *game, json_t **list);

/* What a seat needs to know of one; the texts are freed by the caller. */
typedef struct PracticeBot {
    char *spec, *name;
    bool  is_external;
} PracticeBot;

/* NOT_FOUND if there is none of that id in this game, or its team does not allow it. */
bool practice_find(Server *server, const TurfGame *game, const char *id, PracticeBot *bot,
                   TurfError *error);
/* Opens it and begins a game: in the sandbox, with the limits of the league. NULL: `error` says
 * why. */
TurfPlayer *practice_open(Server *server, const TurfGame *game, const char *id,
                          const atomic_bool *stop, TurfError *error);

#endif
