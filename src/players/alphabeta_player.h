/* The player that searches with search/alphabeta.h. */
#ifndef TURF_PLAYERS_ALPHABETA_PLAYER_H
#define TURF_PLAYERS_ALPHABETA_PLAYER_H

#include "players/player_kind.h"

bool   alphabeta_open(TurfPlayer *player, TurfError *error);
void   alphabeta_close(TurfPlayer *player);
bool   alphabeta_begin_game(TurfPlayer *player, const atomic_bool *stop, TurfError *error);
Choice alphabeta_choose_move(const TurfPlayer *player, const void *state, bool want_all,
                             const TurnContext *turn, TurfMove *moves);

#endif
