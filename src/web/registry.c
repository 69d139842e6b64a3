/* All live games in memory: finding and loading them, making room, ticking, the list of them. */
#include "web/registry.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/checked_json.h"
#include "store/live_games.h"
#include "web/server.h"
#include "web/hosted_game.h"

#include <stdlib.h>
#include <string.h>

enum {
    PUBLISH_EVERY_MS = 500,
    MAX_LIST_BYTES = 256 << 10, /* of summaries published at once */
    KEPT_AFTER_END_MS = 60000,
    MAX_UNSTARTED_MS = 10 * 60 * 1000, /* an invited person needs time to open the link */
    MAX_QUIET_MS = 10 * 60 * 1000,     /* in the list without a follower */
    MAX_IDLE_MS = 24 * 3600 * 1000
};

Registry *registry_new(TurfError *error)
{
    Registry *registry = calloc(1, sizeof *registry);
    if (registry)
        pthread_mutex_init(&registry->lock, NULL);
    else
        error_no_memory(error);
    return registry;
}

static size_t bucket_of(const char *id) { return hash_bucket(id, strlen(id), REGISTRY_BUCKETS); }

static HostedGame *find_in_memory(Registry *registry, const char *id)
{
    HostedGame *hosted = registry->buckets[bucket_of(id)];
    while (hosted && strcmp(hosted->id, id))
        hosted = hosted->next;
    return hosted;
}

/* The registry holds one reference of its own. */
static void insert(Registry *registry, HostedGame *hosted)
{
    size_t bucket = bucket_of(hosted->id);
    if (atomic_load(&hosted->server->is_leaving)) /* the streams of the others may be closed */
        channel_close(hosted->channel);
    hosted->next = registry->buckets[bucket];
    registry->buckets[bucket] = hosted;
    registry->n_live_games++;
}

void registry_add(Server *server, HostedGame *hosted)
{
    pthread_mutex_lock(&server->registry->lock);
    insert(server->registry, hosted_game_retain(hosted));
    pthread_mutex_unlock(&server->registry->lock);
}

static bool is_id(const char *text)
{
    return strlen(text) == TOKEN_NAME_BYTES - 1 &&
           strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789") == TOKEN_NAME_BYTES - 1;
}

HostedGame *registry_find(Server *server, const char *id, TurfError *error)
{
    Registry *registry = server->registry;
    if (!is_id(id)) {
        error_not_found(error, "there is no such game");
        return NULL;
    }
    pthread_mutex_lock(&registry->lock);
    HostedGame *hosted = find_in_memory(registry, id);
    bool        is_loaded = false;
    if (!hosted && (hosted = hosted_game_load(server, id, error))) {
        hosted->has_slot = !hosted->live.is_over;
        if (hosted->has_slot)
            quota_force(&server->quota, &hosted->maker, SLOT_LIVE_GAME);
        insert(registry, hosted);
        is_loaded = true;
    }
    if (hosted)
        hosted_game_retain(hosted);
    pthread_mutex_unlock(&registry->lock);
    if (is_loaded) {
        pthread_mutex_lock(&hosted->lock);
        hosted_game_continue(hosted);
        pthread_mutex_unlock(&hosted->lock);
    }
    return hosted;
}

/* All of them, retained, so that the registry is not locked while they are looked at. */
static HostedGame **list_all(Registry *registry, size_t *n_live_games)
{
    size_t n = 0;
    pthread_mutex_lock(&registry->lock);
    HostedGame **list = malloc((registry->n_live_games + 1) * sizeof(HostedGame *));
    for (size_t bucket = 0; bucket < REGISTRY_BUCKETS && list; bucket++)
        for (HostedGame *each = registry->buckets[bucket]; each; each = each->next)
            list[n++] = hosted_game_retain(each);
    pthread_mutex_unlock(&registry->lock);
    *n_live_games = n;
    return list;
}

static void free_list(HostedGame **list, size_t n_live_games)
{
    for (size_t i = 0; list && i < n_live_games; i++)
        hosted_game_release(list[i]);
    free(list);
}

