/* Just enough of an HTTP client to measure the server with: requests that are waited for, and
 * streams of server-sent events that are read whenever something has come. */
#ifndef TURF_BENCH_WEB_CLIENT_H
#define TURF_BENCH_WEB_CLIENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A connection to this machine; dies if there is none. */
int client_connect(int port);

/* Sends a request and waits for the answer's JSON; dies unless the status is 2xx. `token` may be
 * NULL. */
json_t *client_ask(int socket, const char *method, const char *path, const char *body,
                   const char *token);
/* The two halves: the answer is taken in later, and only its status is looked at. */
void client_send(int socket, const char *method, const char *path, const char *body,
                 const char *token);
void client_skip_answer(int socket);

/* A stream of events. Its numbers must follow one another, or the program dies. */
typedef struct ClientStream {
    int      socket;
    int      part;   /* of the message: where the reader is */
    size_t   n_left; /* of the chunk */
    char     line[64];
    size_t   n_line;
    int64_t  number;            /* of the last event; -1 before the first */
    uint64_t n_events, n_moves; /* whole ones */
    bool     has_number, is_move;
} ClientStream;

void client_open_stream(ClientStream *stream, int port, const char *path);
/* Reads what has come, without waiting; false when the server hung up. */
bool client_read(ClientStream *stream);

#endif
