/* The benchmark's HTTP client: requests with keep-alive, and a parser of chunked event streams. */
#include "web_client.h"

#include "cmd/console.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int client_connect(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int                yes = 1, connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address))
        die("the server cannot be reached: %s", strerror(errno));
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return connection;
}

void client_send(int socket, const char *method, const char *path, const char *body,
                 const char *token)
{
    char *text = NULL;
    char  authorization[256] = "";
    if (token)
        snprintf(authorization, sizeof authorization, "Authorization: Bearer %s\r\n", token);
    if (!body)
        body = "";
    int length = asprintf(&text,
                          "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                          "%sContent-Length: %zu\r\n\r\n%s",
                          method, path, authorization, strlen(body), body);
    if (length < 0 || send(socket, text, (size_t)length, MSG_NOSIGNAL) != length)
        die("cannot send a request");
    free(text);
}

/* Reads a response with a Content-Length and returns its body, which the caller frees. */
static char *read_answer(int socket)
{
    size_t room = 1 << 20, n_read = 0, n_wanted = SIZE_MAX;
    char  *text = malloc(room), *end = NULL;
    while (text && (!end || n_read < n_wanted)) {
        ssize_t n = recv(socket, text + n_read, room - 1 - n_read, 0);
        if (n <= 0)
            die("the server closed the connection within a response");
        n_read += (size_t)n;
        text[n_read] = '\0';
        if (!end && (end = strstr(text, "\r\n\r\n"))) {
            const char *length = strcasestr(text, "Content-Length: ");
            n_wanted = (size_t)(end + 4 - text) + (length ? strtoull(length + 16, NULL, 10) : 0);
        }
    }
    if (!text)
        die("out of memory");
    if (strncmp(text, "HTTP/1.1 2", 10))
        die("the server returned an error: %.300s", end + 4);
    memmove(text, end + 4, n_read - (size_t)(end + 4 - text) + 1);
    return text;
}

void client_skip_answer(int socket) { free(read_answer(socket)); }

json_t *client_ask(int socket, const char *method, const char *path, const char *body,
                   const char *token)
{
    client_send(socket, method, path, body, token);
    char   *text = read_answer(socket);
    json_t *json = json_loads(text, 0, NULL);
    free(text);
    if (!json)
        die("the response is not JSON");
    return json;
}

/* ---- streams ------------------------------------------------------------------------------ */

enum { IN_HEAD, IN_SIZE, IN_CHUNK, AFTER_CHUNK };

void client_open_stream(ClientStream *stream, int port, const char *path)
{
    *stream = (ClientStream){.socket = client_connect(port), .part = IN_HEAD, .number = -1};
    client_send(stream->socket, "GET", path, NULL, NULL);
}

/* Handles a line of the event stream; an empty one ends an event. */
static void take_line(ClientStream *stream)
{
    stream->line[stream->n_line] = '\0';
    if (!strncmp(stream->line, "id: ", 4)) {
        const char *dash = strchr(stream->line, '-');
        int64_t     number = dash ? strtoll(dash + 1, NULL, 10) : -1;
        if (number < 0 || (stream->number >= 0 && number != stream->number + 1))
            die("event %lld came after event %lld", (long long)number, (long long)stream->number);
        stream->number = number;
        stream->has_number = true;
    } else if (!strcmp(stream->line, "event: move")) {
        stream->is_move = true;
    } else if (stream->n_line == 0 && stream->has_number) {
        stream->n_events++;
        stream->n_moves += stream->is_move;
        stream->has_number = stream->is_move = false;
    }
    stream->n_line = 0;
}

/* Appends a byte to the current line; true at its end. Long lines are truncated. */
static bool take_byte(ClientStream *stream, char byte)
{
    if (byte == '\n')
        return true;
    if (byte != '\r' && stream->n_line < sizeof stream->line - 1)
        stream->line[stream->n_line++] = byte;
    return false;
}

static void take(ClientStream *stream, char byte)
{
    if (!take_byte(stream, byte)) {
        if (stream->part == IN_CHUNK && --stream->n_left == 0)
            stream->part = AFTER_CHUNK;
        return;
    }
    switch (stream->part) {
    case IN_HEAD:
        if (stream->n_line == 0)
            stream->part = IN_SIZE;
        stream->n_line = 0;
        break;
    case IN_SIZE:
        stream->line[stream->n_line] = '\0';
        stream->n_left = strtoull(stream->line, NULL, 16);
        stream->n_line = 0;
        stream->part = IN_CHUNK;
        break;
    case IN_CHUNK:
        take_line(stream);
        if (--stream->n_left == 0)
            stream->part = AFTER_CHUNK;
        break;
    default: stream->part = IN_SIZE; break;
    }
}

bool client_read(ClientStream *stream)
{
    char    bytes[16384];
    ssize_t n;
    while ((n = recv(stream->socket, bytes, sizeof bytes, MSG_DONTWAIT)) > 0)
        for (ssize_t i = 0; i < n; i++)
            take(stream, bytes[i]);
    return n < 0 && errno == EAGAIN;
}
