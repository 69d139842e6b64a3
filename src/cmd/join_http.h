/* The connection of 'turf join' to a server: a stream of events, and what is said in return, over
 * HTTP or HTTPS by libcurl, which also knows proxies.
 *
 * Threads: join_say... may be called from any thread; the rest belongs to the main thread. */
#ifndef TURF_CMD_JOIN_HTTP_H
#define TURF_CMD_JOIN_HTTP_H

#include "turf.h"

#include <jansson.h>

typedef struct JoinTerms {
    const char *base;   /* the address of the server, with a slash at its end */
    const char *token;  /* of the team */
    const char *cacert; /* a file with certificates to be trusted; NULL: those of the system */
    int         n_games;
    /* Called for every event, by join_http_step; `data` is released afterwards. */
    void (*on_event)(void *context, const char *type, json_t *data);
    /* The stream is open, or broke; `why` says why it broke, in words. */
    void (*on_change)(void *context, bool is_open, const char *why);
    void *context;
} JoinTerms;

typedef struct JoinHttp JoinHttp;

/* Dies without memory. Nothing is connected yet. */
JoinHttp *join_http_new(const JoinTerms *terms);
void      join_http_free(JoinHttp *http);

/* Connects, or connects again once it is time to; sends, receives, and calls back. Waits for at
 * most 100 ms. False: trying again is of no use, and `error` says why. */
bool join_http_step(JoinHttp *http, TurfError *error);
/* Is nothing left to be sent? */
bool join_http_is_quiet(JoinHttp *http);
/* Begin anew with the next connection, instead of continuing after the last event. */
void join_http_forget_session(JoinHttp *http);

void join_say_pong(JoinHttp *http, json_int_t ping);
void join_say_ready(JoinHttp *http, json_int_t game);
/* `line` need not be UTF-8. */
void join_say_answer(JoinHttp *http, json_int_t game, const char *line, size_t length);
void join_say_fault(JoinHttp *http, json_int_t game, TurfForfeit reason, const char *text);
void join_say_leaving(JoinHttp *http);

#endif
