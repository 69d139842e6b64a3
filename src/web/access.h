/* Access control: which requests the server answers at all.
 *
 * Two attacks are kept out: a page of another site that sends requests through a visitor's browser
 * (its Origin is not ours), and a foreign DNS name that points at this machine (DNS rebinding: its
 * Host is not ours). Names may come with a port. */
#ifndef TURF_WEB_ACCESS_H
#define TURF_WEB_ACCESS_H

#include "turf.h"

/* The names from --host that this server may be reached by. */
typedef struct Hosts {
    const char *const *names;
    size_t             n;
} Hosts;

/* Are these names as they may stand in a Host header, without a port? */
bool access_check_hosts(const Hosts *hosts, TurfError *error);
/* Is this name one of the server's? IP addresses and localhost always are: DNS cannot redirect
 * them. */
bool access_knows_host(const Hosts *hosts, const char *host);
/* Does a page from this origin come from the server, which was reached as `host`? */
bool access_knows_origin(const char *origin, const char *host);

#endif
