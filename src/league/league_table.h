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

/* CSV, one line for each team, of the version that plays or played last. False when out of memory.
 */
bool league_write_grades(const League *league, FILE *out);

#endif
