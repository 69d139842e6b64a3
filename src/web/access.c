/* Access control by Host and Origin; see access.h. No state, no locks. */
#include "web/access.h"

#include "base/error.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- names -------------------------------------------------------------------------------- */

static bool is_host_name(const char *host)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    size_t          length = strlen(host);
    struct in6_addr number;
    return inet_pton(AF_INET6, host, &number) == 1 ||
           (length > 0 && length < 256 && strspn(host, letters) == length);
}

bool access_check_hosts(const Hosts *hosts, TurfError *error)
{
    char quoted[ERROR_QUOTE_BYTES];
    for (size_t i = 0; i < hosts->n; i++)
        if (!is_host_name(hosts->names[i]))
            return error_invalid(
                error, "--host must be a name like arena.example.org, without a port, not '%s'",
                error_quote(quoted, hosts->names[i]));
    return true;
}

/* Copies the name without its port; false if there is no name. */
static bool cut_port(const char *host, char name[256])
{
    const char *end = host[0] == '[' ? strchr(host, ']') : strchr(host, ':');
    if (host[0] == '[') {
        if (!end || (end[1] && end[1] != ':'))
            return false;
        host++;
    }
    const char *port = end ? strchr(end, ':') : NULL;
    if (port && (port[1 + strspn(port + 1, "0123456789")] || strtoul(port + 1, NULL, 10) > 65535))
        return false;
    size_t length = end ? (size_t)(end - host) : strlen(host);
    if (length == 0 || length > 255)
        return false;
    memcpy(name, host, length);
    name[length] = '\0';
    return true;
}

bool access_knows_host(const Hosts *hosts, const char *host)
{
    char            name[256];
    struct in6_addr number;
    if (!cut_port(host, name))
        return false;
    if (inet_pton(AF_INET, name, &number) == 1 || inet_pton(AF_INET6, name, &number) == 1 ||
        !strcasecmp(name, "localhost"))
        return true;
    for (size_t i = 0; i < hosts->n; i++)
        if (!strcasecmp(name, hosts->names[i]))
            return true;
    return false;
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
