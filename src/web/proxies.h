/* Trusted proxies (--trusted-proxy): behind one of them, the client is who it says it forwards for.
 *
 * Each proxy appends the address that it was asked from to X-Forwarded-For, so only the entries at
 * the end, written by proxies that we trust, are to be believed: the client is the last address
 * that is not a trusted proxy's. What stands before that the client may have made up. */
#ifndef TURF_WEB_PROXIES_H
#define TURF_WEB_PROXIES_H

#include "turf.h"
#include "web/client.h"

#include <sys/socket.h>

enum { MAX_PROXIES = 64 };

/* An IPv6 address; IPv4 addresses are mapped (::ffff:192.0.2.1). */
typedef struct Address {
    uint8_t bytes[16];
} Address;

typedef struct Proxies {
    struct {
        Address  address;
        unsigned n_bits; /* that must be equal */
    } networks[MAX_PROXIES];
    size_t n;
} Proxies;

/* Reads addresses and networks, like 127.0.0.1, 10.0.0.0/8 or fd00::/8. */
bool proxies_read(Proxies *proxies, const char *const *texts, size_t n, TurfError *error);
bool proxies_trust(const Proxies *proxies, const Address *address);

Address address_of_peer(const struct sockaddr *peer);
/* Whose request it is: `forwarded` are the X-Forwarded-For headers, in order. An entry that is no
 * address ends the search; then it is the proxy's that wrote it. */
Address proxies_find_client(const Proxies *proxies, const Address *peer,
                            const char *const *forwarded, size_t n_forwarded);
/* As far as clients are told apart; see client.h. */
Client client_of(const Address *address);

#endif
