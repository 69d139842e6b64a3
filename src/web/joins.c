/* Bots at home and their streams; see joins.h. */
#include "web/joins.h"

#include "base/checked_json.h"
#include "base/clock.h"
#include "base/error.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct Join {
    struct Join *next;
    char         session[TOKEN_BYTES], token_hash[TOKEN_HASH_BYTES];
    char        *team;
    json_t      *hello;
    Channel     *channel;
    HomeBot     *bot;
    int64_t      alone_since_ns; /* without a stream; 0: it has one */
    bool         was_connected;  /* when it was last looked at */
} Join;

struct Joins {
    pthread_mutex_t lock;
    Join           *list;
    bool            has_changed; /* for joins_tick: one has ended */
};

Joins *joins_new(TurfError *error)
{
    Joins *joins = calloc(1, sizeof *joins);
    if (joins)
        pthread_mutex_init(&joins->lock, NULL);
    else
        error_no_memory(error);
    return joins;
}

/* ---- one join; the lock is held --------------------------------------------------------- */

static void send_event(void *context, const char *type, json_t *data)
{
    const Join *join = context;
    channel_publish(join->channel, type, data);
}

static void join_free(Join *join)
{
    home_bot_disconnect(join->bot);
    channel_release(join->channel);
    json_decref(join->hello);
    free(join->team);
    free(join);
}

/* Takes over terms->hello. */
static Join *join_new(const JoinTerms *terms)
{
    Join *join = calloc(1, sizeof *join);
    if (!join) {
        json_decref(terms->hello);
        return NULL;
    }
    token_draw(join->session);
    token_hash(terms->token, join->token_hash);
    join->team = strdup(terms->team);
    join->hello = terms->hello;
    join->channel = channel_new(SNAPSHOT_AGES);
    json_put(&join->hello, "session", json_string(join->session));
    if (join->team && join->hello && join->channel)
        return join;
    join_free(join);
    return NULL;
}

/* `is_final`: it must not come back. */
static void end(Joins *joins, Join *join, const char *reason, bool is_final)
{
    Join **at = &joins->list;
    while (*at != join)
        at = &(*at)->next;
    *at = join->next;
    joins->has_changed = true;
    channel_publish(join->channel, "bye",
                    json_pack("{s:s,s:b}", "reason", reason, "is_final", (int)is_final));
    channel_close(join->channel);
    join_free(join);
}

static Join *find_team(const Joins *joins, const char *team)
{
    for (Join *each = joins->list; each; each = each->next)
        if (!strcmp(each->team, team))
            return each;
    return NULL;
}

static Join *find_session(const Joins *joins, const char *session, const char *token)
{
    for (Join *each = joins->list; each; each = each->next)
        if (!strcmp(each->session, session) && token_matches(token, each->token_hash))
            return each;
    return NULL;
}

static json_t *make_hello(void *join) { return json_incref(((Join *)join)->hello); }

/* ---- all -------------------------------------------------------------------------------- */

struct MHD_Response *joins_add(Joins *joins, const JoinTerms *terms,
                               struct MHD_Connection *connection)
{
    Join *join = join_new(terms);
    if (!join)
        return NULL;
    pthread_mutex_lock(&joins->lock);
    Join *before = find_team(joins, terms->team);
    if (before)
        end(joins, before, "another 'turf join' of this team has taken over", true);
    /* The stream before the bot, whose first ping must not be missed. */
    struct MHD_Response *response =
        channel_subscribe(join->channel, connection, NULL, "hello", make_hello, join);
    if (response)
        join->bot = home_bot_connect(join->team, (int)terms->n_games, send_event, join);
    if (join->bot) {
        join->next = joins->list;
        joins->list = join;
    } else {
        if (response)
            MHD_destroy_response(response);
        response = NULL;
        join_free(join);
    }
    pthread_mutex_unlock(&joins->lock);
    return response;
}

struct MHD_Response *joins_continue(Joins *joins, const char *session, const char *token,
                                    const char *after, struct MHD_Connection *connection)
{
    pthread_mutex_lock(&joins->lock);
    Join                *join = find_session(joins, session, token);
    struct MHD_Response *response = NULL;
    if (join)
        response = channel_subscribe(join->channel, connection, after, "hello", make_hello, join);
    pthread_mutex_unlock(&joins->lock);
    return response;
}

HomeBot *joins_lock(Joins *joins, const char *session, const char *token)
{
    pthread_mutex_lock(&joins->lock);
    Join *join = find_session(joins, session, token);
    if (join)
        return join->bot;
    pthread_mutex_unlock(&joins->lock);
    return NULL;
}

void joins_unlock(Joins *joins) { pthread_mutex_unlock(&joins->lock); }

void joins_end(Joins *joins, const char *team, const char *reason)
{
    pthread_mutex_lock(&joins->lock);
    Join *join = find_team(joins, team);
    if (join)
        end(joins, join, reason, true);
    pthread_mutex_unlock(&joins->lock);
}

static bool is_gone(Join *join, int64_t now_ns)
{
    if (channel_n_subscribers(join->channel) > 0)
        join->alone_since_ns = 0;
    else if (join->alone_since_ns == 0)
        join->alone_since_ns = now_ns;
    return join->alone_since_ns > 0 &&
           now_ns - join->alone_since_ns > JOIN_GRACE_MS * INT64_C(1000000);
}

bool joins_tick(Joins *joins)
{
    int64_t now_ns = clock_ns();
    pthread_mutex_lock(&joins->lock);
    for (Join *join = joins->list, *next; join; join = next) {
        next = join->next;
        if (!home_bot_tick(join->bot)) {
            end(joins, join, "the bot did not answer for ten seconds", false);
            continue;
        }
        if (is_gone(join, now_ns)) {
            end(joins, join, "the connection was lost", false);
            continue;
        }
        bool is_connected = home_is_connected(join->team);
        joins->has_changed |= is_connected != join->was_connected;
        join->was_connected = is_connected;
    }
    bool has_changed = joins->has_changed;
    joins->has_changed = false;
    pthread_mutex_unlock(&joins->lock);
    return has_changed;
}

void joins_close(Joins *joins)
{
    pthread_mutex_lock(&joins->lock);
    while (joins->list)
        end(joins, joins->list, "the server is stopping", false);
    pthread_mutex_unlock(&joins->lock);
}

void joins_free(Joins *joins)
{
    if (!joins)
        return;
    joins_close(joins);
    pthread_mutex_destroy(&joins->lock);
    free(joins);
}
