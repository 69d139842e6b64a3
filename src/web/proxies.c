/* Trusted proxies; see proxies.h. No state, no locks. */
#include "web/proxies.h"

#include "base/error.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff}; /* ::ffff:0:0/96 */

static bool is_mapped(const Address *address)
{
    return !memcmp(address->bytes, mapped, sizeof mapped);
}

static Address map(const struct in_addr *number)
{
    Address address;
    memcpy(address.bytes, mapped, sizeof mapped);
    memcpy(address.bytes + sizeof mapped, number, 4);
    return address;
}

static bool parse_number(const char *text, Address *address)
{
    struct in_addr  v4;
    struct in6_addr v6;
    if (inet_pton(AF_INET, text, &v4) == 1) {
        *address = map(&v4);
        return true;
    }
    if (inet_pton(AF_INET6, text, &v6) != 1)
        return false;
    memcpy(address->bytes, &v6, sizeof address->bytes);
    return true;
}

Address address_of_peer(const struct sockaddr *peer)
{
    Address address;
    if (peer->sa_family != AF_INET6)
        return map(&((const struct sockaddr_in *)(const void *)peer)->sin_addr);
    memcpy(address.bytes, &((const struct sockaddr_in6 *)(const void *)peer)->sin6_addr, 16);
    return address;
}

/* An IPv4 address is the same client whether it came through an IPv4 or an IPv6 socket. */
Client client_of(const Address *address)
{
    Client client;
    memcpy(client.bytes, address->bytes, sizeof client.bytes);
    if (!is_mapped(address)) {
        memset(client.bytes + 8, 0, 8);
        client.bytes[15] = 1; /* ::/64 is a client too */
    }
    return client;
}

/* ---- whom to trust ------------------------------------------------------------------------ */

static bool parse_bits(const char *text, unsigned max_bits, unsigned *n_bits)
{
    size_t length = strlen(text);
    if (length < 1 || length > 3 || strspn(text, "0123456789") != length)
        return false;
    *n_bits = (unsigned)atoi(text);
    return *n_bits <= max_bits;
}

static bool parse_network(const char *text, Address *address, unsigned *n_bits)
{
    char        number[INET6_ADDRSTRLEN + 1];
    const char *slash = strchr(text, '/');
    size_t      length = slash ? (size_t)(slash - text) : strlen(text);
    if (length >= sizeof number)
        return false;
    memcpy(number, text, length);
    number[length] = '\0';
    if (!parse_number(number, address))
        return false;
    unsigned first = is_mapped(address) && strchr(number, '.') ? 96 : 0;
    *n_bits = 128 - first;
    if (slash && !parse_bits(slash + 1, 128 - first, n_bits))
        return false;
    *n_bits += first;
    return true;
}

bool proxies_read(Proxies *proxies, const char *const *texts, size_t n, TurfError *error)
{
    char quoted[ERROR_QUOTE_BYTES];
    *proxies = (Proxies){.n = 0};
    if (n > MAX_PROXIES)
        return error_invalid(error, "--trusted-proxy may be given at most %d times", MAX_PROXIES);
    for (size_t i = 0; i < n; i++)
        if (!parse_network(texts[i], &proxies->networks[i].address, &proxies->networks[i].n_bits))
            return error_invalid(error,
                                 "--trusted-proxy must be an address or network like 127.0.0.1 or "
                                 "10.0.0.0/8, not '%s'",
                                 error_quote(quoted, texts[i]));
    proxies->n = n;
    return true;
}

static bool has_prefix(const Address *address, const Address *network, unsigned n_bits)
{
    size_t   n_bytes = n_bits / 8;
    unsigned mask = (0xff00u >> (n_bits % 8)) & 0xffu; /* of the byte that is partly equal */
    return !memcmp(address->bytes, network->bytes, n_bytes) &&
           (!mask || !((address->bytes[n_bytes] ^ network->bytes[n_bytes]) & mask));
}

bool proxies_trust(const Proxies *proxies, const Address *address)
{
    for (size_t i = 0; i < proxies->n; i++)
        if (has_prefix(address, &proxies->networks[i].address, proxies->networks[i].n_bits))
            return true;
    return false;
}

/* ---- for whom they ask -------------------------------------------------------------------- */

/* An entry: 192.0.2.1, 2001:db8::1 or [2001:db8::1], the first and the last maybe with a port. */
static bool parse_entry(const char *text, size_t length, Address *address)
{
    char entry[INET6_ADDRSTRLEN + 9];
    while (length && strchr(" \t", text[0]))
        text++, length--;
    while (length && strchr(" \t", text[length - 1]))
        length--;
    if (length == 0 || length >= sizeof entry)
        return false;
    memcpy(entry, text, length);
    entry[length] = '\0';
    char *number = entry, *port = NULL;
    if (entry[0] == '[') {
        char *end = strchr(++number, ']');
        if (!end || (end[1] && end[1] != ':'))
            return false;
        port = end[1] ? end + 1 : NULL;
        *end = '\0';
    } else if ((port = strchr(entry, ':')) && strchr(port + 1, ':')) {
        port = NULL; /* of an IPv6 address */
    }
    if (port) {
        *port++ = '\0';
        if (strlen(port) > 5 || port[strspn(port, "0123456789")])
            return false;
    }
    return parse_number(number, address);
}

Address proxies_find_client(const Proxies *proxies, const Address *peer,
                            const char *const *forwarded, size_t n_forwarded)
{
    Address client = *peer;
    for (size_t line = n_forwarded; line-- > 0;) {
        const char *text = forwarded[line], *end = text + strlen(text);
        for (const char *begin; proxies_trust(proxies, &client); end = begin - 1) {
            for (begin = end; begin > text && begin[-1] != ',';)
                begin--;
            if (!parse_entry(begin, (size_t)(end - begin), &client))
                return client;
            if (begin == text)
                break;
        }
    }
    return client;
}
