/* Playing a tournament in a thread of its own, and publishing its progress to the clients. The
 * thread and its workers run at a lower priority than requests. */
#include "web/tournaments.h"

#include "arena/run_play.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/error.h"
#include "web/server.h"
#include "web/web.h"

#include <sys/resource.h>

enum { PUBLISH_EVERY_MS = 250, NICENESS = 5 };

/* What the thread of one attempt to play owns: after a stop the next attempt may begin before this
 * one has published its last state. */
typedef struct Attempt {
    Tournament *tournament;
    Store      *viewer;      /* for reading the state */
    uint64_t    n_published; /* games */
    int64_t     publish_ns;  /* not earlier */
} Attempt;

/* Publishes the list and the tournament. The more that costs, the less often it is done. */
static void publish(Attempt *attempt)
{
    Tournament *tournament = attempt->tournament;
    Server     *server = tournament->server;
    int64_t     begin_ns = clock_ns();
    TurfError   error;
    if (!attempt->viewer) /* if it fails, the next call tries again */
        attempt->viewer = store_open(server->options->database, STORE_READ, &error);
    if (!attempt->viewer)
        return;
    json_t *list = tournament_entries(server, attempt->viewer, MAX_LISTED_TOURNAMENTS, &error);
    if (list)
        channel_publish(server->live, "tournaments", json_pack("{s:o}", "tournaments", list));
    json_t *json = tournament_whole(server, attempt->viewer, tournament->run_id, &error);
    if (json)
        channel_publish(tournament->channel, "tournament", json);
    int64_t cost_ns = clock_ns() - begin_ns;
    int64_t pause_ns = PUBLISH_EVERY_MS * INT64_C(1000000);
    attempt->publish_ns = clock_ns() + (10 * cost_ns > pause_ns ? 10 * cost_ns : pause_ns);
}

static bool on_progress(void *context, const TurfTotals *totals, size_t n_pairings)
{
    Attempt *attempt = context;
    uint64_t n_played = 0;
    for (size_t i = 0; i < n_pairings; i++)
        n_played += totals[i].n_games;
    if (n_played != attempt->n_published && clock_ns() >= attempt->publish_ns) {
        attempt->n_published = n_played;
        publish(attempt);
    }
    return !atomic_load(&attempt->tournament->stop);
}

/* A stored run may have been started on the command line, or elsewhere, with any bot; from a
 * browser only bots of --allow are started. To be called before its players are opened. */
static bool check_entrants(Server *server, const RunRecord *record, TurfError *error)
{
    Plan      plan;
    TurfError unused;
    bool      is_good = true;
    if (!plan_from_json(&plan, record->plan, error))
        return false;
    for (size_t i = 0; i < plan.n_entrants && is_good; i++) {
        const EntrantRecord *entrant = &plan.entrants[i];
        const PlayerKind    *kind = player_kind_named(plan.game, entrant->spec, &unused);
        if (kind && kind->is_external &&
            !catalogue_allows(&server->catalogue, plan.game, entrant->spec))
            is_good = error_invalid(
                error, "%s is not allowed on this server; start it with --allow", entrant->name);
    }
    plan_release(&plan);
    return is_good;
}

static void set_bot_terms(Server *server, const Run *run)
{
    for (size_t i = 0; i < run->plan.n_entrants; i++)
        if (run->plan.players[i]->kind->starts_process)
            run->plan.players[i]->terms = server->options->bot_terms;
}

/* Takes a free store; there is one for each tournament that may run. */
static Store *take_store(Server *server, TurfError *error)
{
    Tournaments *all = server->tournaments;
    size_t       slot = 0;
    pthread_mutex_lock(&all->lock);
    while (slot + 1 < MAX_RUNNING && all->is_taken[slot])
        slot++;
    if (!all->stores[slot])
        all->stores[slot] = store_open(server->options->database, STORE_WRITE, error);
    Store *store = all->stores[slot];
    all->is_taken[slot] = store != NULL;
    pthread_mutex_unlock(&all->lock);
    return store;
}

static void return_store(Server *server, Store *store, int64_t record)
{
    Tournaments *all = server->tournaments;
    if (store)
        store_unlock_run(store, record);
    pthread_mutex_lock(&all->lock);
    for (size_t slot = 0; slot < MAX_RUNNING; slot++)
        if (all->stores[slot] == store)
            all->is_taken[slot] = false;
    pthread_mutex_unlock(&all->lock);
}

static bool play(Attempt *attempt, TurfError *error)
{
    Tournament *tournament = attempt->tournament;
    Server     *server = tournament->server;
    Store      *store = take_store(server, error);
    RunRecord   record = {.id = 0};
    Run         run;
    int         n_processors = cpu_count();
    RunHooks    hooks = {.progress = on_progress, .context = attempt};
    bool        is_good = store && runs_find(store, tournament->run_id, &record, error) &&
                   check_entrants(server, &record, error);
    if (is_good && run_resume(&run, store, &record, true, error)) {
        run.n_jobs = n_processors > 2 ? n_processors - 1 : 1;
        set_bot_terms(server, &run);
        is_good = run_play(&run, &hooks, error);
        run_release(&run);
    } else {
        is_good = false;
    }
    run_record_release(&record);
    return_store(server, store, tournament->run_id);
    return is_good;
}

static void *play_in_thread(void *context)
{
    Tournament  *tournament = context;
    Tournaments *all = tournament->server->tournaments;
    Attempt      attempt = {.tournament = tournament};
    TurfError    error;
    /* On Linux for this thread and those it starts. */
    (void)setpriority(PRIO_PROCESS, 0, NICENESS);
    bool is_good = play(&attempt, &error);
    pthread_mutex_lock(&all->lock);
    tournament->is_running = false;
    all->n_running--;
    tournament->error = (TurfError){0};
    if (!is_good)
        tournament->error = error;
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->lock);
    publish(&attempt);
    store_close(attempt.viewer);
    pthread_mutex_lock(&all->lock);
    tournament->n_users--;
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

bool tournament_start(Tournament *tournament, TurfError *error)
{
    pthread_t      thread;
    pthread_attr_t alone;
    tournament->error = (TurfError){0};
    atomic_store(&tournament->stop, false);
    pthread_attr_init(&alone);
    pthread_attr_setdetachstate(&alone, PTHREAD_CREATE_DETACHED);
    bool is_good = !pthread_create(&thread, &alone, play_in_thread, tournament);
    pthread_attr_destroy(&alone);
    if (!is_good)
        return error_set(error, TURF_ERROR_NO_MEMORY, "no thread could be started");
    tournament->is_running = true;
    tournament->n_users++;
    tournament->server->tournaments->n_running++;
    return true;
}

void tournament_end(Tournament *tournament)
{
    Tournaments *all = tournament->server->tournaments;
    atomic_store(&tournament->stop, true);
    while (tournament->is_running)
        pthread_cond_wait(&all->changed, &all->lock);
}
