/* Who asks about the league: a visitor, a team by its token, or the owner.
 *
 * A handler of the league is
 *
 *     LeagueAsker asker;
 *     if (!league_enter(request, &asker))
 *         return;
 *     ... asker.league, under the service's lock ...
 *     league_leave(&asker);
 *
 * and begins with more checks for what only some may see. Each is false if the request was answered
 * with an error, and then has left. */
#ifndef TURF_WEB_TEAM_ACCESS_H
#define TURF_WEB_TEAM_ACCESS_H

#include "web/api.h"
#include "web/league_service.h"

typedef enum LeagueRole { ROLE_VISITOR, ROLE_TEAM, ROLE_OWNER } LeagueRole;

typedef struct LeagueAsker {
    Request          *request;
    League           *league; /* of the service, which is locked */
    LeagueRole        role;
    const LeagueTeam *own; /* of ROLE_TEAM; valid until the league is read again */
} LeagueAsker;

/* Locks the league and finds out who asks. A token that is nobody's is an error, none is a
 * visitor. */
bool league_enter(Request *request, LeagueAsker *asker);
void league_leave(LeagueAsker *asker);

/* May the asker see what this audience sees? Teams and the owner may see everything. */
bool league_check_audience(LeagueAsker *asker, LeagueAudience least);
bool league_check_owner(LeagueAsker *asker);
/* Is it the owner, or this team? */
bool league_check_team(LeagueAsker *asker, const LeagueTeam *team);
/* The team that the path names; NULL: answered with an error, and left. */
const LeagueTeam *league_find_team(LeagueAsker *asker, const char *name);

/* Answers with an error, leaves, and returns false. */
bool league_refuse(LeagueAsker *asker, const TurfError *error);

#endif
