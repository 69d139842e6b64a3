/* The page of a team as JSON. */
#ifndef TURF_WEB_LEAGUE_TEAM_VIEW_H
#define TURF_WEB_LEAGUE_TEAM_VIEW_H

#include "league/league_table.h"

#include <jansson.h>

/* `is_own`: with what only the team and the owner may see. NULL: `error` says why. */
json_t *league_team_view(const League *league, const LeagueRows *rows, const LeagueTeam *team,
                         bool is_own, TurfError *error);

#endif
