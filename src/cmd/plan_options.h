/* From the command line to the plan of a run. */
#ifndef TURF_CMD_PLAN_OPTIONS_H
#define TURF_CMD_PLAN_OPTIONS_H

#include "arena/plan.h"
#include "cmd/command.h"

/* The plan of 'turf match' (SCHEDULE_MATCH) or 'turf tournament', checked. */
Plan plan_read(const Arguments *arguments, ScheduleKind schedule);

/* A plan with the options that match, tournament and run share, and no players yet. */
Plan plan_begin(const TurfGame *game, ScheduleKind schedule, const Settings *settings,
                uint64_t default_games);

/* --shard k/N; 1 of 1 if it is not given. */
void read_shard(const Settings *settings, int *shard, int *n_shards);

#endif
