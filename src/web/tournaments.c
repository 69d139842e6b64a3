#include "web/tournaments.h"

#include "arena/event.h"
#include "base/clock.h"
#include "base/error.h"
#include "store/history.h"
#include "web/server.h"
#include "web/tournament_view.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { TELL_EVERY_MS = 250, NICENESS = 5 };

typedef struct Tournament {
    struct Tournament *next;
    Server            *server;
    int64_t            run;
    Channel           *channel;
    /* The next three are guarded by the lock of all. */
    int         n_users; /* threads that play it, wait for it or open a stream of it */
    bool        is_running;
    TurfError   error; /* of the last time it was played */
    atomic_bool stop;
} Tournament;

/* One time that a tournament is played, for its thread alone: when it has been stopped, the next may begin before this
 * one has told everybody. */
typedef struct Performance {
    Tournament *tournament;
    Store      *viewer;  /* to look up how things stand */
    uint64_t    n_told;  /* games */
    int64_t     tell_ns; /* not before */
} Performance;

void tournaments_init(Tournaments *tournaments)
{
    *tournaments = (Tournaments){.list = NULL};
    pthread_mutex_init(&tournaments->lock, NULL);
    pthread_cond_init(&tournaments->changed, NULL);
}

/* The entry of a run, made if it is not there; the lock is held. */
static Tournament *find_or_make(Server *server, int64_t run)
{
    Tournament *tournament = server->tournaments.list;
    while (tournament && tournament->run != run)
        tournament = tournament->next;
    if (tournament)
        return tournament;
    tournament = calloc(1, sizeof *tournament);
    Channel *channel = tournament ? channel_new() : NULL;
    if (!channel) {
        free(tournament);
        return NULL;
    }
    *tournament = (Tournament){.next = server->tournaments.list, .server = server, .run = run, .channel = channel};
    server->tournaments.list = tournament;
    if (atomic_load(&server->is_leaving)) /* the others may be closed already */
        channel_close(channel);
    return tournament;
}

static void free_tournament(Tournament *tournament)
{
    channel_release(tournament->channel);
    free(tournament);
}

void tournaments_release(Tournaments *tournaments)
{
    for (Tournament *each = tournaments->list, *next; each; each = next) {
        next = each->next;
        free_tournament(each);
    }
    for (size_t slot = 0; slot < MOST_RUNNING; slot++)
        store_close(tournaments->stores[slot]);
    pthread_cond_destroy(&tournaments->changed);
    pthread_mutex_destroy(&tournaments->lock);
}

/* ---- showing ------------------------------------------------------------------------------ */

/* What the store cannot know: whether it is being played here, and what went wrong. */
static void add_state(Server *server, int64_t run, bool is_finished, json_t *json)
{
    TurfError error = {""};
    bool      is_running = false;
    pthread_mutex_lock(&server->tournaments.lock);
    for (Tournament *each = server->tournaments.list; each; each = each->next)
        if (each->run == run) {
            is_running = each->is_running;
            error = each->error;
        }
    pthread_mutex_unlock(&server->tournaments.lock);
    json_object_set_new(json, "state",
                        json_string(is_running      ? "running"
                                    : is_finished   ? "done"
                                    : error.text[0] ? "failed"
                                                    : "stopped"));
    json_object_set_new(json, "error", error.text[0] && !is_running ? json_string(error.text) : json_null());
}

static json_t *whole_json(Server *server, Store *store, int64_t run, TurfError *error)
{
    bool    is_finished;
    json_t *json = tournament_view(store, run, &is_finished, error);
    if (json)
        add_state(server, run, is_finished, json);
    return json;
}

json_t *tournament_json(Server *server, int64_t run, TurfError *error)
{
    pthread_mutex_lock(&server->reader_lock);
    json_t *json = whole_json(server, server->reader, run, error);
    pthread_mutex_unlock(&server->reader_lock);
    return json;
}

static json_t *list_json(Server *server, Store *store, size_t most, TurfError *error)
{
    StoredRun *runs;
    size_t     n_runs;
    json_t    *list = json_array();
    bool       is_good = runs_read(store, &runs, &n_runs, error);
    for (size_t i = is_good ? n_runs : 0; i-- > 0 && json_array_size(list) < most;) {
        json_t *entry = tournament_entry(&runs[i], history_n_played(store, runs[i].id));
        if (!entry)
            continue; /* of a game that this turf does not know */
        add_state(server, runs[i].id, runs[i].is_finished, entry);
        json_array_append_new(list, entry);
    }
    if (is_good) {
        runs_free(runs, n_runs);
        return list;
    }
    json_decref(list);
    return NULL;
}