void registry_free(Registry *registry)
{
    if (!registry)
        return;
    for (size_t bucket = 0; bucket < REGISTRY_BUCKETS; bucket++)
        for (HostedGame *each = registry->buckets[bucket], *next; each; each = next) {
            next = each->next;
            hosted_game_release(each);
        }
    pthread_mutex_destroy(&registry->lock);
    free(registry);
}

/* ---- making room
 * --------------------------------------------------------------------------------- */

/* Nobody has played it, or it is paused; and nobody watches. */
static bool is_unstarted(HostedGame *hosted)
{
    bool is_untouched = hosted->live.history.n_plies == 0 && !hosted->live.pending[0].is_in &&
                        !hosted->live.pending[1].is_in;
    return (is_untouched || hosted->is_paused) &&
           now_ms() - hosted->updated_ms > MAX_UNSTARTED_MS &&
           channel_n_subscribers(hosted->channel) == 0;
}

/* The game with the highest rank makes room first; 0: it may not be ended. */
static int64_t eviction_rank(HostedGame *hosted)
{
    int64_t age_ms = now_ms() - hosted->updated_ms;
    if (hosted->live.is_over)
        return 0;
    if (is_unstarted(hosted))
        return age_ms + INT64_MAX / 2;
    return age_ms > MAX_IDLE_MS ? age_ms : 0;
}

static void abandon(HostedGame *hosted)
{
    ApiError dropped;
    Finish   finish = finish_without_winner(
          "abandoned", is_unstarted(hosted) ? "nobody came to play it" : "it was left alone");
    json_decref(hosted_game_end(hosted, &finish, &dropped));
}

/* Ends one game to make room: one of the client's own or of no client, or any if all slots are
 * taken.
 */
static void make_room(Server *server, const Client *client, bool is_full)
{
    size_t       n_live_games;
    HostedGame **list = list_all(server->registry, &n_live_games), *first = NULL;
    int64_t      highest = 0;
    for (size_t i = 0; i < n_live_games; i++) {
        if (!is_full && !client_equals(&list[i]->maker, client) && !client_is_none(&list[i]->maker))
            continue;
        pthread_mutex_lock(&list[i]->lock);
        int64_t rank = eviction_rank(list[i]);
        pthread_mutex_unlock(&list[i]->lock);
        if (rank > highest) {
            highest = rank;
            first = list[i];
        }
    }
    if (first) {
        pthread_mutex_lock(&first->lock);
        if (eviction_rank(first) > 0) /* it may have been played meanwhile */
            abandon(first);
        pthread_mutex_unlock(&first->lock);
    }
    free_list(list, n_live_games);
}

QuotaGrant registry_take_slot(Server *server, const Client *client)
{
    QuotaGrant grant = quota_take(&server->quota, client, SLOT_LIVE_GAME);
    if (grant == QUOTA_GRANTED)
        return grant;
    make_room(server, client, grant == QUOTA_ALL_FULL);
    return quota_take(&server->quota, client, SLOT_LIVE_GAME);
}

void registry_dismiss_idle_bot(Server *server)
{
    size_t       n_live_games;
    HostedGame **list = list_all(server->registry, &n_live_games), *longest = NULL;
    int64_t      used_ns = INT64_MAX;
    for (size_t i = 0; i < n_live_games; i++) {
        pthread_mutex_lock(&list[i]->lock);
        if (hosted_game_has_idle_bot(list[i]) && list[i]->kept_used_ns < used_ns) {
            used_ns = list[i]->kept_used_ns;
            longest = list[i];
        }
        pthread_mutex_unlock(&list[i]->lock);
    }
    if (longest) {
        pthread_mutex_lock(&longest->lock);
        hosted_game_dismiss_idle_bot(longest);
        pthread_mutex_unlock(&longest->lock);
    }
    free_list(list, n_live_games);
}

/* ---- loading ------------------------------------------------------------------- */

