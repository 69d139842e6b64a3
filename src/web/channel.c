/* Server-sent events; see channel.h.
 *
 * Events are reference-counted: each is kept once for all readers. A channel is reference-counted
 * too; subscribers hold references. One lock guards the channel and its subscribers' fields. It is
 * held while the library is told to suspend or resume a connection: otherwise a connection could be
 * resumed before it is suspended. */
#include "web/channel.h"

#include "base/checked_json.h"
#include "web/tokens.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_EVENTS = 128, MAX_BYTES = 512 << 10, CHUNK_BYTES = 8 << 10 };

/* An event as it is sent. */
typedef struct Event {
    atomic_int n_references;
    size_t     length;
    char       text[];
} Event;

typedef struct Subscriber {
    struct Subscriber     *next, **link;
    Channel               *channel;
    struct MHD_Connection *connection;
    Event                 *current;  /* being read */
    Event                 *snapshot; /* to be read next; or NULL */
    size_t                 offset;
    uint64_t               next_number;
    bool                   is_asleep, wants_ping;
} Subscriber;

struct Channel {
    atomic_int      n_references;
    SnapshotKind    kind;
    pthread_mutex_t lock;          /* guards what follows */
    char epoch[TOKEN_SHORT_BYTES]; /* part of the ids, so that ids of another channel are not taken
                                      for ours */
    uint64_t    n_published;
    Event      *kept[MAX_EVENTS]; /* a ring: number n is kept[n % MAX_EVENTS] */
    uint64_t    first_kept;       /* numbers begin with 1 */
    size_t      n_bytes;
    Event      *snapshot; /* of everything up to snapshot_number */
    uint64_t    snapshot_number;
    Subscriber *subscribers;
    size_t      n_subscribers;
    bool        is_closed;
};

/* ---- events ------------------------------------------------------------------------------- */

static Event *event_retain(Event *event)
{
    atomic_fetch_add(&event->n_references, 1);
    return event;
}

static void event_release(Event *event)
{
    if (event && atomic_fetch_sub(&event->n_references, 1) == 1)
        free(event);
}

static Event *event_of_text(const char *text)
{
    size_t length = strlen(text);
    Event *event = malloc(sizeof *event + length + 1);
    if (event) {
        atomic_init(&event->n_references, 1);
        event->length = length;
        memcpy(event->text, text, length + 1);
    }
    return event;
}

/* Takes `data` over. */
static Event *event_new(const Channel *channel, uint64_t number, const char *type, json_t *data)
{
    char  *line = json_checked_text(data, JSON_COMPACT), *text = NULL;
    Event *event = NULL;
    if (line && asprintf(&text, "id: %s-%llu\nevent: %s\ndata: %s\n\n", channel->epoch,
                         (unsigned long long)number, type, line) >= 0)
        event = event_of_text(text);
    free(text);
    free(line);
    json_decref(data);
    return event;
}

/* ---- the channel -------------------------------------------------------------------------- */

Channel *channel_new(SnapshotKind kind)
{
    Channel *channel = calloc(1, sizeof *channel);
    if (!channel)
        return NULL;
    atomic_init(&channel->n_references, 1);
    channel->kind = kind;
    pthread_mutex_init(&channel->lock, NULL);
    token_short(channel->epoch);
    channel->first_kept = 1;
    return channel;
}

Channel *channel_retain(Channel *channel)
{
    atomic_fetch_add(&channel->n_references, 1);
    return channel;
}

void channel_release(Channel *channel)
{
    if (!channel || atomic_fetch_sub(&channel->n_references, 1) != 1)
        return;
    for (uint64_t n = channel->first_kept; n <= channel->n_published; n++)
        event_release(channel->kept[n % MAX_EVENTS]);
    event_release(channel->snapshot);
    pthread_mutex_destroy(&channel->lock);
    free(channel);
}

static void wake(Subscriber *subscriber)
{
    if (subscriber->is_asleep) {
        subscriber->is_asleep = false;
        MHD_resume_connection(subscriber->connection);
    }
}

static void wake_all(Channel *channel)
{
    for (Subscriber *each = channel->subscribers; each; each = each->next)
        wake(each);
}

static void forget_oldest(Channel *channel)
{
    Event **oldest = &channel->kept[channel->first_kept++ % MAX_EVENTS];
    channel->n_bytes -= *oldest ? (*oldest)->length : 0;
    event_release(*oldest);
    *oldest = NULL;
}

void channel_publish(Channel *channel, const char *type, json_t *data)
{
    pthread_mutex_lock(&channel->lock);
    uint64_t number = channel->n_published + 1;
    Event   *event = event_new(channel, number, type, data);
    while (channel->first_kept < number &&
           (number - channel->first_kept >= MAX_EVENTS || channel->n_bytes > MAX_BYTES || !event))
        forget_oldest(channel);
    channel->n_published = number;
    if (event) {
        channel->kept[number % MAX_EVENTS] = event;
        channel->n_bytes += event->length;
    } else {
        channel->first_kept = number + 1; /* out of memory: a gap; all subscribers start over */
    }
    wake_all(channel);
    pthread_mutex_unlock(&channel->lock);
}

void channel_last_id(Channel *channel, char id[40])
{
    pthread_mutex_lock(&channel->lock);
    snprintf(id, 40, "%s-%llu", channel->epoch, (unsigned long long)channel->n_published);
    pthread_mutex_unlock(&channel->lock);
}

void channel_ping(Channel *channel)
{
    pthread_mutex_lock(&channel->lock);
    for (Subscriber *each = channel->subscribers; each; each = each->next) {
        each->wants_ping = true;
        wake(each);
    }
    pthread_mutex_unlock(&channel->lock);
}

