/* The memory of a player that is a bot; private to bot_player.c and bot_talk.c. */
#ifndef TURF_PLAYERS_BOT_MEMORY_H
#define TURF_PLAYERS_BOT_MEMORY_H

#include "bots/home_bots.h"
#include "players/player_kind.h"

typedef struct ProcessPool ProcessPool;

typedef struct Bot {
    char       **words;    /* its command */
    char        *absence;  /* why there is no program to run; NULL: there is one */
    int          listener; /* the socket to which it connects by TCP; else -1 */
    HomeSeat    *home;     /* of a bot that its team keeps at home; else NULL */
    int64_t      lag_ns;   /* of its connection, in the last question */
    Process      process;
    ProcessPool *pool;
    bool         is_running, has_started;
    bool         has_wrapper;   /* bubblewrap, which reports a signal as a status above 128 */
    bool         says_new_game; /* new_game comes before the next question */
    bool         said_new_game; /* it came before the last question */
    char        *errors;        /* the tail of its standard error, once it is stopped */
} Bot;

/* Stops the process and keeps its error output. Returns what process_stop does. */
int bot_stop(Bot *bot);

#endif
