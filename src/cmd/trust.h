/* Databases made elsewhere: their plans name programs, which are started only if the user agrees.
 */
#ifndef TURF_CMD_TRUST_H
#define TURF_CMD_TRUST_H

#include "cmd/command.h"
#include "store/runs.h"

/* False if somebody else's run would start programs, and the user trusts them. If the user does
 * not, shows the commands and ends. True: the run is the user's own, or has no bots. */
bool is_own_run(Store *store, const RunRecord *run, const Settings *settings);

#endif
