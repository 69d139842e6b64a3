/* The files of --entrants and --starts: one player or start per line, '#' and a blank before a
 * comment. */
#ifndef TURF_CMD_PLAN_LISTS_H
#define TURF_CMD_PLAN_LISTS_H

#include "arena/plan.h"

#include <stdio.h>

/* Opens a player and adds it. Names must differ, except in a match. */
bool plan_add_spec(Plan *plan, const char *spec, TurfError *error);

/* Adds the lines of a file to a plan; an error names `path` and the line. */
typedef bool PlanList(Plan *plan, FILE *file, const char *path, TurfError *error);
PlanList     plan_read_entrants, plan_read_starts;

#endif
