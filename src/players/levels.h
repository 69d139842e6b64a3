/* Levels 1 to 10 for people. */
#ifndef TURF_PLAYERS_LEVELS_H
#define TURF_PLAYERS_LEVELS_H

#include "players/player_kind.h"

/* Does the game have levels? */
bool level_plays(const TurfGame *game);

bool   level_open(TurfPlayer *player, TurfError *error);
void   level_close(TurfPlayer *player);
bool   level_begin_game(TurfPlayer *player, const atomic_bool *stop, TurfError *error);
Choice level_choose_move(const TurfPlayer *player, const void *state, bool want_all,
                         const TurnContext *turn, TurfMove *moves);
size_t level_choose_cells(const TurfPlayer *player, const void *state, TurfSide side,
                          const TurnContext *turn, TurfCell *cells);

/* Does it make the same move in the same position, every time? */
bool level_is_deterministic(const TurfPlayer *player);

#endif