static bool note_id(void *context, const StoredLiveGame *row)
{
    json_t **ids = context;
    json_add(ids, json_string(row->id));
    return *ids != NULL;
}

bool registry_restore(Server *server, TurfError *error)
{
    LiveGameFilter filter = {.is_over = false,
                             .limit = (int64_t)server->quota.n_slots[SLOT_LIVE_GAME]};
    json_t        *ids = json_array(), *id;
    size_t         i;
    bool           is_good = live_games_each(server->store, &filter, note_id, &ids, error) &&
                   (ids || error_no_memory(error));
    json_array_foreach(ids, i, id)
    {
        /* A damaged one does not keep the others from being loaded. */
        TurfError why;
        hosted_game_release(registry_find(server, json_string_value(id), &why));
    }
    json_decref(ids);
    return is_good;
}

/* ---- the list of live games --------------------------------------------------------------- */

/* With the time when sorting began: games are played meanwhile. */
typedef struct Dated {
    HostedGame *hosted;
    int64_t     updated_ms;
} Dated;

static int by_time(const void *a, const void *b)
{
    const Dated *first = a, *second = b;
    return first->updated_ms > second->updated_ms ? -1 : first->updated_ms < second->updated_ms;
}

/* False without memory. */
static bool sort_by_time(HostedGame **list, size_t n_live_games)
{
    Dated *dated = malloc((n_live_games + 1) * sizeof *dated);
    if (!dated)
        return false;
    for (size_t i = 0; i < n_live_games; i++)
        dated[i] = (Dated){list[i], list[i]->updated_ms};
    qsort(dated, n_live_games, sizeof *dated, by_time);
    for (size_t i = 0; i < n_live_games; i++)
        list[i] = dated[i].hosted;
    free(dated);
    return true;
}

/* Nothing has happened for a while, and nobody follows it: not listed until it goes on. */
static bool is_left_alone(HostedGame *hosted)
{
    return !hosted->live.is_over && now_ms() - hosted->updated_ms > MAX_QUIET_MS &&
           channel_n_subscribers(hosted->channel) == 0;
}

json_t *registry_summaries(Server *server, size_t max, bool wants_over, const char *game)
{
    size_t       n_live_games;
    HostedGame **list = list_all(server->registry, &n_live_games);
    json_t      *summaries = json_array();
    json_keep_if(&summaries, !list || !sort_by_time(list, n_live_games));
    for (size_t i = 0; list && i < n_live_games && json_array_size(summaries) < max; i++) {
        HostedGame *hosted = list[i];
        pthread_mutex_lock(&hosted->lock);
        if (hosted->setup.is_listed && hosted->live.is_over == wants_over &&
            !is_left_alone(hosted) && (!game || !strcmp(game, hosted->setup.game->name)))
            json_add(&summaries, hosted_game_summary(hosted));
        pthread_mutex_unlock(&hosted->lock);
    }
    free_list(list, n_live_games);
    return summaries;
}

/* The registry is locked and has the only reference, so the game needs no lock. */
static bool is_done_with(HostedGame *hosted)
{
    /* Either clock is enough: the wall clock may have been set back. */
    bool is_old = now_ms() - hosted->updated_ms > KEPT_AFTER_END_MS ||
                  clock_ns() - hosted->touched_ns > KEPT_AFTER_END_MS * INT64_C(1000000);
    return is_old && atomic_load(&hosted->n_references) == 1 && hosted->live.is_over &&
           channel_n_subscribers(hosted->channel) == 0;
}

static void unload_finished(Registry *registry, json_t **gone)
{
    pthread_mutex_lock(&registry->lock);
    for (size_t bucket = 0; bucket < REGISTRY_BUCKETS; bucket++)
        for (HostedGame **at = &registry->buckets[bucket]; *at;) {
            HostedGame *hosted = *at;
            if (!is_done_with(hosted)) {
                at = &hosted->next;
                continue;
            }
            if (hosted->setup.is_listed)
                json_add(gone, json_string(hosted->id));
            *at = hosted->next;
            registry->n_live_games--;
            hosted_game_release(hosted);
        }
    pthread_mutex_unlock(&registry->lock);
}

