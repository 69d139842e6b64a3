/* Prints what a search found, as JSON and in words. */
#ifndef TURF_CMD_EXPLAIN_H
#define TURF_CMD_EXPLAIN_H

#include "players/player.h"

/* Adds depth, nodes, principal variation and runners-up to an answer of `turf choose`. */
void explain_json(const TurfGame *game, const TurfState *state, const SearchInfo *info,
                  json_t *answer);
void explain_text(const TurfGame *game, const TurfState *state, TurfMove move,
                  const SearchInfo *info, FILE *out);

#endif