json_t *tournament_list(Server *server, size_t most, TurfError *error)
{
    pthread_mutex_lock(&server->reader_lock);
    json_t *list = list_json(server, server->reader, most, error);
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

struct MHD_Response *tournament_stream(Server *server, struct MHD_Connection *connection, int64_t run, TurfError *error)
{
    StoredRun found;
    pthread_mutex_lock(&server->reader_lock);
    bool is_there = runs_find(server->reader, run, &found, error);
    pthread_mutex_unlock(&server->reader_lock);
    if (!is_there)
        return NULL;
    stored_run_release(&found);
    Snapshot     snapshot = {server, run};
    Tournaments *all = &server->tournaments;
    pthread_mutex_lock(&all->lock);
    Tournament *tournament = find_or_make(server, run);
    if (tournament)
        tournament->n_users++; /* or it could be let go, with a channel that nobody would close */
    pthread_mutex_unlock(&all->lock);
    if (!tournament)
        return NULL;
    struct MHD_Response *response =
        channel_subscribe(tournament->channel, connection, NULL, "tournament", make_snapshot, &snapshot);
    pthread_mutex_lock(&all->lock);
    tournament->n_users--;
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->lock);
    return response;
}

/* ---- playing ------------------------------------------------------------------------------ */

/* Tells whoever looks on how things stand. What takes long to add up is told less often. */
static void tell(Performance *performance)
{
    Tournament *tournament = performance->tournament;
    Server     *server = tournament->server;
    int64_t     begin_ns = clock_ns();
    TurfError   error;
    if (!performance->viewer)
        return;
    json_t *list = list_json(server, performance->viewer, MOST_LISTED_TOURNAMENTS, &error);
    if (list)
        channel_publish(server->live, "tournaments", json_pack("{s:o}", "tournaments", list));
    json_t *json = whole_json(server, performance->viewer, tournament->run, &error);
    if (json)
        channel_publish(tournament->channel, "tournament", json);
    int64_t cost_ns = clock_ns() - begin_ns;
    int64_t pause_ns = TELL_EVERY_MS * INT64_C(1000000);
    performance->tell_ns = clock_ns() + (10 * cost_ns > pause_ns ? 10 * cost_ns : pause_ns);
}

static bool on_progress(void *context, const TurfTotals *totals, size_t n_pairings)
{
    Performance *performance = context;
    uint64_t     n_played = 0;
    for (size_t i = 0; i < n_pairings; i++)
        n_played += totals[i].n_games;
    if (n_played != performance->n_told && clock_ns() >= performance->tell_ns) {
        performance->n_told = n_played;
        tell(performance);
    }
    return !atomic_load(&performance->tournament->stop);
}

/* What is in the store may have been begun by hand, with any command; from a browser only those run that were allowed.
 */
static bool check_entrants(Server *server, const Event *event, TurfError *error)
{
    for (size_t i = 0; i < event->plan.n_entrants; i++) {
        TurfPlayer *player = event->players[i];
        if (player->kind->is_bot && !roster_allows(&server->roster, event->plan.game, player->spec))
            return error_set(error, "%.40s is not allowed on this server; start it with --allow", player->name);
        if (player->kind->is_bot && !player->kind->plays_alone)
            player->terms = server->options->bot_terms;
    }
    return true;
}

/* A store that nobody else uses; there are as many as tournaments may be played. NULL: `error` says why. */
static Store *take_store(Server *server, TurfError *error)
{
    Tournaments *all = &server->tournaments;
    size_t       slot = 0;
    pthread_mutex_lock(&all->lock);
    while (slot + 1 < MOST_RUNNING && all->is_taken[slot])
        slot++;
    if (!all->stores[slot])
        all->stores[slot] = store_open(server->options->database, STORE_WRITE, error);
    Store *store = all->stores[slot];
    all->is_taken[slot] = store != NULL;
    pthread_mutex_unlock(&all->lock);
    return store;
}

static void give_back(Server *server, Store *store, int64_t run)
{
    Tournaments *all = &server->tournaments;
    if (store)
        store_unlock_run(store, run);
    pthread_mutex_lock(&all->lock);
    for (size_t slot = 0; slot < MOST_RUNNING; slot++)
        if (all->stores[slot] == store)
            all->is_taken[slot] = false;
    pthread_mutex_unlock(&all->lock);
}

static bool play(Performance *performance, TurfError *error)
{
    Tournament *tournament = performance->tournament;
    Server     *server = tournament->server;
    Store      *store = take_store(server, error);
    StoredRun   run = {.id = 0};
    Event       event;
    long        n_processors = sysconf(_SC_NPROCESSORS_ONLN);
    EventHooks  hooks = {
         .n_jobs = n_processors > 2 ? (int)n_processors - 1 : 1, .progress = on_progress, .context = performance};
    bool is_good = store && runs_find(store, tournament->run, &run, error);
    if (is_good && event_resume(&event, store, &run, true, error)) {
        is_good = check_entrants(server, &event, error) && event_play(&event, &hooks, error);
        event_release(&event);
    } else {
        is_good = false;
    }
    stored_run_release(&run);
    give_back(server, store, tournament->run);
    return is_good;
}

