/* The database and the run that a command works on. */
#ifndef TURF_CMD_DATABASE_H
#define TURF_CMD_DATABASE_H

#include "cmd/command.h"
#include "store/store.h"

/* The file of --db or TURF_DB, by default turf.db; NULL for "none". Sets is_named if the user named
 * it. */
const char *database_name(const Settings *settings, bool *is_named);

/* Opens it for reading. */
Store *database_read(const Settings *settings);

/* The run number in the first argument; 0, which stands for the last run, if there is none. */
int64_t database_run(const Arguments *arguments);

#endif
