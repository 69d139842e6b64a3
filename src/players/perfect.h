/* SquirrelWar's perfect player. */
#ifndef TURF_PLAYERS_PERFECT_H
#define TURF_PLAYERS_PERFECT_H

#include "players/player.h"

bool    perfect_open(TurfPlayer *player, TurfError *error);
void    perfect_close(TurfPlayer *player);
Verdict perfect_judge(const TurfPlayer *player, const void *state, bool want_all, const Thinking *thinking,
                      TurfMove *moves);

#endif
