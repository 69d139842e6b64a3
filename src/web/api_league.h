/* The handlers of /api/league; the paths are in league_routes.c. */
#ifndef TURF_WEB_API_LEAGUE_H
#define TURF_WEB_API_LEAGUE_H

#include "web/http.h"

/* api_league.c */
Handler api_league, api_league_events, api_league_table, api_league_games, api_league_team,
    api_league_log;
/* api_league_owner.c */
Handler api_league_invite, api_league_add, api_league_retire, api_league_play, api_league_stop,
    api_league_freeze, api_league_final, api_league_audience, api_league_practice;

struct LeagueAsker;
/* Answers with the whole league, and leaves. */
void respond_league(struct LeagueAsker *asker);

/* api_join.c */
Handler api_join, api_join_answers;

/* api_submissions.c */
Handler api_submissions_make, api_submissions_list, api_submission;

#endif
