#include "cmd/session.h"

#include "base/cpu.h"
#include "base/error.h"
#include "bots/command.h"
#include "cmd/bot_terms.h"
#include "cmd/console.h"
#include "cmd/narration.h"
#include "cmd/outcome.h"
#include "cmd/plan_options.h"
#include "cmd/progress.h"
#include "players/player.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- warnings ----------------------------------------------------------------------------- */

/* Statistics of one game played over and over are none; whoever asks for them should know. */
static void warn_of_repetition(const Run *run)
{
    const Plan *plan = &run->plan;
    size_t      n_same = 0, n_starts = plan->n_starts ? plan->n_starts : 1;
    for (size_t i = 0; i < n_starts; i++) {
        TurfState state;
        TurfError error;
        TurfRng   unused = turf_rng(1), rng = unused;
        if (!game_start(plan->game, plan->n_starts ? plan->starts[i] : NULL, &rng, &state,
                        &error) ||
            rng.state != unused.state)
            return;
    }
    for (size_t i = 0; i < run->n_pairings; i++) {
        const TurfPairing *pairing = &run->pairings[i];
        n_same += pairing->n_games > n_starts * (1u + pairing->swap_sides) &&
                  player_is_deterministic(pairing->players[0]) &&
                  player_is_deterministic(pairing->players[1]);
    }
    if (n_same > 0)
        fprintf(stderr,
                "turf: from this start, %zu of %zu pairings play the same game every time, so "
                "their intervals mean "
                "nothing; try ties=random\n",
                n_same, run->n_pairings);
}

static bool has_bots(const Run *run)
{
    for (size_t i = 0; i < run->plan.n_entrants; i++)
        if (run->players[i]->kind->is_bot)
            return true;
    return false;
}

/* Each job has two bots, and each bot its pipes. The limit is raised as far as it may be, and if
 * that is not enough, fewer play at a time. */
static int jobs_for_bots(const Run *run, const Settings *settings)
{
    enum { FILES_OF_A_JOB = 16, FILES_OF_OURS = 48 };
    struct rlimit limit;
    int           n_processors = cpu_count(),
        n_jobs = settings->n_jobs ? (int)settings->n_jobs : n_processors;
    if (!has_bots(run))
        return (int)settings->n_jobs;
    if (n_jobs > n_processors && !settings->is_quiet)
        fprintf(
            stderr,
            "turf: %d jobs on %d processors: bots will wait for each other, and may lose on time\n",
            n_jobs, n_processors);
    rlim_t wanted = FILES_OF_OURS + (rlim_t)FILES_OF_A_JOB * (rlim_t)n_jobs;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
        return n_jobs;
    limit.rlim_cur =
        limit.rlim_max == RLIM_INFINITY || limit.rlim_max > wanted ? wanted : limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur >= wanted)
        return n_jobs;
    int n_possible = ((int)limit.rlim_cur - FILES_OF_OURS) / FILES_OF_A_JOB;
    n_possible = n_possible > 1 ? n_possible : 1;
    if (!settings->is_quiet && n_possible < n_jobs)
        fprintf(
            stderr,
            "turf: %d jobs instead of %d, because only %llu files may be open (see ulimit -n)\n",
            n_possible, n_jobs, (unsigned long long)limit.rlim_cur);
    return n_possible;
}

/* ---- the database ------------------------------------------------------------------------- */

const char *session_db_name(const Settings *settings, bool *is_named)
{
    const char *wanted = settings->db, *default_ = getenv("TURF_DB");
    if (!wanted && default_ && *default_)
        wanted = default_;
    *is_named = wanted != NULL;
    if (wanted && !*wanted)
        die("--db wants the name of a file, or none");
    return !wanted ? "turf.db" : strcmp(wanted, "none") ? wanted : NULL;
}

