/* From what was typed to the plan of a run. */
#ifndef TURF_CMD_PLAN_OPTIONS_H
#define TURF_CMD_PLAN_OPTIONS_H

#include "arena/plan.h"
#include "cmd/command.h"

/* The plan of 'turf match' (with a schedule of SCHEDULE_MATCH) or 'turf tournament'. Players,
 * starts and numbers are checked; whatever is wrong ends the program with one line. */
Plan plan_read(const Arguments *arguments, ScheduleKind schedule);

/* A plan of those options that all commands have which play one; `default_games` unless -n says
 * otherwise. */
Plan plan_begin(const TurfGame *game, ScheduleKind schedule, const Settings *settings,
                uint64_t default_games);

/* The strategies that take part when nobody is named. */
void plan_add_strategies(Plan *plan);

/* --shard k/N; 1 of 1 if it is not given. */
void read_shard(const Settings *settings, int *shard, int *n_shards);

#endif
