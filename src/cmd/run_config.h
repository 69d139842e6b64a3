/* The config files of the original AI Battleground server. */
#ifndef TURF_CMD_RUN_CONFIG_H
#define TURF_CMD_RUN_CONFIG_H

#include "arena/plan.h"

/* Adds the start and the two players of a config to a plan of AI Battleground. Bots that connect
 * are expected at the address; NULL: this machine alone. */
bool run_config_read(Plan *plan, const char *text, const char *address, TurfError *error);

#endif
