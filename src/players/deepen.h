/* Searching against the clock. */
#ifndef TURF_PLAYERS_DEEPEN_H
#define TURF_PLAYERS_DEEPEN_H

#include "players/player.h"

/* Looks ahead ever deeper until the deadline; the last depth that was finished counts. */
Verdict player_deepen(const TurfPlayer *player, const void *state, bool want_all, const Thinking *thinking,
                      int64_t deadline_ns, TurfMove *moves);

#endif
