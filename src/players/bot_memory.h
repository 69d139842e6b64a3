/* What a player that is a bot remembers; for bot.c and bot_talk.c alone. */
#ifndef TURF_PLAYERS_BOT_MEMORY_H
#define TURF_PLAYERS_BOT_MEMORY_H

#include "players/player_kind.h"

typedef struct ProcessPool ProcessPool;

typedef struct Bot {
    char       **words;    /* its command */
    int          listener; /* where it is expected, if it connects by TCP; else -1 */
    Process      process;
    ProcessPool *pool;
    bool         is_running, has_started;
    bool         has_wrapper;   /* which tells of a signal by a status above 128 */
    bool         says_new_game; /* before the next question */
    char        *errors; /* the last of what it wrote to standard error, once it is stopped */
} Bot;

/* Ends the process; how it ended is what process_stop says. */
int bot_stop(Bot *bot);

#endif
