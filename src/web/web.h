/* `turf serve`: the arena in the browser. */
#ifndef TURF_WEB_WEB_H
#define TURF_WEB_WEB_H

#include "players/player.h"

enum { WEB_PORT = 8417, WEB_PATIENCE_MS = 60000 };

typedef struct WebOptions {
    const char        *address; /* a number; NULL: 127.0.0.1 */
    int                port;    /* 0: any that is free */
    const char        *database;
    const char        *page_folder; /* NULL: the page that was built in */
    const char *const *allowed;     /* players, NAME=SPEC */
    size_t             n_allowed;
    const char *const *hosts; /* names that this server is reached by */
    size_t             n_hosts;
    int64_t            patience_ms; /* for a whole request; and for silence */
    size_t max_games, max_streams;  /* that are not over; of events; 0 is the usual for all three */
    size_t max_bots;                /* processes of live games that are alive at a time */
    BotTerms bot_terms;
} WebOptions;

typedef struct Server Server;

/* Opens the store, brings back unfinished games, and begins to serve. NULL: `error` says why. The
 * options live longer.
 */
Server *web_start(const WebOptions *options, TurfError *error);
/* http://..., in room for 96. */
void web_address(const Server *server, char address[96]);
/* Does what is due every now and then; call it about ten times a second. */
void web_tick(Server *server);
/* Finishes what is being written, says goodbye, and ends. */
void web_stop(Server *server);

#endif
