/* The database of a command. */
#ifndef TURF_CMD_DATABASE_H
#define TURF_CMD_DATABASE_H

#include "cmd/command.h"
#include "store/store.h"

/* The file that --db or TURF_DB names, else turf.db; NULL for "none". `is_named`: it was named by
 * the user. */
const char *database_name(const Settings *settings, bool *is_named);

/* Opens it for reading. */
Store *database_read(const Settings *settings);

/* The run number that was typed as the first word; 0, which means the last run, if there is none.
 */
int64_t database_run(const Arguments *arguments);

#endif
