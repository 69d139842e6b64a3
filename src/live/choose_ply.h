/* Asks a player for its ply, in any game. */
#ifndef TURF_LIVE_CHOOSE_PLY_H
#define TURF_LIVE_CHOOSE_PLY_H

#include "games/ply.h"
#include "players/player.h"

/* What `side` does in `state`: a legal ply of that side, or where both move at once its half of
 * one, with the cells in `cells`, which has room for TURF_MAX_CELLS. False if the player forfeits;
 * turn->forfeit says why, unless turn->error has a code: then it could not be asked. A built-in
 * player that was stopped answers with some legal ply. */
bool choose_ply(const TurfPlayer *player, const TurfState *state, TurfSide side,
                const TurnContext *turn, TurfCell *cells, Ply *ply);

#endif
