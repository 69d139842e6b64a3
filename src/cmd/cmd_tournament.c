/* turf match, tournament, run and resume: the commands that play a run.
 *
 * Each makes a Run, has it played (run_play) with a database and a display beside it, and prints
 * the result. Ctrl-C stops a run cleanly; the games played so far are in the database.
 *
 * Threads: the progress hook is called from this thread, the others from the writer's;
 * Session.lock guards the text that they share. */
#include "arena/device_worker.h"
#include "arena/run_play.h"
#include "base/error.h"
#include "base/stats.h"
#include "bots/command_line.h"
#include "cmd/bot_terms.h"
#include "cmd/console.h"
#include "cmd/database.h"
#include "cmd/device_option.h"
#include "cmd/outcome.h"
#include "cmd/plan_options.h"
#include "cmd/progress.h"
#include "cmd/run_config.h"
#include "cmd/run_jobs.h"
#include "cmd/trust.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- warnings ----------------------------------------------------------------------------- */

/* Deterministic players repeat one game from one start: their statistics mean nothing. */
static void warn_of_repetition(const Run *run)
{
    size_t n_same = 0, n_starts = run->plan.n_starts ? run->plan.n_starts : 1;
    if (plan_has_random_start(&run->plan))
        return;
    for (size_t i = 0; i < run->n_pairings; i++) {
        const TurfPairing *pairing = &run->pairings[i];
        n_same += pairing->n_games > n_starts * (1u + pairing->swap_sides) &&
                  player_is_deterministic(pairing->players[0]) &&
                  player_is_deterministic(pairing->players[1]);
    }
    if (n_same > 0)
        fprintf(stderr,
                "turf: %zu of %zu pairings are deterministic from this start and repeat one game; "
                "add ties=random for meaningful intervals\n",
                n_same, run->n_pairings);
}

/* ---- the database ------------------------------------------------------------------------- */

/* Opens the database for a new run; NULL: its games are not stored. */
static Store *open_store(const Settings *settings, int shard, int n_shards)
{
    TurfError   error;
    bool        is_named;
    char        shard_name[64];
    const char *name = database_name(settings, &is_named);
    if (n_shards > 1 && !settings->db) {
        snprintf(shard_name, sizeof shard_name, "turf-%d-of-%d.db", shard, n_shards);
        name = shard_name;
        is_named = true;
    }
    if (!name && n_shards > 1)
        die("--shard needs a database; remove --db none");
    if (!name)
        return NULL;
    Store *store = store_open(name, STORE_MAKE, &error);
    if (!store && is_named)
        die("%s", error.text);
    if (!store && !settings->is_quiet)
        fprintf(stderr, "turf: the games are not stored: %s\n", error.text);
    return store;
}

/* The command that continues a run: "turf resume 3 --db games.db". */
static const char *resume_command(const Run *run, char *text, size_t room)
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

/* ---- playing ------------------------------------------------------------------------------ */

typedef struct Session {
    Run            *run;
    const Settings *settings;
    Progress        progress;
    pthread_mutex_t lock; /* guards the last forfeit */
    char            last_forfeit[320];
} Session;

static bool update_progress(void *context, const TurfTotals *totals, size_t n_pairings)
{
    Session          *session = context;
    Progress         *progress = &session->progress;
    const SprtStatus *test = &session->run->test;
    pthread_mutex_lock(&session->lock);
    if (session->run->plan.has_sprt && !*session->last_forfeit)
        snprintf(progress->note, sizeof progress->note,
                 "interim: log-likelihood ratio %+.2f, settled at %.2f or %+.2f",
                 stats_shown(test->llr, 2), test->low, test->high);
    else
        memcpy(progress->note, session->last_forfeit, sizeof progress->note);
    pthread_mutex_unlock(&session->lock);
    return progress_update(progress, totals, n_pairings);
}

