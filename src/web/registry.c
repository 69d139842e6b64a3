#include "web/registry.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/whole_json.h"
#include "store/sittings.h"
#include "web/server.h"
#include "web/sitting.h"

#include <stdlib.h>
#include <string.h>

enum {
    LIVE_EVERY_MS = 500,
    MOST_LIVE_BYTES = 256 << 10, /* of boards told at once */
    KEPT_AFTER_END_MS = 60000,
    UNSTARTED_MS = 10 * 60 * 1000, /* time to come by a link that was sent */
    LEFT_ALONE_MS = 24 * 3600 * 1000
};

void registry_init(Registry *registry)
{
    memset(registry, 0, sizeof *registry);
    pthread_mutex_init(&registry->lock, NULL);
}

static size_t bucket_of(const char *id) { return hash_bucket(id, strlen(id), REGISTRY_BUCKETS); }

static Sitting *find_in_memory(Registry *registry, const char *id)
{
    Sitting *sitting = registry->buckets[bucket_of(id)];
    while (sitting && strcmp(sitting->id, id))
        sitting = sitting->next;
    return sitting;
}

/* The registry holds one reference of its own. */
static void insert(Registry *registry, Sitting *sitting)
{
    size_t bucket = bucket_of(sitting->id);
    if (atomic_load(&sitting->server->is_leaving)) /* the others' streams may be closed already */
        channel_close(sitting->channel);
    sitting->next = registry->buckets[bucket];
    registry->buckets[bucket] = sitting;
    registry->n_sittings++;
}

void registry_add(Server *server, Sitting *sitting)
{
    pthread_mutex_lock(&server->registry.lock);
    insert(&server->registry, sitting_retain(sitting));
    pthread_mutex_unlock(&server->registry.lock);
}

static bool is_id(const char *text)
{
    return strlen(text) == TOKEN_NAME_BYTES - 1 &&
           strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789") == TOKEN_NAME_BYTES - 1;
}

Sitting *registry_find(Server *server, const char *id, TurfError *error)
{
    Registry *registry = &server->registry;
    error->text[0] = '\0';
    if (!is_id(id))
        return NULL;
    pthread_mutex_lock(&registry->lock);
    Sitting *sitting = find_in_memory(registry, id);
    bool     is_loaded = false;
    if (!sitting && (sitting = sitting_load(server, id, error))) {
        sitting->has_place = !sitting->is_over;
        if (sitting->has_place)
            shares_force(&server->places, &sitting->maker);
        insert(registry, sitting);
        is_loaded = true;
    }
    if (sitting)
        sitting_retain(sitting);
    pthread_mutex_unlock(&registry->lock);
    if (is_loaded) {
        pthread_mutex_lock(&sitting->lock);
        sitting_continue(sitting);
        pthread_mutex_unlock(&sitting->lock);
    }
    return sitting;
}

/* All of them, retained, so that nobody holds the registry while he looks at one. */
static Sitting **list_all(Registry *registry, size_t *n_sittings)
{
    size_t n = 0;
    pthread_mutex_lock(&registry->lock);
    Sitting **list = malloc((registry->n_sittings + 1) * sizeof(Sitting *));
    for (size_t bucket = 0; bucket < REGISTRY_BUCKETS && list; bucket++)
        for (Sitting *each = registry->buckets[bucket]; each; each = each->next)
            list[n++] = sitting_retain(each);
    pthread_mutex_unlock(&registry->lock);
    *n_sittings = n;
    return list;
}

static void free_list(Sitting **list, size_t n_sittings)
{
    for (size_t i = 0; list && i < n_sittings; i++)
        sitting_release(list[i]);
    free(list);
}

void registry_release(Registry *registry)
{
    for (size_t bucket = 0; bucket < REGISTRY_BUCKETS; bucket++)
        for (Sitting *each = registry->buckets[bucket], *next; each; each = next) {
            next = each->next;
            sitting_release(each);
        }
    pthread_mutex_destroy(&registry->lock);
}

/* ---- room --------------------------------------------------------------------------------- */

/* Did nobody come to play it? */
static bool is_unstarted(Sitting *sitting)
{
    return sitting->line.n_turns == 0 && !sitting->pending[0].is_in && !sitting->pending[1].is_in &&
           now_ms() - sitting->updated_ms > UNSTARTED_MS && channel_n_subscribers(sitting->channel) == 0;
}

static bool is_left_alone(const Sitting *sitting) { return now_ms() - sitting->updated_ms > LEFT_ALONE_MS; }

/* How well a sitting could be done without: the greater, the better; 0 if it cannot. */
static int64_t uselessness(Sitting *sitting)
{
    int64_t age_ms = now_ms() - sitting->updated_ms;
    return sitting->is_over ? 0 : is_unstarted(sitting) ? age_ms + INT64_MAX / 2 : is_left_alone(sitting) ? age_ms : 0;
}

