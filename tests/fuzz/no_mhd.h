/* A libmicrohttpd without a network: requests are handed to the server's own callbacks as strings,
 * one at a time, and answers are collected. So it is the server that is tested and not the library,
 * at the speed of function calls. */
#ifndef TURF_TESTS_NO_MHD_H
#define TURF_TESTS_NO_MHD_H

#include <microhttpd.h>
#include <stdbool.h>

typedef struct Exchange {
    unsigned status; /* 0: the server hung up */
    char     type[64];
    char    *body; /* of a stream, what comes before the first wait; freed by exchange_release */
    size_t   n_body;
} Exchange;

/* One client with one connection; `number` makes its address. */
struct MHD_Connection *client_new(struct MHD_Daemon *daemon, uint32_t number);
void                   client_free(struct MHD_Connection *client);
/* A request as it goes over the wire, but that LF may end the lines of its head and that its body
 * ends where the text does. False if it is none. */
bool client_ask(struct MHD_Connection *client, const char *text, size_t length, Exchange *exchange);
void exchange_release(Exchange *exchange);

#endif
