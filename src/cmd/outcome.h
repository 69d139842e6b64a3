/* What a match or a tournament prints at its end, or when it was stopped. */
#ifndef TURF_CMD_OUTCOME_H
#define TURF_CMD_OUTCOME_H

#include "arena/run.h"
#include "cmd/command.h"
#include "report/standings.h"

/* What the standings of a Swiss tournament need besides results. */
SwissEvent swiss_event_of(const Run *run);

/* The tables, or with --json one document, on standard output. */
void outcome_print(const Run *run, const Settings *settings);

/* The exit status: interrupted, forfeits with --strict, or fine. */
int outcome_status(const Run *run, const Settings *settings);

#endif