void channel_close(Channel *channel)
{
    pthread_mutex_lock(&channel->lock);
    channel->is_closed = true;
    wake_all(channel);
    pthread_mutex_unlock(&channel->lock);
}

size_t channel_n_subscribers(Channel *channel)
{
    pthread_mutex_lock(&channel->lock);
    size_t n = channel->n_subscribers;
    pthread_mutex_unlock(&channel->lock);
    return n;
}

/* ---- reading ------------------------------------------------------------------------------ */

/* Sets `current` to the next event, if there is one; false if the subscriber has missed some. */
static bool take_next(Channel *channel, Subscriber *subscriber)
{
    subscriber->offset = 0;
    if (subscriber->snapshot) {
        subscriber->current = subscriber->snapshot;
        subscriber->snapshot = NULL;
        return true;
    }
    if (subscriber->next_number < channel->first_kept)
        return false;
    if (subscriber->next_number <= channel->n_published)
        subscriber->current = event_retain(channel->kept[subscriber->next_number++ % MAX_EVENTS]);
    else if (subscriber->wants_ping)
        subscriber->current = event_of_text(": still here\n\n");
    subscriber->wants_ping = false;
    return true;
}

static ssize_t read_events(void *context, uint64_t position, char *out, size_t room)
{
    (void)position;
    Subscriber *subscriber = context;
    Channel    *channel = subscriber->channel;
    size_t      n_written = 0;
    bool        is_lost = false;
    pthread_mutex_lock(&channel->lock);
    while (n_written < room && !is_lost) {
        if (!subscriber->current) {
            is_lost = !take_next(channel, subscriber);
            if (!subscriber->current)
                break;
        }
        Event *event = subscriber->current;
        size_t left = event->length - subscriber->offset,
               n = left < room - n_written ? left : room - n_written;
        memcpy(out + n_written, event->text + subscriber->offset, n);
        n_written += n;
        subscriber->offset += n;
        if (subscriber->offset == event->length) {
            event_release(event);
            subscriber->current = NULL;
        }
    }
    ssize_t result = (ssize_t)n_written;
    if (n_written == 0 && (is_lost || channel->is_closed)) { /* the client comes back */
        result = MHD_CONTENT_READER_END_OF_STREAM;
    } else if (n_written == 0) {
        subscriber->is_asleep = true;
        MHD_suspend_connection(subscriber->connection);
    }
    pthread_mutex_unlock(&channel->lock);
    return result;
}

static void unsubscribe(void *context)
{
    Subscriber *subscriber = context;
    Channel    *channel = subscriber->channel;
    pthread_mutex_lock(&channel->lock);
    *subscriber->link = subscriber->next;
    if (subscriber->next)
        subscriber->next->link = subscriber->link;
    channel->n_subscribers--;
    pthread_mutex_unlock(&channel->lock);
    event_release(subscriber->current);
    event_release(subscriber->snapshot);
    free(subscriber);
    channel_release(channel);
}

/* The number of the event after the one with this id; 0 if it is not kept any more. */
static uint64_t number_after(const Channel *channel, const char *id)
{
    size_t length = strlen(channel->epoch);
    if (!id || strncmp(id, channel->epoch, length) || id[length] != '-')
        return 0;
    char              *end;
    unsigned long long number = strtoull(id + length + 1, &end, 10);
    if (*end || number > channel->n_published || number + 1 < channel->first_kept)
        return 0;
    return number + 1;
}

/* The state up to now as one event. The caller sees to it that nothing is published meanwhile. */
static Event *snapshot_now(Channel *channel, const char *type, json_t *(*make)(void *context),
                           void *context)
{
    pthread_mutex_lock(&channel->lock);
    uint64_t number = channel->n_published;
    Event   *found = channel->snapshot && channel->snapshot_number == number
                         ? event_retain(channel->snapshot)
                         : NULL;
    pthread_mutex_unlock(&channel->lock);
    if (found)
        return found;
    Event *made = event_new(channel, number, type, make(context));
    if (!made || channel->kind == SNAPSHOT_AGES)
        return made;
    pthread_mutex_lock(&channel->lock);
    event_release(channel->snapshot);
    channel->snapshot = event_retain(made);
    channel->snapshot_number = number;
    pthread_mutex_unlock(&channel->lock);
    return made;
}

struct MHD_Response *channel_subscribe(Channel *channel, struct MHD_Connection *connection,
                                       const char *after, const char            *type,
                                       json_t *(*snapshot)(void *context), void *context)
{
    Subscriber *subscriber = calloc(1, sizeof *subscriber);
    if (!subscriber)
        return NULL;
    *subscriber = (Subscriber){.channel = channel_retain(channel), .connection = connection};
    pthread_mutex_lock(&channel->lock);
    subscriber->next_number = number_after(channel, after);
    bool needs_snapshot = subscriber->next_number == 0;
    if (needs_snapshot)
        subscriber->next_number = channel->n_published + 1;
    subscriber->link = &channel->subscribers;
    subscriber->next = channel->subscribers;
    if (subscriber->next)
        subscriber->next->link = &subscriber->next;
    channel->subscribers = subscriber;
    channel->n_subscribers++;
    pthread_mutex_unlock(&channel->lock);

    if (needs_snapshot)
        subscriber->snapshot = snapshot_now(channel, type, snapshot, context);
    subscriber->current = event_of_text(
        "retry: 1000\n\n"); /* ms until a client that lost its connection comes back */
    struct MHD_Response *response =
        needs_snapshot && !subscriber->snapshot
            ? NULL
            : MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, CHUNK_BYTES, read_events,
                                                subscriber, unsubscribe);
    if (!response)
        unsubscribe(subscriber);
    return response;
}
