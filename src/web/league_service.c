/* The league of the server: reading, showing and publishing it. Playing is in league_player.c. */
#include "web/league_service.h"

#include "base/checked_json.h"
#include "base/clock.h"
#include "base/error.h"
#include "web/league_final_view.h"
#include "web/league_views.h"
#include "web/server.h"
#include "web/web.h"

#include <stdlib.h>

enum { PUBLISH_EVERY_MS = 1000 };

LeagueService *league_service_new(Server *server, TurfError *error)
{
    LeagueService *service = calloc(1, sizeof *service);
    if (!service) {
        error_no_memory(error);
        return NULL;
    }
    pthread_mutex_init(&service->lock, NULL);
    league_player_init(&service->player);
    service->data_version = -1;
    bool is_good = true;
    for (int i = 0; i < N_LEAGUE_VIEWERS; i++)
        is_good = (service->channels[i] = channel_new(SNAPSHOT_LASTS)) && is_good;
    if (!is_good)
        error_no_memory(error);
    else if ((service->store = store_open(server->options->database, STORE_WRITE, error))) {
        store_set_max_wait(service->store, STORE_WAIT_MS);
        return service;
    }
    league_service_free(service);
    return NULL;
}

static void forget_views(LeagueService *service)
{
    for (int i = 0; i < N_LEAGUE_VIEWERS; i++) {
        json_decref(service->views[i]);
        free(service->texts[i]);
        service->views[i] = NULL;
        service->texts[i] = NULL;
    }
}

static void forget_league(LeagueService *service)
{
    forget_views(service);
    league_rows_free(service->rows);
    service->rows = NULL;
    json_decref(service->final);
    service->final = NULL;
    game_list_release(&service->games);
    league_watch_release(&service->watch);
}

void league_service_free(LeagueService *service)
{
    if (!service)
        return;
    forget_league(service);
    for (int i = 0; i < N_LEAGUE_VIEWERS; i++)
        channel_release(service->channels[i]);
    league_player_release(&service->player);
    store_close(service->store);
    pthread_mutex_destroy(&service->lock);
    free(service);
}

/* ---- reading ------------------------------------------------------------------------------- */

/* A final that is over stays as it is. */
static bool read_final(LeagueService *service, TurfError *error)
{
    const League *league = &service->watch.league;
    bool          is_over = league->unfinished_final == 0;
    if (is_over && service->final && service->final_run == league->final)
        return true;
    json_decref(service->final);
    service->final = league_final_view(league, error);
    service->final_run = is_over ? league->final : -1;
    return service->final != NULL;
}

static bool make_views(Server *server, TurfError *error)
{
    LeagueService *service = server->league;
    LeagueSight    sight = {.league = &service->watch.league, .games = &service->games};
    forget_views(service);
    league_rows_free(service->rows);
    service->rows = league_rows(sight.league);
    sight.rows = service->rows;
    sight.is_playing = league_player_state(server, &sight.error);
    sight.is_locked = service->is_locked = store_league_is_locked(service->store);
    if (!service->rows)
        return error_no_memory(error);
    if (!game_list_refresh(&service->games, sight.league, error) || !read_final(service, error) ||
        !(sight.now = sight.is_locked ? league_view_now(sight.league, error) : json_array()))
        return false;
    sight.final = service->final;
    bool is_good = true;
    for (int i = 0; i < N_LEAGUE_VIEWERS && is_good; i++) {
        service->views[i] = league_view(&sight, (LeagueViewer)i);
        service->texts[i] = json_checked_text(service->views[i], JSON_COMPACT);
        is_good = service->texts[i];
    }
    json_decref(sight.now);
    return is_good || error_no_memory(error);
}

/* Reads everything that is new. While a league is played that may be asked for many times a second:
 * the more it costs, the less often it is done. */
static void read_new(Server *server)
{
    LeagueService *service = server->league;
    enum { PAUSE_PER_COST = 5 };
    int64_t begin_ns = clock_worked_ns(), longest_ns = PUBLISH_EVERY_MS * INT64_C(1000000);
    service->error = (TurfError){0};
    service->is_unpublished = true;
    bool is_good = league_watch_refresh(&service->watch, service->store, &service->error) &&
                   make_views(server, &service->error);
    if (!is_good)
        forget_league(service);
    service->is_stale = !is_good && service->error.code != TURF_ERROR_NOT_FOUND; /* try again */
    int64_t pause_ns = PAUSE_PER_COST * (clock_worked_ns() - begin_ns);
    service->refresh_ns = clock_ns() + (pause_ns < longest_ns ? pause_ns : longest_ns);
}

static bool refresh(Server *server, TurfError *error)
{
    LeagueService *service = server->league;
    int64_t        version;
    if (!store_data_version(service->store, &version, error))
        return false;
    bool is_touched = atomic_exchange(&service->is_touched, false);
    bool is_new =
        service->is_stale || version != service->data_version ||
        (service->watch.is_open && store_league_is_locked(service->store) != service->is_locked);
    if (is_touched || (is_new && (!service->watch.is_open || clock_ns() >= service->refresh_ns))) {
        service->data_version = version;
        read_new(server);
    }
    atomic_store(&server->has_league, service->watch.is_open);
    if (service->watch.is_open)
        return true;
    *error = service->error;
    return false;
}

bool league_service_lock(Server *server, TurfError *error)
{
    pthread_mutex_lock(&server->league->lock);
    if (refresh(server, error))
        return true;
    pthread_mutex_unlock(&server->league->lock);
    return false;
}

void league_service_unlock(Server *server) { pthread_mutex_unlock(&server->league->lock); }

void league_service_changed(Server *server) { read_new(server); }

void league_service_touch(Server *server) { atomic_store(&server->league->is_touched, true); }

/* ---- publishing ---------------------------------------------------------------------------- */

static void publish(void *context)
{
    Server        *server = context;
    LeagueService *service = server->league;
    TurfError      unused;
    pthread_mutex_lock(&service->lock);
    if (refresh(server, &unused) && service->is_unpublished) {
        for (int i = 0; i < N_LEAGUE_VIEWERS; i++)
            channel_publish(service->channels[i], "league", json_incref(service->views[i]));
        service->is_unpublished = false;
    }
    pthread_mutex_unlock(&service->lock);
    atomic_store(&service->is_publishing, false);
}

void league_service_tick(Server *server)
{
    LeagueService *service = server->league;
    int64_t        now_ns = clock_ns();
    if (now_ns < service->publish_ns || atomic_exchange(&service->is_publishing, true))
        return;
    service->publish_ns = now_ns + PUBLISH_EVERY_MS * INT64_C(1000000);
    if (!pool_add(server->readers,
                  &(PoolJob){.run = publish, .context = server, .is_background = true}))
        atomic_store(&service->is_publishing, false);
}

void league_service_ping(Server *server)
{
    for (int i = 0; i < N_LEAGUE_VIEWERS; i++)
        channel_ping(server->league->channels[i]);
}

void league_service_close_streams(Server *server)
{
    for (int i = 0; i < N_LEAGUE_VIEWERS; i++) {
        channel_publish(server->league->channels[i], "bye", json_object());
        channel_close(server->league->channels[i]);
    }
}
