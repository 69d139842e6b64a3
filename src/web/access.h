/* Who may talk to the server, how fast and for how long. Three things are watched: names (a page of
 * another site, or a name that somebody else's DNS points at this machine, is turned away), rates
 * by address, and the time that a connection takes to bring a whole request. */
#ifndef TURF_WEB_ACCESS_H
#define TURF_WEB_ACCESS_H

#include "turf.h"
#include "web/client.h"

#include <microhttpd.h>
#include <sys/socket.h>

typedef struct AccessControl AccessControl;

/* What a request costs: reading is cheap, and what makes something new is dear. */
typedef enum Cost { COST_CONNECT, COST_READ, COST_CHANGE, COST_MAKE, N_COSTS } Cost;

AccessControl *access_new(int64_t patience_ms, const char *const *hosts, size_t n_hosts,
                          TurfError *error);
void           access_free(AccessControl *access); /* NULL is fine */

/* Is this name (with or without a port) one of this server's? Numbers always are: nobody can point
 * them elsewhere. */
bool access_knows_host(const AccessControl *access, const char *host);
/* Is a page from this origin one of ours, when it was reached by the name `host`? */
bool   access_knows_origin(const char *origin, const char *host);
Client access_client(const struct sockaddr *peer);
/* False if this address has asked too much lately; then how many seconds it should wait. */
bool access_allows(AccessControl *access, const Client *client, Cost cost, int *wait_s);
bool access_is_local(const struct sockaddr *peer);
/* Is this name (with or without a port) this machine's for itself? */
bool access_is_loopback(const char *host);

/* The life of a connection. */
void access_on_connection(void *context, struct MHD_Connection *connection, void **socket_context,
                          enum MHD_ConnectionNotificationCode what);
typedef enum Phase { PHASE_ASKING, PHASE_RESPONDING, PHASE_STREAMING } Phase;
void access_set_phase(AccessControl *access, struct MHD_Connection *connection, Phase phase);
/* To be called every now and then: hangs up on those who take too long. True if somebody who had a
 * stream has gone, which shows only when something is written to it. */
bool access_sweep(AccessControl *access);

#endif
