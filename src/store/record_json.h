/* A recorded game as a line of JSON that stands on its own: `turf export` writes it and `turf
 * replay` reads it (live/replay.h). */
#ifndef TURF_STORE_RECORD_JSON_H
#define TURF_STORE_RECORD_JSON_H

#include "games/game.h"
#include "store/records.h"

/* `names` are those of the pairing. NULL without memory. */
json_t *record_to_json(const GameRecord *record, const TurfGame *game, const char *const names[2]);

#endif
