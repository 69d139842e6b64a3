#include "web/access.h"

#include "base/clock.h"
#include "base/error.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { N_PEERS = 1024, ANSWER_PATIENCE = 4 };

/* How many of a kind of request an address has saved up at most, and how many more it gets a
 * second. */
static const struct {
    double max, a_second;
} allowances[N_COSTS] = {[COST_CONNECT] = {4000, 1000},
                         [COST_READ] = {8000, 2000},
                         [COST_CHANGE] = {4000, 1000},
                         [COST_MAKE] = {400, 2}};

typedef struct Peer {
    Client  client;
    int64_t seen_ns; /* 0: nobody */
    double  saved[N_COSTS];
} Peer;

typedef struct Wire {
    struct Wire *next, **link;
    int          socket;
    Phase        phase;
    int64_t      since_ns;
} Wire;

struct AccessControl {
    int64_t            patience_ns;
    const char *const *hosts;
    size_t             n_hosts;
    int64_t            looked_ns; /* whether those with streams are still there */
    pthread_mutex_t    lock;
    Peer               peers[N_PEERS];
    Wire              *wires;
};

/* A name as it may stand in an address: no port, no blanks. */
static bool check_host(const char *host, TurfError *error)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    char            quoted[ERROR_QUOTE_BYTES];
    size_t          length = strlen(host);
    struct in6_addr number;
    return inet_pton(AF_INET6, host, &number) == 1 ||
           (length > 0 && length < 256 && strspn(host, letters) == length) ||
           error_invalid(error,
                         "--host wants a name like arena.example.org, without a port, not '%s'",
                         error_quote(quoted, host));
}

AccessControl *access_new(int64_t patience_ms, const char *const *hosts, size_t n_hosts,
                          TurfError *error)
{
    for (size_t i = 0; i < n_hosts; i++)
        if (!check_host(hosts[i], error))
            return NULL;
    AccessControl *access = calloc(1, sizeof *access);
    if (!access) {
        error_no_memory(error);
        return NULL;
    }
    access->patience_ns = patience_ms * 1000000;
    access->hosts = hosts;
    access->n_hosts = n_hosts;
    pthread_mutex_init(&access->lock, NULL);
    return access;
}

void access_free(AccessControl *access)
{
    if (!access)
        return;
    pthread_mutex_destroy(&access->lock);
    free(access);
}

/* ---- names -------------------------------------------------------------------------------- */

/* The name without the port, in room for 256; false if it is no name. */
static bool cut_port(const char *host, char name[256])
{
    const char *end = host[0] == '[' ? strchr(host, ']') : strchr(host, ':');
    if (host[0] == '[') {
        if (!end || (end[1] && end[1] != ':'))
            return false;
        host++;
    }
    size_t length = end ? (size_t)(end - host) : strlen(host);
    if (length == 0 || length > 255)
        return false;
    memcpy(name, host, length);
    name[length] = '\0';
    return true;
}

static bool is_loopback_v4(const struct in_addr *address)
{
    return ntohl(address->s_addr) >> 24 == 127;
}

static bool is_loopback_v6(const struct in6_addr *address)
{
    return IN6_IS_ADDR_LOOPBACK(address) ||
           (IN6_IS_ADDR_V4MAPPED(address) && address->s6_addr[12] == 127);
}

bool access_knows_host(const AccessControl *access, const char *host)
{
    char            name[256];
    struct in6_addr number;
    if (!cut_port(host, name))
        return false;
    if (inet_pton(AF_INET, name, &number) == 1 || inet_pton(AF_INET6, name, &number) == 1 ||
        !strcasecmp(name, "localhost"))
        return true;
    for (size_t i = 0; i < access->n_hosts; i++)
        if (!strcasecmp(name, access->hosts[i]))
            return true;
    return false;
}

bool access_is_loopback(const char *host)
{
    char            name[256];
    struct in_addr  v4;
    struct in6_addr v6;
    if (!cut_port(host, name))
        return false;
    if (inet_pton(AF_INET, name, &v4) == 1)
        return is_loopback_v4(&v4);
    return inet_pton(AF_INET6, name, &v6) == 1 ? is_loopback_v6(&v6)
                                               : !strcasecmp(name, "localhost");
}

bool access_knows_origin(const char *origin, const char *host)
{
    static const char *const schemes[] = {"http://", "https://"};
    for (int i = 0; i < 2; i++)
        if (!strncasecmp(origin, schemes[i], strlen(schemes[i])) &&
            !strcasecmp(origin + strlen(schemes[i]), host))
            return true;
    return false;
}

/* ---- rates -------------------------------------------------------------------------------- */

/* An IPv6 network counts as one, since whoever has one has all of its addresses. An IPv4 address is
 * the same one whether it came by a socket of its own kind or of the other. */
