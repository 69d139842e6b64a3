/* The player that searches with search/mcts.h. */
#ifndef TURF_PLAYERS_MCTS_PLAYER_H
#define TURF_PLAYERS_MCTS_PLAYER_H

#include "players/player_kind.h"

bool   mcts_open(TurfPlayer *player, TurfError *error);
void   mcts_close(TurfPlayer *player);
bool   mcts_begin_game(TurfPlayer *player, const atomic_bool *stop, TurfError *error);
Choice mcts_choose_move(const TurfPlayer *player, const void *state, bool want_all,
                        const TurnContext *turn, TurfMove *moves);

#endif
