/* The form of a request's head: what is ambiguous is refused before anything else looks at it.
 *
 * A proxy and this server must never disagree on where a request ends or whom it is for, or one
 * client's bytes become another's request (request smuggling). So a request has one Host, one
 * Content-Length and no Transfer-Encoding; its lines end with CR LF and are not folded; its target
 * is a path. */
#ifndef TURF_WEB_HEAD_H
#define TURF_WEB_HEAD_H

#include "turf.h"

#include <microhttpd.h>

/* The target as it was sent, which the library decodes and cuts up later. */
typedef struct Target {
    const char *begin, *end; /* not to be read any more */
    bool        is_path;
} Target;

Target target_read(const char *text);

/* Returns 0, or the status to refuse it with and a sentence. */
unsigned head_check(struct MHD_Connection *connection, const Target *target, const char *method,
                    const char *version, TurfError *error);

#endif
