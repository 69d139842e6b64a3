/* How a game ended: by its rules, or because a side resigned, forfeited or ran out of time. */
#ifndef TURF_LIVE_FINISH_H
#define TURF_LIVE_FINISH_H

#include "games/game.h"

typedef struct Finish {
    int  winner; /* a side, or -1 */
    char outcome[24], reason[16], text[300];
} Finish;

/* False if the game goes on by its rules. */
bool finish_by_rules(const TurfGame *game, const TurfState *state, Finish *finish);
/* `side` has lost for a reason outside the rules, such as "resigned" or "time". */
Finish finish_by_loss(const TurfGame *game, int side, const char *reason, const char *text);
/* A draw for a reason outside the rules. */
Finish finish_without_winner(const char *reason, const char *text);

#endif
