/* Connections: how many a client may have, and their deadlines. A client must send a whole request,
 * and read the response, in time. A connection that takes longer is shut down. Streams may last;
 * they end when their client hangs up.
 *
 * Thread safety: one lock guards the list of connections; web_tick sweeps it while the threads of
 * libmicrohttpd add, remove and change entries. */
#ifndef TURF_WEB_CONNECTIONS_H
#define TURF_WEB_CONNECTIONS_H

#include "web/head.h"
#include "web/proxies.h"
#include "web/quota.h"

#include <microhttpd.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Connections {
    pthread_mutex_t    lock;
    struct Connection *list;
    Quota             *quota;
    const Proxies     *proxies;
    int64_t            patience_ns;  /* for a whole request; for a response, four times that */
    int64_t            looked_at_ns; /* when streams were last checked; for connections_sweep */
} Connections;

typedef enum Phase { PHASE_ASKING, PHASE_RESPONDING, PHASE_STREAMING } Phase;

void connections_init(Connections *connections, Quota *quota, const Proxies *proxies,
                      int64_t patience_ms);
void connections_release(Connections *connections);
/* For MHD_OPTION_NOTIFY_CONNECTION, with the connections as its context. A new connection takes a
 * slot of its client's quota, or is shut down; a trusted proxy has as many as it likes, since it
 * limits its own clients. */
void connections_notify(void *connections, struct MHD_Connection *connection, void **socket_context,
                        enum MHD_ConnectionNotificationCode code);
void connection_set_phase(Connections *connections, struct MHD_Connection *connection, Phase phase);
/* Notes the target of the request that is being read; for MHD_OPTION_URI_LOG_CALLBACK. */
void *connection_note_target(void *unused, const char *target, struct MHD_Connection *connection);
/* Without memory for its connection it begins with NULL. */
Target connection_target(struct MHD_Connection *connection);
/* Shuts down the connections that are late; call it about ten times a second. True if the client of
 * a stream has hung up: the library notices that only when something is written to the stream. */
bool connections_sweep(Connections *connections);

#endif
