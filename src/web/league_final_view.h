/* The final of a league as JSON. */
#ifndef TURF_WEB_LEAGUE_FINAL_VIEW_H
#define TURF_WEB_LEAGUE_FINAL_VIEW_H

#include "league/league.h"

#include <jansson.h>

/* The final that is being played, or the last one; JSON's null if there was none. NULL: `error`
 * says why. */
json_t *league_final_view(const League *league, TurfError *error);

#endif
