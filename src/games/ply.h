/* Plies (game.h) of any game. Where sides take turns a ply is a
 * move of one side; where both move at once it is the actions of both. */
#ifndef TURF_GAMES_PLY_H
#define TURF_GAMES_PLY_H

#include "games/game.h"

void ply_apply(const TurfGame *game, TurfState *state, const Ply *ply);
/* A ply as the game writes it in JSON; `state` is the position before it. */
json_t *ply_to_json(const TurfGame *game, const TurfState *state, const Ply *ply);
/* Reads a legal ply of the side or sides to move. Where both move at once, `cells` has room for
 * TURF_MAX_CELLS of each side, and the ply points there. */
bool ply_from_json(const TurfGame *game, const TurfState *state, const json_t *json,
                   TurfCell *cells, Ply *ply, TurfError *error);

#endif