/* Takes a game off the published list when it is left alone, and back when it goes on. */
static void hide_or_show(HostedGame *hosted, json_t **gone)
{
    bool is_hidden = is_left_alone(hosted);
    if (is_hidden == hosted->is_hidden)
        return;
    hosted->is_hidden = is_hidden;
    if (is_hidden)
        json_add(gone, json_string(hosted->id));
    else
        hosted->is_news = true;
}

/* The summaries that have changed since they were published; those beyond MAX_LIST_BYTES next time.
 */
static json_t *collect_news(HostedGame **list, size_t n_live_games, json_t **gone)
{
    json_t *news = json_array();
    size_t  n_bytes = 0;
    for (size_t i = 0; i < n_live_games && n_bytes < MAX_LIST_BYTES; i++) {
        HostedGame *hosted = list[i];
        pthread_mutex_lock(&hosted->lock);
        if (hosted->setup.is_listed)
            hide_or_show(hosted, gone);
        if (hosted->is_news && hosted->setup.is_listed && !hosted->is_hidden) {
            json_t *summary = hosted_game_summary(hosted);
            n_bytes += json_dumpb(summary, NULL, 0, JSON_COMPACT);
            json_add(&news, summary);
        }
        hosted->is_news = false;
        pthread_mutex_unlock(&hosted->lock);
    }
    return news;
}

/* NULL, without memory, makes a gap in the channel: all clients start again with the list. */
static void publish_list(Server *server, json_t *news, json_t *gone)
{
    if (!news || !gone || json_array_size(news) || json_array_size(gone))
        channel_publish(server->live, "live_games",
                        json_pack("{s:O,s:O}", "live_games", news, "gone", gone));
}

void registry_tick(Server *server)
{
    size_t       n_live_games;
    HostedGame **list = list_all(server->registry, &n_live_games);
    int64_t      now_ns = clock_ns();
    for (size_t i = 0; i < n_live_games; i++) {
        pthread_mutex_lock(&list[i]->lock);
        hosted_game_tick(list[i]);
        hosted_game_let_players_think(list[i]);
        pthread_mutex_unlock(&list[i]->lock);
    }
    bool    is_time = now_ns - server->registry->published_ns > PUBLISH_EVERY_MS * INT64_C(1000000);
    json_t *gone = json_array();
    json_t *news = is_time ? collect_news(list, n_live_games, &gone) : NULL;
    free_list(list, n_live_games);
    if (is_time) {
        server->registry->published_ns = now_ns;
        unload_finished(server->registry, &gone);
        publish_list(server, news, gone);
    }
    json_decref(news);
    json_decref(gone);
}

void registry_ping(Server *server)
{
    size_t       n_live_games;
    HostedGame **list = list_all(server->registry, &n_live_games);
    for (size_t i = 0; i < n_live_games; i++)
        channel_ping(list[i]->channel);
    free_list(list, n_live_games);
}

void registry_close_streams(Server *server)
{
    size_t       n_live_games;
    HostedGame **list = list_all(server->registry, &n_live_games);
    for (size_t i = 0; i < n_live_games; i++) {
        channel_publish(list[i]->channel, "bye", json_object());
        channel_close(list[i]->channel);
    }
    free_list(list, n_live_games);
}

/* Calls a function for every live game, locked. */
static void for_each(Server *server, void (*function)(HostedGame *hosted))
{
    size_t       n_live_games;
    HostedGame **list = list_all(server->registry, &n_live_games);
    for (size_t i = 0; i < n_live_games; i++) {
        pthread_mutex_lock(&list[i]->lock);
        function(list[i]);
        pthread_mutex_unlock(&list[i]->lock);
    }
    free_list(list, n_live_games);
}

void registry_stop_thinking(Server *server) { for_each(server, hosted_game_stop_thinking); }

void registry_save_clocks(Server *server) { for_each(server, hosted_game_save_clocks); }
