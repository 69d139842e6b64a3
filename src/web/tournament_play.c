/* The thread of a tournament that is being played. */
#include "web/tournaments.h"

#include "arena/workers.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/error.h"
#include "web/server.h"
#include "web/web.h"

#include <sys/resource.h>

enum { TELL_EVERY_MS = 250, NICENESS = 5 };

/* One time that a tournament is played, for its thread alone: when it has been stopped, the next
 * may begin before this one has told everybody. */
typedef struct Performance {
    Tournament *tournament;
    Store      *viewer;  /* to look up how things stand */
    uint64_t    n_told;  /* games */
    int64_t     tell_ns; /* not before */
} Performance;

/* Tells whoever looks on how things stand. What takes long to add up is told less often. */
static void tell(Performance *performance)
{
    Tournament *tournament = performance->tournament;
    Server     *server = tournament->server;
    int64_t     begin_ns = clock_ns();
    TurfError   error;
    if (!performance->viewer) /* the next time there may be files enough, or memory */
        performance->viewer = store_open(server->options->database, STORE_READ, &error);
    if (!performance->viewer)
        return;
    json_t *list = tournament_entries(server, performance->viewer, MAX_LISTED_TOURNAMENTS, &error);
    if (list)
        channel_publish(server->live, "tournaments", json_pack("{s:o}", "tournaments", list));
    json_t *json = tournament_whole(server, performance->viewer, tournament->run_id, &error);
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

/* What is in the store may have been begun by hand, with any command; from a browser only those run
 * that were allowed.
 */
static bool check_entrants(Server *server, const Run *run, TurfError *error)
{
    for (size_t i = 0; i < run->plan.n_entrants; i++) {
        TurfPlayer *player = run->plan.players[i];
        if (player->kind->is_external &&
            !catalogue_allows(&server->catalogue, run->plan.game, player->spec))
            return error_invalid(error, "%s is not allowed on this server; start it with --allow",
                                 player->name);
        if (player->kind->starts_process)
            player->terms = server->options->bot_terms;
    }
    return true;
}

/* A store that nobody else uses; there are as many as tournaments may be played. NULL: `error` says
 * why. */
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

static void give_back(Server *server, Store *store, int64_t record)
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

static bool play(Performance *performance, TurfError *error)
{
    Tournament *tournament = performance->tournament;
    Server     *server = tournament->server;
    Store      *store = take_store(server, error);
    RunRecord   record = {.id = 0};
    Run         run;
    int         n_processors = cpu_count();
    RunHooks    hooks = {.progress = on_progress, .context = performance};
    bool        is_good = store && runs_find(store, tournament->run_id, &record, error);
    if (is_good && run_resume(&run, store, &record, true, error)) {
        run.n_jobs = n_processors > 2 ? n_processors - 1 : 1;
        is_good = check_entrants(server, &run, error) && run_play(&run, &hooks, error);
        run_release(&run);
    } else {
        is_good = false;
    }
    run_record_release(&record);
    give_back(server, store, tournament->run_id);
    return is_good;
}

static void *play_in_thread(void *context)
{
    Tournament  *tournament = context;
    Tournaments *all = tournament->server->tournaments;
    Performance  performance = {.tournament = tournament};
    TurfError    error;
    /* Of this thread and those it starts, on Linux: who waits for an answer comes first. */
    (void)setpriority(PRIO_PROCESS, 0, NICENESS);
    bool is_good = play(&performance, &error);
    pthread_mutex_lock(&all->lock);
    tournament->is_running = false;
    all->n_running--;
    tournament->error = (TurfError){0};
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