static void *play_in_thread(void *context)
{
    Tournament  *tournament = context;
    Tournaments *all = &tournament->server->tournaments;
    Performance  performance = {.tournament = tournament};
    TurfError    error;
    /* Of this thread and those it starts, on Linux: who waits for an answer comes first. */
    (void)setpriority(PRIO_PROCESS, 0, NICENESS);
    performance.viewer = store_open(tournament->server->options->database, STORE_READ, &error);
    bool is_good = play(&performance, &error);
    pthread_mutex_lock(&all->lock);
    tournament->is_running = false;
    all->n_running--;
    tournament->error.text[0] = '\0';
    if (!is_good)
        tournament->error = error;
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->lock);
    tell(&performance);
    store_close(performance.viewer);
    pthread_mutex_lock(&all->lock);
    tournament->n_users--;
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

bool tournament_make(Server *server, Plan *plan, int64_t *run, TurfError *error)
{
    Event event;
    if (!event_init(&event, plan, false, error))
        return false;
    pthread_mutex_lock(&server->reader_lock);
    bool is_good = event_begin(&event, server->reader, error) && event_prepare(&event, error);
    *run = event.run;
    store_unlock_run(server->reader, event.run);
    pthread_mutex_unlock(&server->reader_lock);
    event_release(&event);
    return is_good;
}

/* With the lock held. */
static bool start_thread(Tournament *tournament, TurfError *error)
{
    pthread_t      thread;
    pthread_attr_t alone;
    tournament->error.text[0] = '\0';
    atomic_store(&tournament->stop, false);
    pthread_attr_init(&alone);
    pthread_attr_setdetachstate(&alone, PTHREAD_CREATE_DETACHED);
    bool is_good = !pthread_create(&thread, &alone, play_in_thread, tournament);
    pthread_attr_destroy(&alone);
    if (!is_good)
        return error_set(error, "no thread could be started");
    tournament->is_running = true;
    tournament->n_users++;
    tournament->server->tournaments.n_running++;
    return true;
}

bool tournament_play(Server *server, int64_t run, TurfError *error)
{
    Tournaments *all = &server->tournaments;
    StoredRun    found;
    pthread_mutex_lock(&server->reader_lock);
    bool is_good = runs_find(server->reader, run, &found, error);
    pthread_mutex_unlock(&server->reader_lock);
    if (!is_good)
        return false;
    bool is_finished = found.is_finished;
    stored_run_release(&found);
    if (is_finished)
        return error_set(error, "it has been played to its end");

    pthread_mutex_lock(&all->lock);
    Tournament *tournament = find_or_make(server, run);
    if (!tournament)
        is_good = error_set(error, "out of memory");
    else if (tournament->is_running)
        is_good = error_set(error, "it is being played already");
    else if (all->n_running >= MOST_RUNNING || atomic_load(&server->is_leaving))
        is_good = error_set(error, "%d tournaments are being played already; stop one first", MOST_RUNNING);
    is_good = is_good && start_thread(tournament, error);
    pthread_mutex_unlock(&all->lock);
    return is_good;
}

bool tournament_stop(Server *server, int64_t run)
{
    Tournaments *all = &server->tournaments;
    Tournament  *found = NULL;
    pthread_mutex_lock(&all->lock);
    for (Tournament *each = all->list; each; each = each->next)
        if (each->run == run && each->is_running)
            found = each;
    if (found) {
        found->n_users++;
        atomic_store(&found->stop, true);
        while (found->is_running)
            pthread_cond_wait(&all->changed, &all->lock);
        found->n_users--;
        pthread_cond_broadcast(&all->changed);
    }
    pthread_mutex_unlock(&all->lock);
    return found != NULL;
}

void tournaments_stop(Server *server)
{
    Tournaments *all = &server->tournaments;
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
    Tournaments *all = &server->tournaments;
    pthread_mutex_lock(&all->lock);
    for (Tournament *each = all->list; each; each = each->next) {
        channel_publish(each->channel, "bye", json_object());
        channel_close(each->channel);
    }
    pthread_mutex_unlock(&all->lock);
}

void tournaments_tick(Server *server)
{
    Tournaments *all = &server->tournaments;
    pthread_mutex_lock(&all->lock);
    for (Tournament **at = &all->list; *at;) {
        Tournament *each = *at;
        if (each->n_users > 0 || each->error.text[0] || channel_n_subscribers(each->channel) > 0) {
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
    pthread_mutex_lock(&server->tournaments.lock);
    for (Tournament *each = server->tournaments.list; each; each = each->next)
        channel_ping(each->channel);
    pthread_mutex_unlock(&server->tournaments.lock);
}
