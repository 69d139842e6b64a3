/* The server behind `turf serve`: the HTTP API and the page. */
#ifndef TURF_WEB_WEB_H
#define TURF_WEB_WEB_H

#include "players/player.h"

enum { WEB_PORT = 8417, WEB_PATIENCE_MS = 60000, WEB_LINK_BYTES = 160 };

typedef struct WebOptions {
    const char        *address; /* an IP address; NULL: 127.0.0.1 */
    int                port;    /* 0: any free one */
    const char        *database;
    const char        *turf; /* the path of this program, which builds bots; NULL: it does not */
    const char        *page_folder; /* NULL: the page that was built in */
    const char        *one_file;    /* the page in one file, to download; may be NULL */
    const char *const *allowed;     /* players, NAME=SPEC */
    size_t             n_allowed;
    const char *const *hosts; /* names that this server may be reached by */
    size_t             n_hosts;
    const char *const *proxies; /* that are trusted: addresses and networks */
    size_t             n_proxies;
    int64_t            patience_ms; /* for a complete request; and for an idle connection */
    /* 0 is the default. */
    size_t   max_games, max_streams;
    size_t   max_bots;    /* bot processes of live games that are alive at a time */
    size_t   max_history; /* finished live games in the store */
    BotTerms bot_terms;
} WebOptions;

typedef struct Server Server;

/* Opens the store, restores unfinished games, and begins to serve. NULL: `error` says why. The
 * options must outlive the server. */
Server *web_start(const WebOptions *options, TurfError *error);
/* The URL of the page. */
void web_address(const Server *server, char address[96]);
/* The file with the owner's token, and whether this start made it. */
const char *web_owner_file(const Server *server, bool *is_new);
/* The URL that makes a browser the owner's. */
bool web_owner_link(const Server *server, char link[WEB_LINK_BYTES], TurfError *error);
/* Periodic work: clocks, time limits, deadlines; call it about ten times a second. */
void web_tick(Server *server);
/* Answers the requests that have come in, ends all streams and threads, and frees the server. */
void web_stop(Server *server);

#endif
