/* The players that look a fixed number of moves ahead: the course's strategies. */
#ifndef TURF_PLAYERS_LOOKAHEAD_H
#define TURF_PLAYERS_LOOKAHEAD_H

#include "players/player.h"

Verdict lookahead_judge(const TurfPlayer *player, const void *state, bool want_all, const Thinking *thinking,
                        TurfMove *moves);

#endif
