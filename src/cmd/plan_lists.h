/* The files of --entrants and --starts: one on each line. */
#ifndef TURF_CMD_PLAN_LISTS_H
#define TURF_CMD_PLAN_LISTS_H

#include "arena/plan.h"

#include <stdio.h>

/* Adds a player by its description. Only in a match may two have the same name. */
bool plan_add_spec(Plan *plan, const char *spec, TurfError *error);

/* Adds what a file lists to a plan; an error names the file by its path, and the line. */
typedef bool PlanList(Plan *plan, FILE *file, const char *path, TurfError *error);
PlanList     plan_read_entrants, plan_read_starts;

#endif
