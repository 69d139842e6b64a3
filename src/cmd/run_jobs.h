/* What a run needs besides its plan: how many jobs, and the terms of its bots. */
#ifndef TURF_CMD_RUN_JOBS_H
#define TURF_CMD_RUN_JOBS_H

#include "arena/run.h"
#include "cmd/command.h"

bool run_has_bots(const Run *run);
/* How many games are played at a time: the jobs of --jobs or one per processor, or fewer if too few
 * files may be open; with --pin as many as there are pairs of processors. */
int jobs_for_run(const Run *run, const Settings *settings);

/* The bot options of the command line, and for those not given the ones of the plan. What somebody
 * else's plan says does not count: its bots need a sandbox, and have the default limits. */
Settings bot_settings(const Settings *settings, const Plan *plan, bool is_own);

/* Says so if the run was begun by another version of turf. */
void warn_of_version(const RunRecord *record);
/* Looks for the same shard in the store, as when a cluster scheduler restarts a job, and continues
 * it. */
bool attach_shard(Store *store, Run *run);

/* Warns of bots that are not there and forfeit all their games. */
void warn_of_absence(const Run *run);

#endif
