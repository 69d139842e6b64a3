/* One side's choice in one position of a hosted game: between hosted_game_think.c, which makes such
 * jobs and takes their answers, and who chooses (think_choose.c: a thread of a pool). */
#ifndef TURF_WEB_THINK_H
#define TURF_WEB_THINK_H

#include "web/hosted_game.h"

typedef struct ThinkJob {
    HostedGame *hosted; /* retained */
    int         side;
    uint64_t    generation;

    /* The question, and the answer. */
    TurfState   state;
    TurfRng     rng;
    TurnContext turn;
    int64_t     used_ns;
    Ply         ply;
    Forfeit     forfeit;
    TurfError   error;
    TurfCell   *cells; /* of the ply, with room for TURF_MAX_CELLS */
} ThinkJob;

typedef enum ThinkResult {
    THINK_CHOSE,
    THINK_FORFEITS,     /* see job->forfeit */
    THINK_CANNOT_START, /* see job->error, as for the next one */
    THINK_HELD_UP       /* the server lacks something that the player needs */
} ThinkResult;

/* All are called with the lock of the game held. */

/* Is the job still about the current position? */
bool think_is_current(const ThinkJob *job);
/* Writes the question: the time for thinking begins now. */
void think_prepare(ThinkJob *job);
/* The player can start, or goes on. */
void think_end_holdup(ThinkJob *job);
/* Chooses, now or later, and then calls think_done. The lock may be released meanwhile. */
void think_choose(ThinkJob *job);
/* Plays what was chosen, if the job is current, and frees the job. */
void think_done(ThinkJob *job, ThinkResult result);

#endif