static void note_forfeit(void *context, const TurfPlayer *player, uint64_t game, TurfForfeit reason,
                         const char *text, const char *errors)
{
    Session *session = context;
    bool     misses_file = reason == TURF_CRASH && player->terms.is_sandboxed && errors &&
                       (strstr(errors, "No such file") || strstr(errors, "No module named"));
    pthread_mutex_lock(&session->lock);
    snprintf(session->last_forfeit, sizeof session->last_forfeit,
             "%s forfeited game %llu (%s): %s%s", turf_player_name(player),
             (unsigned long long)game + 1, turf_forfeit_name(reason), text,
             misses_file ? "; in the sandbox it sees only its own folder, see --allow-read" : "");
    pthread_mutex_unlock(&session->lock);
}

static void print_results(void *context, const BatchResult *results)
{
    Session *session = context;
    progress_print_results(session->run, session->settings, results);
}

/* Prints on standard error how the run ended and where it is stored. */
static void print_ending(const Session *session)
{
    const Run *run = session->run;
    char       command[4200];
    bool       is_shown = !session->settings->is_quiet;
    if (!run_is_whole(run)) {
        fprintf(stderr, "turf: interrupted after %llu of %llu games; the result counts only those",
                (unsigned long long)run_n_played(run),
                (unsigned long long)session->progress.n_games);
        if (run->store)
            fprintf(stderr, "; '%s' plays the rest", resume_command(run, command, sizeof command));
        fputc('\n', stderr);
    }
    if (*session->last_forfeit && is_shown)
        fprintf(stderr, "turf: %s\n", session->last_forfeit);
    if (run->delay.n_turns > 0 && is_shown && !session->settings->hides_times)
        fprintf(stderr,
                "turf: the arena's own delay was %.3f ms a turn on average, %.3f ms at most\n",
                (double)run->delay.sum_ns / 1e6 / (double)run->delay.n_turns,
                (double)run->delay.worst_ns / 1e6);
    if (run->store && is_shown && isatty(STDERR_FILENO))
        fprintf(stderr, "turf: this is run %lld in %s\n", (long long)run->run_id,
                store_path(run->store));
}

/* Prints the result, and closes the run and its store. Returns the exit status. */
static int finish(Run *run, const Settings *settings)
{
    Store *store = run->store;
    outcome_print(run, settings);
    int status = outcome_status(run, settings);
    run_release(run);
    store_close(store);
    return status;
}

/* Plays the games not yet played and prints the result. */
static int play(const Arguments *arguments, Run *run, bool is_own)
{
    const Settings *settings = &arguments->settings;
    TurfError       error;
    Session         session = {.run = run,
                               .settings = settings,
                               .progress = progress_begin(run->pairings, 0, settings->is_quiet),
                               .lock = PTHREAD_MUTEX_INITIALIZER};
    RunHooks        hooks = {.progress = update_progress,
                             .forfeited = note_forfeit,
                             .context = &session,
                             .remote = arguments->remote};
    Settings        for_bots = bot_settings(settings, &run->plan, is_own);
    set_bot_terms(run->plan.players, run->plan.n_entrants, &for_bots);
    if (settings->wants_json_lines ||
        (run_has_bots(run) && !settings->is_quiet && !isatty(STDERR_FILENO)))
        hooks.committed = print_results;
    run->n_jobs = jobs_for_run(run, settings);
    session.progress.n_before = run->n_before;
    session.progress.n_games = run_n_games(run);
    session.progress.swiss = run->plan.schedule == SCHEDULE_SWISS ? run : NULL;
    if (settings->device && arguments->remote)
        die("turf-mpi plays on processors; remove --device");
    if (!arguments->remote)
        run->device = device_for(settings, device_worker_n_games(run));
    console_catch_interrupt();
    warn_of_absence(run);
    if (!settings->is_quiet)
        warn_of_repetition(run);
    bool is_good = run_play(run, &hooks, &error);
    progress_end(&session.progress);
    device_finish(run->device, settings);
    run->device = NULL;
    if (!is_good && run->run_id > 0) {
        char command[4200];
        die("%.250s; '%.120s' plays the rest", error.text,
            resume_command(run, command, sizeof command));
    }
    if (!is_good)
        die("%s", error.text);
    print_ending(&session);
    console_let_interrupt(); /* everything is stored: Ctrl-C may cut a long table short */
    return finish(run, settings);
}

