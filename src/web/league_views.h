/* The league as JSON, for docs/api.md. What is shown here is public: names of teams, never
 * commands, folders or what a bot wrote. */
#ifndef TURF_WEB_LEAGUE_VIEWS_H
#define TURF_WEB_LEAGUE_VIEWS_H

#include "league/league_table.h"
#include "web/league_game_list.h"
#include "web/league_service.h"

/* What the view is made of. */
typedef struct LeagueSight {
    const League     *league;
    const LeagueRows *rows;
    const GameList   *games;
    json_t           *final, *now;
    bool              is_playing, is_locked; /* is_locked: here or elsewhere */
    TurfError         error;
} LeagueSight;

/* The pairings that are being played; NULL: `error` says why. */
json_t *league_view_now(const League *league, TurfError *error);
/* The whole of it, without "you"; NULL when out of memory. */
json_t *league_view(const LeagueSight *sight, LeagueViewer viewer);
/* Members "rating", "low", "high"; "games", "won", "lost", "drawn". */
void    view_put_rating(json_t **json, const Rating *rating);
void    view_put_counts(json_t **json, const TurfTotals *totals);
json_t *league_view_rows(const League *league, const LeagueRows *rows);

#endif
