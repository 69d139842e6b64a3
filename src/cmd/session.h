/* Playing an event for a command: the database, what is seen meanwhile, Ctrl-C, and the result. */
#ifndef TURF_CMD_SESSION_H
#define TURF_CMD_SESSION_H

#include "arena/run.h"
#include "cmd/command.h"

/* Plays a plan from the beginning, or goes on with a shard of it that the file has already. Returns
 * the exit status. */
int session_play(const Arguments *arguments, Plan *plan);
/* Plays the rest of a stored run, and closes its store. */
int session_resume(const Arguments *arguments, Run *run);

/* Says so when another turf began a run. */
void session_warn_of_version(const RunRecord *record);

/* The database that --db and TURF_DB name, or NULL for none. `is_named`: somebody asked for this
 * one. */
const char *session_db_name(const Settings *settings, bool *is_named);

#endif
