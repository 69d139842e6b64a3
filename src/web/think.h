/* Asks one player for its move in one position. Waits for the answer, so it runs on a thread of a
 * pool. */
#ifndef TURF_WEB_THINK_H
#define TURF_WEB_THINK_H

#include "players/player.h"
#include "web/views.h"

/* A position to decide on, and the answer. Setting `stop` ends it early. */
typedef struct Thought {
    const TurfGame *game;
    TurfState       state;
    TurfSide        side;
    TurfRng         rng;
    atomic_bool    *stop;
    int64_t         deadline_ns, gain_ms; /* a gain of 0: there is no clock */

    TurfMove move;
    size_t   n_cells;
    Forfeit  forfeit;
} Thought;

/* The answer is in `thought`, its cells in `cells`, with room for TURF_MAX_CELLS. A built-in player
 * that was stopped answers with some legal move. False: it forfeits if the error's code is TURF_OK;
 * else it could not be asked, and is not to blame. */
bool think(TurfPlayer *player, Thought *thought, TurfCell *cells, TurfError *error);

#endif
