/* The list of tournaments: making, starting, stopping and showing them. */
#include "web/tournaments.h"

#include "arena/run.h"
#include "base/error.h"
#include "base/checked_json.h"
#include "store/leagues.h"
#include "store/records.h"
#include "web/server.h"
#include "web/tournament_view.h"

#include <stdlib.h>

Tournaments *tournaments_new(TurfError *error)
{
    Tournaments *tournaments = calloc(1, sizeof *tournaments);
    if (!tournaments) {
        error_no_memory(error);
        return NULL;
    }
    pthread_mutex_init(&tournaments->lock, NULL);
    pthread_cond_init(&tournaments->changed, NULL);
    return tournaments;
}

/* Finds or makes the entry of a run. The lock is held. */
static Tournament *find_or_make(Server *server, int64_t run)
{
    Tournament *tournament = server->tournaments->list;
    while (tournament && tournament->run_id != run)
        tournament = tournament->next;
    if (tournament)
        return tournament;
    tournament = calloc(1, sizeof *tournament);
    /* Snapshots age: another program may play the run, without events here. */
    Channel *channel = tournament ? channel_new(SNAPSHOT_AGES) : NULL;
    if (!channel) {
        free(tournament);
        return NULL;
    }
    *tournament = (Tournament){
        .next = server->tournaments->list, .server = server, .run_id = run, .channel = channel};
    server->tournaments->list = tournament;
    if (atomic_load(&server->is_leaving)) /* the other channels may be closed already */
        channel_close(channel);
    return tournament;
}

static void free_tournament(Tournament *tournament)
{
    channel_release(tournament->channel);
    free(tournament);
}

void tournaments_free(Tournaments *tournaments)
{
    if (!tournaments)
        return;
    for (Tournament *each = tournaments->list, *next; each; each = next) {
        next = each->next;
        free_tournament(each);
    }
    for (size_t slot = 0; slot < MAX_RUNNING; slot++)
        store_close(tournaments->stores[slot]);
    pthread_cond_destroy(&tournaments->changed);
    pthread_mutex_destroy(&tournaments->lock);
    free(tournaments);
}

/* ---- showing ------------------------------------------------------------------------------ */

/* Adds what the store does not know: whether it is running here, and its last error. */
static void add_state(Server *server, int64_t run, bool is_finished, json_t **json)
{
    TurfError error = {0};
    bool      is_running = false;
    pthread_mutex_lock(&server->tournaments->lock);
    for (Tournament *each = server->tournaments->list; each; each = each->next)
        if (each->run_id == run) {
            is_running = each->is_running;
            error = each->error;
        }
    pthread_mutex_unlock(&server->tournaments->lock);
    /* An error is history once the run is played again, here or by another program. */
    bool        has_failed = error.code && !is_running && !is_finished;
    const char *state = has_failed ? "failed" : "stopped";
    if (is_running)
        state = "running";
    else if (is_finished)
        state = "done";
    json_put(json, "state", json_string(state));
    json_put(json, "error", has_failed ? json_sentence(error.text) : json_null());
}

json_t *tournament_whole(Server *server, Store *store, int64_t run, TurfError *error)
{
    bool    is_finished;
    json_t *json = tournament_view(store, run, &is_finished, error);
    if (!json)
        return NULL;
    add_state(server, run, is_finished, &json);
    if (!json)
        error_no_memory(error);
    return json;
}

bool tournament_is_there(Server *server, int64_t run, TurfError *error)
{
    bool is_round;
    if (!leagues_has_run(server->reader, run, &is_round, error))
        return false;
    return !is_round || error_not_found(error, "there is no such tournament");
}

/* The lock is held. */
static bool find_run(Server *server, int64_t run, RunRecord *found, TurfError *error)
{
    return tournament_is_there(server, run, error) && runs_find(server->reader, run, found, error);
}

json_t *tournament_json(Server *server, int64_t run, TurfError *error)
{
    pthread_mutex_lock(&server->reader_lock);
    json_t *json = tournament_is_there(server, run, error)
                       ? tournament_whole(server, server->reader, run, error)
                       : NULL;
    pthread_mutex_unlock(&server->reader_lock);
    return json;
}

json_t *tournament_entries(Server *server, Store *store, size_t max, TurfError *error)
{
    RunRecord *runs;
    size_t     n_runs;
    json_t    *list = json_array();
    bool       is_read = runs_read(store, &runs, &n_runs, error), is_good = is_read;
    for (size_t i = is_read ? n_runs : 0; is_good && i-- > 0 && json_array_size(list) < max;) {
        TurfError    why;
        RecordCounts counts;
        bool         is_round = false;
        is_good = leagues_has_run(store, runs[i].id, &is_round, error);
        if (is_round)
            continue; /* a league has thousands of rounds, and an audience of its own */
        is_good = is_good && records_count(store, runs[i].id, &counts, error);
        if (!is_good)
            break;
        json_t *entry =
            tournament_entry(&runs[i], (int64_t)(counts.n_single + counts.n_in_batches), &why);
        if (entry || why.code == TURF_ERROR_NO_MEMORY) {
            add_state(server, runs[i].id, runs[i].is_finished, &entry);
            json_add(&list, entry);
            is_good = list || error_no_memory(error);
        } /* else it is left out: its plan is one of a later turf */
    }
    if (is_read)
        runs_free(runs, n_runs);
    if (is_good && !list)
        error_no_memory(error);
    json_keep_if(&list, !is_good);
    return list;
}

json_t *tournament_list(Server *server, size_t max, TurfError *error)
{
    pthread_mutex_lock(&server->reader_lock);
    json_t *list = tournament_entries(server, server->reader, max, error);
    pthread_mutex_unlock(&server->reader_lock);
    return list;
}

