/* Players that watch the clock: deepening until the time is up, and SquirrelWar's perfect player. */
#ifndef TURF_PLAYERS_PERFECT_H
#define TURF_PLAYERS_PERFECT_H

#include "players/player.h"

/* Looks ahead ever deeper until the deadline; the last depth that was finished counts. */
Verdict player_deepen(const TurfPlayer *player, const void *state, bool want_all, const Thinking *thinking,
                      int64_t deadline_ns, TurfMove *moves);

bool    perfect_open(TurfPlayer *player, TurfError *error);
void    perfect_close(TurfPlayer *player);
Verdict perfect_judge(const TurfPlayer *player, const void *state, bool want_all, const Thinking *thinking,
                      TurfMove *moves);

#endif