/* Opens the database for a new run; NULL where nothing is to be kept. */
static Store *open_store(const Settings *settings, int shard, int n_shards)
{
    TurfError   error;
    bool        is_named;
    char        own_name[64];
    const char *name = session_db_name(settings, &is_named);
    if (n_shards > 1 && !settings->db) {
        snprintf(own_name, sizeof own_name, "turf-%d-of-%d.db", shard, n_shards);
        name = own_name;
        is_named = true;
    }
    if (!name && n_shards > 1)
        die("a shard that is not kept is of no use; leave out --db none");
    if (!name)
        return NULL;
    Store *store = store_open(name, STORE_MAKE, &error);
    if (!store && is_named)
        die("%s", error.text);
    if (!store && !settings->is_quiet)
        fprintf(stderr, "turf: the games are not kept: %s\n", error.text);
    return store;
}

void session_warn_of_version(const RunRecord *record)
{
    if (strcmp(record->version, TURF_VERSION) != 0)
        fprintf(stderr,
                "turf: turf %s began this run and turf " TURF_VERSION
                " goes on; games may differ\n",
                record->version);
}

/* A shard that is played again, as by a scheduler that starts its job anew, goes on where it was.
 */
static bool find_shard(Store *store, Run *run)
{
    TurfError  error;
    RunRecord *runs;
    size_t     n_runs;
    char      *json = plan_to_json(&run->plan);
    bool       is_found = false;
    if (!json || !runs_read(store, &runs, &n_runs, &error))
        die("%s", json ? error.text : "out of memory");
    for (size_t i = n_runs; i-- > 0 && !is_found;) {
        const RunRecord *record = &runs[i];
        if (strcmp(record->plan, json) || record->shard != run->shard ||
            record->n_shards != run->n_shards)
            continue;
        is_found = true;
        if (!record->is_finished)
            session_warn_of_version(record);
        if (!run_attach(run, store, record, true, &error))
            die("%s", error.text);
    }
    runs_free(runs, n_runs);
    free(json);
    return is_found;
}

/* How to go on with a run: "turf resume 3 --db games.db". */
static const char *resume_words(const Run *run, char *text, size_t room)
{
    const char *path = store_path(run->store);
    bool        is_plain = !strpbrk(path, " \t\n'\"\\$`&|;<>()*?[]#~");
    char       *quoted = is_plain ? strdup(path) : command_quote(&path, 1);
    if (!strcmp(path, "turf.db"))
        (void)snprintf(text, room, "turf resume %lld", (long long)run->run_id);
    else
        (void)snprintf(text, room, "turf resume %lld --db %s", (long long)run->run_id,
                       quoted ? quoted : path);
    free(quoted);
    return text;
}

/* ---- while it goes on --------------------------------------------------------------------- */

typedef struct Session {
    Run            *run;
    const Settings *settings;
    Progress        progress;
    pthread_mutex_t lock; /* guards the last forfeit */
    char            last_forfeit[320];
} Session;

static bool update(void *context, const TurfTotals *totals, size_t n_pairings)
{
    Session *session = context;
    pthread_mutex_lock(&session->lock);
    const SprtStatus *test = &session->run->test;
    if (session->run->plan.has_sprt && !*session->last_forfeit)
        snprintf(session->progress.note, sizeof session->progress.note,
                 "interim: log-likelihood ratio %+.2f, settled at %.2f or %+.2f", test->llr,
                 test->low, test->high);
    else
        memcpy(session->progress.note, session->last_forfeit, sizeof session->progress.note);
    pthread_mutex_unlock(&session->lock);
    return progress_update(&session->progress, totals, n_pairings);
}

static void note_forfeit(void *context, const TurfPlayer *player, uint64_t game, TurfForfeit reason,
                         const char *text, const char *errors)
{
    Session *session = context;
    (void)errors;
    pthread_mutex_lock(&session->lock);
    snprintf(session->last_forfeit, sizeof session->last_forfeit, "%s forfeited game %llu (%s): %s",
             turf_player_name(player), (unsigned long long)game + 1, turf_forfeit_name(reason),
             text);
    pthread_mutex_unlock(&session->lock);
}

static void narrate(void *context, const BatchResult *results)
{
    Session *session = context;
    narrate_results(session->run, session->settings, results);
}

