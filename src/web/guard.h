/* Who may talk to the server, how fast and for how long. Three things are watched: names (a page of another site, or a
 * name that somebody else's DNS points at this machine, is turned away), rates by address, and the time that a
 * connection takes to bring a whole request. */
#ifndef TURF_WEB_GUARD_H
#define TURF_WEB_GUARD_H

#include "turf.h"
#include "web/caller.h"

#include <microhttpd.h>
#include <sys/socket.h>

typedef struct Guard Guard;

/* What a request costs: reading is cheap, and what makes something new is dear. */
typedef enum Cost { COST_CONNECT, COST_READ, COST_CHANGE, COST_MAKE, N_COSTS } Cost;

Guard *guard_new(int64_t patience_ms, const char *const *hosts, size_t n_hosts, TurfError *error);
void   guard_free(Guard *guard); /* NULL is fine */

/* Is this name (with or without a port) one of this server's? Numbers always are: nobody can point them elsewhere. */
bool guard_knows_host(const Guard *guard, const char *host);
/* Is a page from this origin one of ours, when it was reached by the name `host`? */
bool   guard_knows_origin(const char *origin, const char *host);
Caller guard_caller(const struct sockaddr *peer);
/* False if this address has asked too much lately; then how many seconds it should wait. */
bool guard_allows(Guard *guard, const Caller *caller, Cost cost, int *wait_s);
bool guard_is_local(const struct sockaddr *peer);
/* Is this name (with or without a port) this machine's for itself? */
bool guard_is_loopback(const char *host);

/* The life of a connection. */
void guard_on_connection(void *context, struct MHD_Connection *connection, void **socket_context,
                         enum MHD_ConnectionNotificationCode what);
typedef enum Phase { PHASE_ASKING, PHASE_ANSWERING, PHASE_STREAMING } Phase;
void guard_set_phase(Guard *guard, struct MHD_Connection *connection, Phase phase);
/* To be called every now and then: hangs up on those who take too long. True if somebody who had a stream has gone,
 * which shows only when something is written to it. */
bool guard_sweep(Guard *guard);

#endif