static void abandon(Sitting *sitting)
{
    Refusal unused;
    Finish  finish = {.winner = -1, .outcome = "", .reason = "abandoned"};
    snprintf(finish.text, sizeof finish.text, "%s",
             is_unstarted(sitting) ? "nobody came to play it" : "it was left alone");
    json_decref(sitting_end(sitting, &finish, &unused));
}

/* Makes room for a caller, if that is possible: among his own games and nobody's, or among all if there is no place
 * for anybody. */
static void make_room(Server *server, const Caller *caller, bool is_full)
{
    size_t    n_sittings;
    Sitting **list = list_all(&server->registry, &n_sittings), *worst = NULL;
    int64_t   most_useless = 0;
    for (size_t i = 0; i < n_sittings; i++) {
        if (!is_full && !caller_is(&list[i]->maker, caller) && !caller_is_nobody(&list[i]->maker))
            continue;
        pthread_mutex_lock(&list[i]->lock);
        int64_t useless = uselessness(list[i]);
        pthread_mutex_unlock(&list[i]->lock);
        if (useless > most_useless) {
            most_useless = useless;
            worst = list[i];
        }
    }
    if (worst) {
        pthread_mutex_lock(&worst->lock);
        if (uselessness(worst) > 0) /* somebody may have come meanwhile */
            abandon(worst);
        pthread_mutex_unlock(&worst->lock);
    }
    free_list(list, n_sittings);
}

Grant registry_take_place(Server *server, const Caller *caller)
{
    Grant grant = shares_take(&server->places, caller);
    if (grant == GRANT_GIVEN)
        return grant;
    make_room(server, caller, grant == GRANT_FULL);
    return shares_take(&server->places, caller);
}

void registry_dismiss_idle_bot(Server *server)
{
    size_t    n_sittings;
    Sitting **list = list_all(&server->registry, &n_sittings), *longest = NULL;
    int64_t   used_ns = INT64_MAX;
    for (size_t i = 0; i < n_sittings; i++) {
        pthread_mutex_lock(&list[i]->lock);
        if (sitting_has_idle_bot(list[i]) && list[i]->kept_used_ns < used_ns) {
            used_ns = list[i]->kept_used_ns;
            longest = list[i];
        }
        pthread_mutex_unlock(&list[i]->lock);
    }
    if (longest) {
        pthread_mutex_lock(&longest->lock);
        sitting_dismiss_idle_bot(longest);
        pthread_mutex_unlock(&longest->lock);
    }
    free_list(list, n_sittings);
}

/* ---- bringing them back ------------------------------------------------------------------- */

static bool note_id(void *context, const StoredSitting *row)
{
    json_t **ids = context;
    json_add(ids, json_string(row->id));
    return *ids != NULL;
}

bool registry_restore(Server *server, TurfError *error)
{
    SittingFilter filter = {.is_over = false, .limit = (int64_t)server->places.most};
    json_t       *ids = json_array(), *id;
    size_t        i;
    bool          is_good =
        sittings_each(server->store, &filter, note_id, &ids, error) && (ids || error_set(error, "out of memory"));
    json_array_foreach(ids, i, id)
    {
        /* One that cannot be read must not keep the others from going on. */
        TurfError why;
        sitting_release(registry_find(server, json_string_value(id), &why));
    }
    json_decref(ids);
    return is_good;
}

/* ---- the list of live games --------------------------------------------------------------- */

/* With the time as it was when the sorting began: games go on meanwhile. */
typedef struct Dated {
    Sitting *sitting;
    int64_t  updated_ms;
} Dated;

static int by_time(const void *a, const void *b)
{
    const Dated *first = a, *second = b;
    return first->updated_ms > second->updated_ms ? -1 : first->updated_ms < second->updated_ms;
}

/* False when memory is short. */
static bool sort_by_time(Sitting **list, size_t n_sittings)
{
    Dated *dated = malloc((n_sittings + 1) * sizeof *dated);
    if (!dated)
        return false;
    for (size_t i = 0; i < n_sittings; i++)
        dated[i] = (Dated){list[i], list[i]->updated_ms};
    qsort(dated, n_sittings, sizeof *dated, by_time);
    for (size_t i = 0; i < n_sittings; i++)
        list[i] = dated[i].sitting;
    free(dated);
    return true;
}

