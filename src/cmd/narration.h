/* Games as they are finished, for whoever is not at a terminal: a line each on standard error, or
 * with --json-lines as JSON on standard output. */
#ifndef TURF_CMD_NARRATION_H
#define TURF_CMD_NARRATION_H

#include "arena/workers.h"
#include "cmd/command.h"

bool narration_is_wanted(const Run *run, const Settings *settings);
void narrate_results(const Run *run, const Settings *settings, const BatchResult *results);

#endif
