/* The database that a command reads. */
#ifndef TURF_CMD_DATABASE_H
#define TURF_CMD_DATABASE_H

#include "cmd/command.h"
#include "store/store.h"

/* Opens the one that --db names, to read it. */
Store *database_read(const Settings *settings);

/* The number of a run that was typed first; 0, which is the last run, if none was. */
int64_t database_run(const Arguments *arguments);

#endif
