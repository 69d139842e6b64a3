/* Server-sent events. A channel numbers what is published on it and keeps the last of it, so that a
 * client that lost its connection can go on after the event it saw last. A client that has nothing
 * to read costs no thread: its connection sleeps until there is something. What a client has not
 * read is kept once for all of them and only so long: who falls too far behind is let go, and
 * begins again with a snapshot. */
#ifndef TURF_WEB_CHANNEL_H
#define TURF_WEB_CHANNEL_H

#include "turf.h"

#include <jansson.h>
#include <microhttpd.h>

typedef struct Channel Channel;

/* Does a snapshot stay true until the next event? Then one is made for all who come between two
 * events. */
typedef enum SnapshotKind { SNAPSHOT_LASTS, SNAPSHOT_AGES } SnapshotKind;

Channel *channel_new(SnapshotKind kind); /* NULL when memory is short */
Channel *channel_retain(Channel *channel);
void     channel_release(Channel *channel); /* NULL is fine */

/* Publishes an event to everybody who listens, and takes `data` over. */
void channel_publish(Channel *channel, const char *type, json_t *data);
/* The id of the last event. */
void channel_last_id(Channel *channel, char id[40]);

/* A response that streams the events after the one whose id is `after`. If that is NULL or not
 * known any more, it begins with the event `type` and what `snapshot` makes (taken over), which
 * must hold everything published so far: the caller makes sure that nothing is published meanwhile.
 * NULL when memory is short. */
struct MHD_Response *channel_subscribe(Channel *channel, struct MHD_Connection *connection,
                                       const char *after, const char            *type,
                                       json_t *(*snapshot)(void *context), void *context);
size_t               channel_n_subscribers(Channel *channel);

/* Says something to whoever has heard nothing for a while, so that dead connections are found out.
 */
void channel_ping(Channel *channel);
/* Ends all streams after what they still have to read; new ones end at once. */
void channel_close(Channel *channel);

#endif
