/* Listening sockets for bots that connect by TCP. */
#include "players/tcp.h"

#include "base/error.h"

#include <errno.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int listen_at(const struct addrinfo *address)
{
    int fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(fd, address->ai_addr, address->ai_addrlen) == 0 && listen(fd, 4) == 0)
        return fd;
    int why = errno;
    close(fd);
    errno = why;
    return -1;
}

/* getaddrinfo accepts larger numbers, and wraps them round. */
static bool is_port(const char *text)
{
    enum { HIGHEST = 65535, MAX_DIGITS = 5 };
    size_t length = strlen(text);
    return length > 0 && length <= MAX_DIGITS && strspn(text, "0123456789") == length &&
           strtol(text, NULL, 10) <= HIGHEST;
}

int tcp_listen(const char *place, TurfError *error)
{
    char             host[256] = "127.0.0.1", quoted[ERROR_QUOTE_BYTES];
    const char      *colon = strrchr(place, ':'), *port = colon ? colon + 1 : place;
    struct addrinfo *addresses = NULL,
                    hints = {.ai_socktype = SOCK_STREAM,
                             .ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV};
    bool has_room = !colon || (size_t)(colon - place) < sizeof host;
    if (colon && has_room) {
        memcpy(host, place, (size_t)(colon - place));
        host[colon - place] = '\0';
    }
    if (!has_room || !is_port(port) || getaddrinfo(host, port, &hints, &addresses) != 0) {
        error_invalid(error, "'%s' is no port to listen on; type tcp:9000 or tcp:0.0.0.0:9000",
                      error_quote(quoted, place));
        return -1;
    }
    int fd = listen_at(addresses);
    if (fd < 0)
        error_system(error, errno, "turf cannot listen on %s: %s", error_quote(quoted, place),
                     strerror(errno));
    freeaddrinfo(addresses);
    return fd;
}