json_t *registry_summaries(Server *server, size_t most, bool wants_over, const char *game)
{
    size_t    n_sittings;
    Sitting **list = list_all(&server->registry, &n_sittings);
    json_t   *summaries = json_array();
    json_keep_if(&summaries, !list || !sort_by_time(list, n_sittings));
    for (size_t i = 0; list && i < n_sittings && json_array_size(summaries) < most; i++) {
        Sitting *sitting = list[i];
        pthread_mutex_lock(&sitting->lock);
        if (sitting->setup.is_listed && sitting->is_over == wants_over &&
            (!game || !strcmp(game, sitting->setup.game->name)))
            json_add(&summaries, sitting_summary(sitting));
        pthread_mutex_unlock(&sitting->lock);
    }
    free_list(list, n_sittings);
    return summaries;
}

/* May this one be forgotten? Asked with the registry locked: nobody can get hold of it meanwhile. */
static bool is_done_with(Sitting *sitting)
{
    /* One of the clocks is enough: that on the wall may have been set back. */
    bool is_old = now_ms() - sitting->updated_ms > KEPT_AFTER_END_MS ||
                  clock_ns() - sitting->touched_ns > KEPT_AFTER_END_MS * INT64_C(1000000);
    return is_old && atomic_load(&sitting->n_references) == 1 && sitting->is_over &&
           channel_n_subscribers(sitting->channel) == 0;
}

static void forget_finished(Registry *registry, json_t **gone)
{
    pthread_mutex_lock(&registry->lock);
    for (size_t bucket = 0; bucket < REGISTRY_BUCKETS; bucket++)
        for (Sitting **at = &registry->buckets[bucket]; *at;) {
            Sitting *sitting = *at;
            if (!is_done_with(sitting)) {
                at = &sitting->next;
                continue;
            }
            if (sitting->setup.is_listed)
                json_add(gone, json_string(sitting->id));
            *at = sitting->next;
            registry->n_sittings--;
            sitting_release(sitting);
        }
    pthread_mutex_unlock(&registry->lock);
}

/* What has changed since it was told last; what is too much for now is told the next time. */
static json_t *collect_news(Sitting **list, size_t n_sittings)
{
    json_t *news = json_array();
    size_t  n_bytes = 0;
    for (size_t i = 0; i < n_sittings && n_bytes < MOST_LIVE_BYTES; i++) {
        Sitting *sitting = list[i];
        pthread_mutex_lock(&sitting->lock);
        if (sitting->is_news && sitting->setup.is_listed) {
            json_t *summary = sitting_summary(sitting);
            n_bytes += json_dumpb(summary, NULL, 0, JSON_COMPACT);
            json_add(&news, summary);
        }
        sitting->is_news = false;
        pthread_mutex_unlock(&sitting->lock);
    }
    return news;
}

void registry_tick(Server *server)
{
    size_t    n_sittings;
    Sitting **list = list_all(&server->registry, &n_sittings);
    int64_t   now_ns = clock_ns();
    for (size_t i = 0; i < n_sittings; i++) {
        pthread_mutex_lock(&list[i]->lock);
        sitting_tick(list[i]);
        sitting_let_players_think(list[i]);
        pthread_mutex_unlock(&list[i]->lock);
    }
    bool    is_time = now_ns - server->registry.told_ns > LIVE_EVERY_MS * INT64_C(1000000);
    json_t *news = is_time ? collect_news(list, n_sittings) : NULL;
    free_list(list, n_sittings);
    if (!is_time)
        return;
    server->registry.told_ns = now_ns;
    json_t *gone = json_array();
    forget_finished(&server->registry, &gone);
    /* What there was no memory for is a gap in the channel, and everybody begins with the list anew. */
    if (!news || !gone || json_array_size(news) || json_array_size(gone))
        channel_publish(server->live, "sittings", json_pack("{s:O,s:O}", "sittings", news, "gone", gone));
    json_decref(news);
    json_decref(gone);
}

void registry_ping(Server *server)
{
    size_t    n_sittings;
    Sitting **list = list_all(&server->registry, &n_sittings);
    for (size_t i = 0; i < n_sittings; i++)
        channel_ping(list[i]->channel);
    free_list(list, n_sittings);
}

void registry_close_streams(Server *server)
{
    size_t    n_sittings;
    Sitting **list = list_all(&server->registry, &n_sittings);
    for (size_t i = 0; i < n_sittings; i++) {
        channel_publish(list[i]->channel, "bye", json_object());
        channel_close(list[i]->channel);
    }
    free_list(list, n_sittings);
}

/* Does something to every sitting, locked. */
static void to_each(Server *server, void (*act)(Sitting *sitting))
{
    size_t    n_sittings;
    Sitting **list = list_all(&server->registry, &n_sittings);
    for (size_t i = 0; i < n_sittings; i++) {
        pthread_mutex_lock(&list[i]->lock);
        act(list[i]);
        pthread_mutex_unlock(&list[i]->lock);
    }
    free_list(list, n_sittings);
}

void registry_stop_thinking(Server *server) { to_each(server, sitting_stop_thinking); }

void registry_save_clocks(Server *server) { to_each(server, sitting_save_clocks); }
