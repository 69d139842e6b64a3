/* The list of the built-in kinds of players. */
#ifndef TURF_PLAYERS_KINDS_H
#define TURF_PLAYERS_KINDS_H

#include "players/player_kind.h"

/* The built-in kinds, in the order of the course; NULL past the last. */
const PlayerKind *player_kind_at(size_t index);
bool              player_kind_plays(const PlayerKind *kind, const TurfGame *game);
/* By its name, the beginning of it, or its alias, among those that play the game, or all if that is
 * NULL. NULL: `error` lists the names. */
const PlayerKind *player_kind_find(const TurfGame *game, const char *name, TurfError *error);

#endif
