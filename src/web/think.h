/* Asking a player for what it does in a position, on a thread of its own. */
#ifndef TURF_WEB_THINK_H
#define TURF_WEB_THINK_H

#include "players/player.h"
#include "web/views.h"

/* A question; `stop` set ends it early. The answer's cells are in `cells`, with room for
 * TURF_MAX_CELLS. */
typedef struct Thought {
    const TurfGame *game;
    TurfState       state;
    TurfSide        side;
    TurfRng         rng;
    atomic_bool    *stop;
    int64_t         deadline_ns, gain_ms; /* for bots; a gain of 0 means that there is no clock */

    TurfMove move;
    size_t   n_cells;
    Forfeit  forfeit;
} Thought;

/* False if the player forfeits. A built-in player that was stopped answers with some legal move. */
bool think(TurfPlayer *player, Thought *thought, TurfCell *cells);

#endif
