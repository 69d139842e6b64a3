/* Jobs and bot terms of a run, for the commands that play one. */
#include "cmd/run_jobs.h"

#include "base/cpu.h"
#include "base/error.h"
#include "bots/pinning.h"
#include "cmd/console.h"
#include "players/bot_player.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

bool run_has_bots(const Run *run)
{
    for (size_t i = 0; i < run->plan.n_entrants; i++)
        if (run->plan.players[i]->kind->is_external)
            return true;
    return false;
}

/* With --pin two processors are kept for each game, one for a player; what is left is for the
 * arena. Without --jobs, as many games are played at a time as there are processors for. */
static int jobs_for_pinned(const Run *run, const Settings *settings)
{
    int n_processors = pinning_count(), n_possible = n_processors / 2, n_bots = 0;
    int n_jobs = settings->n_jobs ? (int)settings->n_jobs : n_possible;
    for (size_t i = 0; i < run->plan.n_entrants; i++)
        n_bots += run->plan.players[i]->kind->starts_process;
    if (n_bots == 0)
        return n_jobs;
    if (n_possible == 0)
        die("--pin needs two processors, and turf may use only one here");
    if (n_jobs > n_possible)
        die("--pin needs two processors for each game at a time, and turf may use %d here; type "
            "--jobs %d",
            n_processors, n_possible);
    bool is_against_bot = n_bots > 1 || run->plan.schedule == SCHEDULE_ROUND_ROBIN;
    pinning_begin(is_against_bot ? 2 * n_jobs : n_jobs);
    return n_jobs;
}

/* Each job plays with two bots and their pipes. The limit on open files is raised as far as
 * allowed; if that is not enough, fewer jobs play. */
int jobs_for_run(const Run *run, const Settings *settings)
{
    enum { FILES_PER_JOB = 16, OTHER_FILES = 48 };
    struct rlimit limit;
    int           n_processors = cpu_count(),
        n_jobs = settings->n_jobs ? (int)settings->n_jobs : n_processors;
    if (!run_has_bots(run))
        return (int)settings->n_jobs;
    if (settings->is_pinning)
        n_jobs = jobs_for_pinned(run, settings);
    if (n_jobs > n_processors && !settings->is_quiet)
        fprintf(stderr,
                "turf: %d jobs share %d processors: bots wait for each other and may lose on "
                "time\n",
                n_jobs, n_processors);
    rlim_t needed = OTHER_FILES + (rlim_t)FILES_PER_JOB * (rlim_t)n_jobs;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed)
        return n_jobs;
    bool is_allowed = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > needed;
    limit.rlim_cur = is_allowed ? needed : limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur >= needed)
        return n_jobs;
    int n_possible = ((int)limit.rlim_cur - OTHER_FILES) / FILES_PER_JOB;
    n_possible = n_possible > 1 ? n_possible : 1;
    if (!settings->is_quiet && n_possible < n_jobs)
        fprintf(stderr, "turf: %d jobs instead of %d: only %llu files may be open (ulimit -n)\n",
                n_possible, n_jobs, (unsigned long long)limit.rlim_cur);
    return n_possible;
}

Settings bot_settings(const Settings *settings, const Plan *plan, bool is_own)
{
    Settings all = *settings;
    all.is_reusing |= plan->is_reusing > 0;
    if (!is_own) {
        all.sandbox = all.sandbox ? all.sandbox : "require";
        return all;
    }
    all.sandbox = all.sandbox ? all.sandbox : plan->sandbox;
    all.bot_mib = all.bot_mib ? all.bot_mib : plan->bot_mib;
    all.bot_processes = all.bot_processes ? all.bot_processes : plan->bot_processes;
    all.bot_cpu_seconds = all.bot_cpu_seconds ? all.bot_cpu_seconds : plan->bot_cpu_seconds;
    return all;
}

void warn_of_absence(const Run *run)
{
    for (size_t i = 0; i < run->plan.n_entrants; i++) {
        const char *why = bot_absence(run->plan.players[i]);
        if (why)
            fprintf(stderr, "turf: %s forfeits all its games: %s\n",
                    turf_player_name(run->plan.players[i]), why);
    }
}

void warn_of_version(const RunRecord *record)
{
    char quoted[ERROR_QUOTE_BYTES];
    if (strcmp(record->version, TURF_VERSION) != 0)
        fprintf(stderr,
                "turf: this run was begun by turf %s and is continued by turf " TURF_VERSION
                "; games may differ\n",
                error_quote(quoted, record->version));
}

bool attach_shard(Store *store, Run *run)
{
    TurfError  error;
    RunRecord *runs;
    size_t     n_runs;
    char      *json = or_die(plan_to_json(&run->plan));
    bool       is_found = false;
    if (!runs_read(store, &runs, &n_runs, &error))
        die("%s", error.text);
    for (size_t i = n_runs; i-- > 0 && !is_found;) {
        const RunRecord *record = &runs[i];
        if (strcmp(record->plan, json) || record->shard != run->shard ||
            record->n_shards != run->n_shards)
            continue;
        is_found = true;
        if (!record->is_finished)
            warn_of_version(record);
        if (!run_attach(run, store, record, true, &error))
            die("%s", error.text);
    }
    runs_free(runs, n_runs);
    free(json);
    return is_found;
}
