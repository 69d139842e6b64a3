/* The players that look a fixed number of moves ahead: the course's strategies. */
#ifndef TURF_PLAYERS_LOOKAHEAD_PLAYER_H
#define TURF_PLAYERS_LOOKAHEAD_PLAYER_H

#include "players/player_kind.h"

Choice lookahead_choose_move(const TurfPlayer *player, const void *state, bool want_all,
                             const TurnContext *turn, TurfMove *moves);

#endif