static void say_how_it_ended(const Session *session)
{
    const Run *run = session->run;
    char       words[4200];
    bool       is_shown = !session->settings->is_quiet;
    if (!run_is_whole(run)) {
        fprintf(
            stderr, "turf: interrupted after %llu of %llu games; what follows counts only those",
            (unsigned long long)run_n_played(run), (unsigned long long)session->progress.n_games);
        if (run->store)
            fprintf(stderr, "; '%s' plays the rest", resume_words(run, words, sizeof words));
        fputc('\n', stderr);
    }
    if (*session->last_forfeit && is_shown)
        fprintf(stderr, "turf: %s\n", session->last_forfeit);
    if (run->delay.n_turns > 0 && is_shown && !session->settings->hides_times)
        fprintf(stderr,
                "turf: the arena's own delay was %.3f ms a turn on average, %.3f ms at the most\n",
                (double)run->delay.sum_ns / 1e6 / (double)run->delay.n_turns,
                (double)run->delay.worst_ns / 1e6);
    if (run->store && is_shown && isatty(STDERR_FILENO))
        fprintf(stderr, "turf: this is run %lld in %s\n", (long long)run->run_id,
                store_path(run->store));
}

/* A run that goes on has the terms it had, unless others are given. */
static void take_terms(Settings *terms, const Plan *plan)
{
    terms->sandbox = terms->sandbox ? terms->sandbox : plan->sandbox;
    terms->bot_mib = terms->bot_mib ? terms->bot_mib : plan->bot_mib;
    terms->bot_processes = terms->bot_processes ? terms->bot_processes : plan->bot_processes;
    terms->bot_cpu_seconds =
        terms->bot_cpu_seconds ? terms->bot_cpu_seconds : plan->bot_cpu_seconds;
    terms->is_reusing |= plan->is_reusing > 0;
}

/* Plays, prints, and lets go of the event and its store. */
static int play(const Arguments *arguments, Run *run)
{
    const Settings *settings = &arguments->settings;
    TurfError       error;
    Store          *store = run->store;
    Session         session = {.run = run, .settings = settings, .lock = PTHREAD_MUTEX_INITIALIZER};
    RunHooks        hooks = {.progress = update,
                             .forfeited = note_forfeit,
                             .committed = narration_is_wanted(run, settings) ? narrate : NULL,
                             .context = &session,
                             .remote = arguments->remote};
    Settings        terms = *settings;
    take_terms(&terms, &run->plan);
    set_bot_terms(run->players, run->plan.n_entrants, &terms);
    run->n_jobs = jobs_for_bots(run, settings);
    session.progress = progress_begin(run->pairings, 0, settings->is_quiet);
    session.progress.n_before = run->n_before;
    session.progress.n_games = run_n_games(run);
    console_catch_interrupt();
    if (!settings->is_quiet)
        warn_of_repetition(run);
    bool is_good = run_play(run, &hooks, &error);
    progress_end(&session.progress);
    if (!is_good && store && run->run_id > 0) {
        char words[4200];
        die("%.250s; '%.120s' plays the rest", error.text, resume_words(run, words, sizeof words));
    }
    if (!is_good)
        die("%s", error.text);
    say_how_it_ended(&session);
    console_let_interrupt(); /* all is kept, and nobody need wait for a long table */
    outcome_print(run, settings);
    int status = outcome_status(run, settings);
    run_release(run);
    store_close(store);
    return status;
}

int session_resume(const Arguments *arguments, Run *run) { return play(arguments, run); }

int session_play(const Arguments *arguments, Plan *plan)
{
    const Settings *settings = &arguments->settings;
    TurfError       error;
    Run             run;
    int             shard, n_shards;
    read_shard(settings, &shard, &n_shards);
    if (!run_init(&run, plan, true, &error))
        die("%s", error.text);
    run.shard = shard;
    run.n_shards = n_shards;
    Store *store = open_store(settings, shard, n_shards);
    bool   is_there = store && n_shards > 1 && find_shard(store, &run);
    if (!is_there && !run_begin(&run, store, &error))
        die("%s", error.text);
    return play(arguments, &run);
}
