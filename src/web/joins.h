/* The bots of a league that are connected to this server from their teams' homes.
 *
 * A join is what one 'turf join' has here: a channel of events for its stream, and a HomeBot for
 * the arena (bots/home_bots.h). It survives its connection for JOIN_GRACE_MS, so that a stream that
 * breaks is continued after the last event, and its games go on. A team has one: the next takes
 * over from it.
 *
 * Locks: Joins.lock guards the list; under it those of home bots and channels are taken. */
#ifndef TURF_WEB_JOINS_H
#define TURF_WEB_JOINS_H

#include "bots/home_bots.h"
#include "web/channel.h"
#include "web/tokens.h"

enum { JOIN_GRACE_MS = 3000 };

typedef struct Server Server;
typedef struct Joins  Joins;

/* Who joins, and to what. */
typedef struct JoinTerms {
    const char *team, *token;
    int64_t     n_games; /* at a time */
    json_t     *hello;   /* the first event, without the session; taken over */
} JoinTerms;

Joins *joins_new(TurfError *error);
void   joins_free(Joins *joins); /* NULL is fine; no stream is open any more */

/* A stream for a team: of a new join, which takes over from the team's last. NULL: out of memory.
 */
struct MHD_Response *joins_add(Joins *joins, const JoinTerms *terms,
                               struct MHD_Connection *connection);
/* The stream of a join that lost its connection, after the event `after`. NULL: there is no such
 * session any more. */
struct MHD_Response *joins_continue(Joins *joins, const char *session, const char *token,
                                    const char *after, struct MHD_Connection *connection);

/* What a bot said, to be used between joins_lock and joins_unlock; NULL, and not locked: there is
 * no such session, or it is of another team. */
HomeBot *joins_lock(Joins *joins, const char *session, const char *token);
void     joins_unlock(Joins *joins);

/* Ends a team's join, if it has one; `reason` is for people. */
void joins_end(Joins *joins, const char *team, const char *reason);

/* Pings the bots and ends the joins of those that are gone. True: one came or went. */
bool joins_tick(Joins *joins);
/* Ends all; those that come later are refused by http.c. */
void joins_close(Joins *joins);

#endif