Client access_client(const struct sockaddr *peer)
{
    Client client = {{0}};
    if (peer->sa_family != AF_INET6) {
        memcpy(client.bytes + 12, &((const struct sockaddr_in *)(const void *)peer)->sin_addr, 4);
        return client;
    }
    const struct in6_addr *number = &((const struct sockaddr_in6 *)(const void *)peer)->sin6_addr;
    if (IN6_IS_ADDR_V4MAPPED(number))
        memcpy(client.bytes + 12, number->s6_addr + 12, 4);
    else
        memcpy(client.bytes, number, 8);
    return client;
}

/* The entry of an address: the one it has, or else that of whoever near its place was not seen for
 * longest. */
static Peer *find_peer(AccessControl *access, const Client *client)
{
    enum { NEAR = 16 };
    size_t place = caller_bucket(client, N_PEERS);
    Peer  *oldest = NULL;
    for (size_t i = 0; i < NEAR; i++) {
        Peer *peer = &access->peers[(place + i) % N_PEERS];
        if (peer->seen_ns && caller_is(&peer->client, client))
            return peer;
        if (!oldest || peer->seen_ns < oldest->seen_ns)
            oldest = peer;
    }
    *oldest = (Peer){.client = *client, .seen_ns = clock_ns()};
    for (int cost = 0; cost < N_COSTS; cost++)
        oldest->saved[cost] = allowances[cost].max;
    return oldest;
}

bool access_allows(AccessControl *access, const Client *client, Cost cost, int *wait_s)
{
    pthread_mutex_lock(&access->lock);
    Peer   *entry = find_peer(access, client);
    int64_t now_ns = clock_ns();
    double  seconds = (double)(now_ns - entry->seen_ns) / 1e9;
    entry->seen_ns = now_ns;
    for (int i = 0; i < N_COSTS; i++) {
        entry->saved[i] += seconds * allowances[i].a_second;
        if (entry->saved[i] > allowances[i].max)
            entry->saved[i] = allowances[i].max;
    }
    bool is_allowed = entry->saved[cost] >= 1;
    if (is_allowed)
        entry->saved[cost] -= 1;
    *wait_s = 1 + (int)((1 - entry->saved[cost]) / allowances[cost].a_second);
    pthread_mutex_unlock(&access->lock);
    return is_allowed;
}

bool access_is_local(const struct sockaddr *peer)
{
    if (peer->sa_family == AF_INET6)
        return is_loopback_v6(&((const struct sockaddr_in6 *)(const void *)peer)->sin6_addr);
    return is_loopback_v4(&((const struct sockaddr_in *)(const void *)peer)->sin_addr);
}

/* ---- connections -------------------------------------------------------------------------- */

void access_on_connection(void *context, struct MHD_Connection *connection, void **socket_context,
                          enum MHD_ConnectionNotificationCode what)
{
    AccessControl *access = context;
    Wire          *wire = *socket_context;
    pthread_mutex_lock(&access->lock);
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        wire = info ? calloc(1, sizeof *wire) : NULL;
        if (wire) {
            *wire = (Wire){.socket = info->connect_fd,
                           .since_ns = clock_ns(),
                           .next = access->wires,
                           .link = &access->wires};
            if (wire->next)
                wire->next->link = &wire->next;
            access->wires = wire;
        }
        *socket_context = wire;
    } else if (wire) {
        *wire->link = wire->next;
        if (wire->next)
            wire->next->link = wire->link;
        free(wire);
        *socket_context = NULL;
    }
    pthread_mutex_unlock(&access->lock);
}

void access_set_phase(AccessControl *access, struct MHD_Connection *connection, Phase phase)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    Wire *wire = info ? info->socket_context : NULL;
    if (!wire)
        return;
    pthread_mutex_lock(&access->lock);
    wire->phase = phase;
    wire->since_ns = clock_ns();
    pthread_mutex_unlock(&access->lock);
}

static bool has_hung_up(int socket)
{
    char unused;
    return recv(socket, &unused, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

bool access_sweep(AccessControl *access)
{
    enum { LOOK_EVERY_S = 1 };
    int64_t now_ns = clock_ns();
    bool looks = now_ns - access->looked_ns > LOOK_EVERY_S * INT64_C(1000000000), is_gone = false;
    if (looks)
        access->looked_ns = now_ns;
    pthread_mutex_lock(&access->lock);
    for (Wire *wire = access->wires; wire; wire = wire->next) {
        int64_t allowed_ns = wire->phase == PHASE_ASKING ? access->patience_ns
                                                         : ANSWER_PATIENCE * access->patience_ns;
        if (wire->phase == PHASE_STREAMING)
            is_gone |= looks && has_hung_up(wire->socket);
        else if (now_ns - wire->since_ns >
                 allowed_ns) /* the number of the socket is ours until the server cleans up */
            shutdown(wire->socket, SHUT_RDWR);
    }
    pthread_mutex_unlock(&access->lock);
    return is_gone;
}
