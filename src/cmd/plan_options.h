/* From the command line to the plan of a run. */
#ifndef TURF_CMD_PLAN_OPTIONS_H
#define TURF_CMD_PLAN_OPTIONS_H

#include "arena/plan.h"
#include "cmd/command.h"

#include <stdio.h>

/* The plan of 'turf match' (SCHEDULE_MATCH) or 'turf tournament', checked. */
Plan plan_read(const Arguments *arguments, ScheduleKind schedule);

/* A plan with the options that match, tournament and run share, and no players yet. */
Plan plan_begin(const TurfGame *game, ScheduleKind schedule, const Settings *settings,
                uint64_t default_games);

/* The files of --entrants and --starts: one player or start per line; '#' and a blank begin a
 * comment. Both add the lines of a file to a plan; an error names `path` and the line. */
typedef bool PlanList(Plan *plan, FILE *file, const char *path, TurfError *error);
PlanList     plan_read_entrants, plan_read_starts;
/* Reads a file, or standard input for "-", with one of these. */
void plan_read_list(Plan *plan, const char *path, PlanList *read);

/* The starts of --start, --size or --starts. */
void plan_read_all_starts(Plan *plan, const Settings *settings);

/* --shard k/N; 1 of 1 if it is not given. */
void read_shard(const Settings *settings, int *shard, int *n_shards);

#endif
