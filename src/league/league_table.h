/* The table of a league for people, programs and spreadsheets. */
#ifndef TURF_LEAGUE_LEAGUE_TABLE_H
#define TURF_LEAGUE_LEAGUE_TABLE_H

#include "league/league.h"

/* The table with its notes: the versions that play, best first, then those without a rating; with
 * `lists_all` also versions that played before. False when out of memory. */
bool league_print_table(const League *league, bool lists_all, FILE *out);

/* Members "standings" and "fit" as `turf tournament --json` has them; a row has also "team",
 * "version", "rank" (null without a rating), "is_current" and "rests". NULL when out of memory. */
json_t *league_json(const League *league, bool lists_all);

/* A team in the table, by the version that plays, or played last. */
typedef struct LeagueRow {
    const LeagueTeam    *team;
    const LeagueVersion *version;  /* NULL: it has not handed in a bot */
    const Standing      *standing; /* NULL: it has not played */
    size_t               rank;     /* from 1; 0: it has none */
    const char          *status;   /* plays, waits, rests, unrated, retired */
} LeagueRow;

typedef struct LeagueRows {
    Standings *all;  /* every version that has played */
    LeagueRow *list; /* every team, best first, those that are retired last */
    size_t     n;
} LeagueRows;

/* The names in it are the league's. NULL when out of memory. */
LeagueRows *league_rows(const League *league);
void        league_rows_free(LeagueRows *rows); /* NULL is fine */

/* CSV, one line for each team, of the version that plays or played last. False when out of memory.
 */
bool league_write_grades(const League *league, FILE *out);

#endif
