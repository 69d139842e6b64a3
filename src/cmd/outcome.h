/* What a match or a tournament prints when it is over, or as far as it has come. */
#ifndef TURF_CMD_OUTCOME_H
#define TURF_CMD_OUTCOME_H

#include "arena/run.h"
#include "cmd/command.h"

/* The tables, or with --json one document, on standard output. */
void outcome_print(const Run *run, const Settings *settings);

/* The exit status that goes with it. */
int outcome_status(const Run *run, const Settings *settings);

#endif
