/* Server-sent events.
 *
 * A channel numbers its events and keeps the last ones, so that a client that lost its connection
 * can continue after the last event it saw. A client with nothing to read costs no thread: its
 * connection is suspended. A client that falls too far behind is disconnected, and starts over with
 * a snapshot.
 *
 * Thread safety: all functions may be called from any thread. */
#ifndef TURF_WEB_CHANNEL_H
#define TURF_WEB_CHANNEL_H

#include "turf.h"

#include <jansson.h>
#include <microhttpd.h>

typedef struct Channel Channel;

/* SNAPSHOT_LASTS: a snapshot stays true until the next event, and is made once for all clients that
 * come between two events. */
typedef enum SnapshotKind { SNAPSHOT_LASTS, SNAPSHOT_AGES } SnapshotKind;

Channel *channel_new(SnapshotKind kind); /* NULL: out of memory */
Channel *channel_retain(Channel *channel);
void     channel_release(Channel *channel); /* NULL is fine */

/* Publishes an event to all subscribers; takes `data` over. */
void channel_publish(Channel *channel, const char *type, json_t *data);
/* The id of the last event. */
void channel_last_id(Channel *channel, char id[40]);

/* A response that streams the events after the one with the id `after`. If that is NULL or not kept
 * any more, the stream begins with an event `type` and the data that `snapshot` makes, which must
 * include everything published so far: the caller sees to it that nothing is published meanwhile.
 * NULL: out of memory. */
struct MHD_Response *channel_subscribe(Channel *channel, struct MHD_Connection *connection,
                                       const char *after, const char            *type,
                                       json_t *(*snapshot)(void *context), void *context);
size_t               channel_n_subscribers(Channel *channel);

/* Sends a comment to all subscribers, so that the library notices dead connections. */
void channel_ping(Channel *channel);
/* Ends all streams when their events are read; new ones end at once. */
void channel_close(Channel *channel);

#endif
