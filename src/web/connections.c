/* Connections; see connections.h. */
#include "web/connections.h"

#include "base/clock.h"

#include <stdlib.h>
#include <sys/socket.h>

typedef struct Connection {
    struct Connection *next, **link;
    int                socket;
    Phase              phase;
    int64_t            since_ns; /* when the phase began */
    Client             client;
    bool               has_slot;
    Target             target; /* used only by the thread of the connection, without the lock */
} Connection;

void connections_init(Connections *connections, Quota *quota, const Proxies *proxies,
                      int64_t patience_ms)
{
    *connections =
        (Connections){.quota = quota, .proxies = proxies, .patience_ns = patience_ms * 1000000};
    pthread_mutex_init(&connections->lock, NULL);
}

void connections_release(Connections *connections) { pthread_mutex_destroy(&connections->lock); }

/* False: the client has too many, or there are too many. */
static bool take_slot(const Connections *connections, const struct sockaddr *peer, Client *client)
{
    Address address = address_of_peer(peer);
    *client = client_of(&address);
    if (!proxies_trust(connections->proxies, &address))
        return quota_take(connections->quota, client, SLOT_CONNECTION) == QUOTA_GRANTED;
    quota_force(connections->quota, client, SLOT_CONNECTION);
    return true;
}

static Connection *make(const Connections *connections, struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *socket =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    const union MHD_ConnectionInfo *peer =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    Connection *made = socket && peer ? calloc(1, sizeof *made) : NULL;
    if (!made)
        return NULL;
    *made = (Connection){.socket = socket->connect_fd, .since_ns = clock_ns()};
    made->has_slot = take_slot(connections, peer->client_addr, &made->client);
    if (!made->has_slot)
        shutdown(made->socket, SHUT_RDWR);
    return made;
}

static void add(Connections *connections, Connection *connection)
{
    pthread_mutex_lock(&connections->lock);
    connection->next = connections->list;
    connection->link = &connections->list;
    if (connection->next)
        connection->next->link = &connection->next;
    connections->list = connection;
    pthread_mutex_unlock(&connections->lock);
}

static void take_out(Connections *connections, Connection *connection)
{
    pthread_mutex_lock(&connections->lock);
    *connection->link = connection->next;
    if (connection->next)
        connection->next->link = connection->link;
    pthread_mutex_unlock(&connections->lock);
    if (connection->has_slot)
        quota_give_back(connections->quota, &connection->client, SLOT_CONNECTION);
    free(connection);
}

void connections_notify(void *context, struct MHD_Connection *connection, void **socket_context,
                        enum MHD_ConnectionNotificationCode code)
{
    Connections *connections = context;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        *socket_context = make(connections, connection);
        if (*socket_context)
            add(connections, *socket_context);
    } else if (*socket_context) {
        take_out(connections, *socket_context);
        *socket_context = NULL;
    }
}

static Connection *find(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

void *connection_note_target(void *unused, const char *target, struct MHD_Connection *connection)
{
    (void)unused;
    Connection *known = find(connection);
    if (known)
        known->target = target_read(target);
    return NULL; /* the request has no context yet */
}

Target connection_target(struct MHD_Connection *connection)
{
    const Connection *known = find(connection);
    return known ? known->target : (Target){.begin = NULL};
}

void connection_set_phase(Connections *connections, struct MHD_Connection *connection, Phase phase)
{
    Connection *known = find(connection);
    if (!known)
        return;
    pthread_mutex_lock(&connections->lock);
    known->phase = phase;
    known->since_ns = clock_ns();
    pthread_mutex_unlock(&connections->lock);
}

static bool has_hung_up(const Connection *connection)
{
    char unused;
    return recv(connection->socket, &unused, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

bool connections_sweep(Connections *connections)
{
    enum { LOOK_EVERY_MS = 1000, RESPONSE_PATIENCE = 4 };
    int64_t now_ns = clock_ns(), patience_ns = connections->patience_ns;
    bool    looks = now_ns - connections->looked_at_ns > LOOK_EVERY_MS * INT64_C(1000000);
    bool    is_gone = false;
    if (looks)
        connections->looked_at_ns = now_ns;
    pthread_mutex_lock(&connections->lock);
    for (const Connection *each = connections->list; each; each = each->next) {
        bool is_asking = each->phase == PHASE_ASKING;
        if (each->phase == PHASE_STREAMING)
            is_gone |= looks && has_hung_up(each);
        else if (now_ns - each->since_ns > patience_ns * (is_asking ? 1 : RESPONSE_PATIENCE))
            /* Not closed: the descriptor is the library's until it notices. */
            shutdown(each->socket, SHUT_RDWR);
    }
    pthread_mutex_unlock(&connections->lock);
    return is_gone;
}
