/* A minimal HTTP client for the benchmark: blocking requests, and non-blocking streams of
 * server-sent events. Errors are fatal. */
#ifndef TURF_BENCH_WEB_CLIENT_H
#define TURF_BENCH_WEB_CLIENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Connects to localhost. */
int client_connect(int port);

/* Sends a request and returns the JSON of the response; dies unless the status is 2xx. `token` may
 * be NULL. */
json_t *client_ask(int socket, const char *method, const char *path, const char *body,
                   const char *token);
/* The same in two halves; of the response only the status is checked. */
void client_send(int socket, const char *method, const char *path, const char *body,
                 const char *token);
void client_skip_answer(int socket);

/* A stream of events. Dies if their numbers are not consecutive. */
typedef struct ClientStream {
    int      socket;
    int      part;   /* parser state */
    size_t   n_left; /* bytes left of the chunk */
    char     line[64];
    size_t   n_line;
    int64_t  number;            /* of the last event; -1 before the first */
    uint64_t n_events, n_moves; /* complete ones */
    bool     has_number, is_move;
} ClientStream;

void client_open_stream(ClientStream *stream, int port, const char *path);
/* Reads what is available without blocking; false if the server has closed the connection. */
bool client_read(ClientStream *stream);

#endif