/* Plays a plan from the beginning, or the rest of a shard that the database has already. */
static int play_plan(const Arguments *arguments, Plan *plan)
{
    const Settings *settings = &arguments->settings;
    TurfError       error;
    Run             run;
    if (!run_init(&run, plan, true, &error))
        die("%s", error.text);
    read_shard(settings, &run.shard, &run.n_shards);
    Store *store = open_store(settings, run.shard, run.n_shards);
    bool   is_attached = store && run.n_shards > 1 && attach_shard(store, &run);
    if (!is_attached && !run_begin(&run, store, &error))
        die("%s", error.text);
    return play(arguments, &run, true);
}

/* ---- the commands ------------------------------------------------------------------------- */

int cmd_match(const Arguments *arguments)
{
    Plan plan = plan_read(arguments, SCHEDULE_MATCH);
    return play_plan(arguments, &plan);
}

int cmd_tournament(const Arguments *arguments)
{
    Plan plan = plan_read(arguments, SCHEDULE_ROUND_ROBIN);
    return play_plan(arguments, &plan);
}

/* A config file of the original AI Battleground server. */
int cmd_run(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    const char     *path = arguments->words[0];
    Plan            plan = plan_begin(read_game("ai-battleground"), SCHEDULE_MATCH, settings, 1);
    char           *text = read_file(path);
    TurfError       error;
    if (!run_config_read(&plan, text, settings->listen, &error))
        die("%s: %s", path, error.text);
    free(text);
    return play_plan(arguments, &plan);
}

/* The number that was typed, or that of the last run that is not finished. */
static int64_t choose_run(const Arguments *arguments, Store *store)
{
    char       quoted[ERROR_QUOTE_BYTES];
    TurfError  error;
    RunRecord *runs;
    size_t     n_runs;
    int64_t    chosen = database_run(arguments);
    if (chosen)
        return chosen;
    if (!runs_read(store, &runs, &n_runs, &error))
        die("%s", error.text);
    int64_t last = n_runs > 0 ? runs[n_runs - 1].id : 0;
    for (size_t i = 0; i < n_runs; i++)
        if (!runs[i].is_finished)
            chosen = runs[i].id;
    runs_free(runs, n_runs);
    error_quote(quoted, store_path(store));
    if (n_runs == 0)
        die("there are no runs in '%s'", quoted);
    if (chosen == 0)
        die("every run in '%s' is finished; 'turf resume %lld' shows the last one again", quoted,
            (long long)last);
    return chosen;
}

/* A finished run is only shown again, which needs no right to write. */
int cmd_resume(const Arguments *arguments)
{
    TurfError   error;
    bool        is_named;
    RunRecord   record;
    Run         run;
    const char *name = database_name(&arguments->settings, &is_named);
    if (!name)
        die("--db none has no runs to resume; name a database");
    Store *store = store_open(name, STORE_WRITE, &error);
    bool   can_write = store;
    if (!store)
        store = store_open(name, STORE_READ, &(TurfError){0});
    if (!store || !runs_find(store, choose_run(arguments, store), &record, &error) ||
        (!record.is_finished && !can_write))
        die("%s", error.text);
    bool is_finished = record.is_finished;
    bool is_own = is_finished || is_own_run(store, &record, &arguments->settings);
    if (!is_finished)
        warn_of_version(&record);
    if (!run_resume(&run, store, &record, !is_finished, &error))
        die("%s", error.text);
    run_record_release(&record);
    return is_finished ? finish(&run, &arguments->settings) : play(arguments, &run, is_own);
}