typedef struct Snapshot {
    Server *server;
    int64_t run;
} Snapshot;

static json_t *make_snapshot(void *context)
{
    const Snapshot *snapshot = context;
    TurfError       unused;
    return tournament_json(snapshot->server, snapshot->run, &unused);
}

struct MHD_Response *tournament_stream(Server *server, struct MHD_Connection *connection,
                                       int64_t run, TurfError *error)
{
    RunRecord found;
    pthread_mutex_lock(&server->reader_lock);
    bool is_there = find_run(server, run, &found, error);
    pthread_mutex_unlock(&server->reader_lock);
    if (!is_there)
        return NULL;
    run_record_release(&found);
    Snapshot     snapshot = {server, run};
    Tournaments *all = server->tournaments;
    pthread_mutex_lock(&all->lock);
    Tournament *tournament = find_or_make(server, run);
    if (tournament)
        tournament->n_users++; /* else tournaments_tick could free it */
    pthread_mutex_unlock(&all->lock);
    error_no_memory(error); /* the one reason why the rest can fail */
    if (!tournament)
        return NULL;
    struct MHD_Response *response = channel_subscribe(tournament->channel, connection, NULL,
                                                      "tournament", make_snapshot, &snapshot);
    pthread_mutex_lock(&all->lock);
    tournament->n_users--;
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->lock);
    return response;
}

/* ---- starting and stopping
 * ------------------------------------------------------------------------------ */

bool tournament_make(Server *server, Plan *plan, int64_t *run, ApiError *api_error)
{
    Run       new_run;
    TurfError error;
    if (!run_init(&new_run, plan, false, &error))
        return api_error_from(api_error, &error);
    pthread_mutex_lock(&server->reader_lock);
    bool is_good = run_begin(&new_run, server->reader, &error);
    if (!is_good)
        api_error_from(api_error, &error);
    *run = new_run.run_id;
    store_unlock_run(server->reader, new_run.run_id);
    pthread_mutex_unlock(&server->reader_lock);
    run_release(&new_run);
    return is_good;
}

bool tournament_play(Server *server, int64_t run, ApiError *api_error)
{
    Tournaments *all = server->tournaments;
    RunRecord    found;
    TurfError    error;
    pthread_mutex_lock(&server->reader_lock);
    bool is_good = find_run(server, run, &found, &error);
    pthread_mutex_unlock(&server->reader_lock);
    if (!is_good)
        return api_error_from(api_error, &error);
    bool is_finished = found.is_finished;
    run_record_release(&found);
    if (is_finished)
        return api_error_set(api_error, MHD_HTTP_CONFLICT, "busy", "this tournament is finished");

    pthread_mutex_lock(&all->lock);
    Tournament *tournament = find_or_make(server, run);
    if (!tournament)
        is_good = api_error_no_memory(api_error);
    else if (tournament->is_running)
        is_good = api_error_set(api_error, MHD_HTTP_CONFLICT, "busy",
                                "this tournament is running already");
    else if (atomic_load(&server->is_leaving))
        is_good = api_error_set(api_error, MHD_HTTP_SERVICE_UNAVAILABLE, "full", SERVER_IS_LEAVING);
    else if (all->n_running >= MAX_RUNNING)
        is_good = api_error_set(api_error, MHD_HTTP_CONFLICT, "busy",
                                "%d tournaments are running already; stop one first", MAX_RUNNING);
    else if (!tournament_start(tournament, &error))
        is_good = api_error_set(api_error, MHD_HTTP_SERVICE_UNAVAILABLE, "full", "%s", error.text);
    pthread_mutex_unlock(&all->lock);
    return is_good;
}

bool tournament_stop(Server *server, int64_t run)
{
    Tournaments *all = server->tournaments;
    Tournament  *found = NULL;
    pthread_mutex_lock(&all->lock);
    for (Tournament *each = all->list; each; each = each->next)
        if (each->run_id == run && each->is_running)
            found = each;
    if (found) {
        found->n_users++;
        tournament_end(found);
        found->n_users--;
        pthread_cond_broadcast(&all->changed);
    }
    pthread_mutex_unlock(&all->lock);
    return found != NULL;
}

void tournaments_stop(Server *server)
{
    Tournaments *all = server->tournaments;
    pthread_mutex_lock(&all->lock);
    for (Tournament *each = all->list; each; each = each->next)
        atomic_store(&each->stop, true);
    for (Tournament *each = all->list; each; each = each->next)
        while (each->n_users > 0)
            pthread_cond_wait(&all->changed, &all->lock);
    pthread_mutex_unlock(&all->lock);
}

void tournaments_close_streams(Server *server)
{
    Tournaments *all = server->tournaments;
    pthread_mutex_lock(&all->lock);
    for (Tournament *each = all->list; each; each = each->next) {
        channel_publish(each->channel, "bye", json_object());
        channel_close(each->channel);
    }
    pthread_mutex_unlock(&all->lock);
}

void tournaments_tick(Server *server)
{
    Tournaments *all = server->tournaments;
    pthread_mutex_lock(&all->lock);
    for (Tournament **at = &all->list; *at;) {
        Tournament *each = *at;
        if (each->n_users > 0 || each->error.code || channel_n_subscribers(each->channel) > 0) {
            at = &each->next;
            continue;
        }
        *at = each->next;
        free_tournament(each);
    }
    pthread_mutex_unlock(&all->lock);
}

void tournaments_ping(Server *server)
{
    pthread_mutex_lock(&server->tournaments->lock);
    for (Tournament *each = server->tournaments->list; each; each = each->next)
        channel_ping(each->channel);
    pthread_mutex_unlock(&server->tournaments->lock);
}
