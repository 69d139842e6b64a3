/* Options out of a file. */
#ifndef TURF_CMD_CONFIG_H
#define TURF_CMD_CONFIG_H

#include "cmd/command.h"

/* Reads the file of --config, if there is one: an object whose keys are options of the command.
 * What was typed counts for more, and lists add up. */
void config_read(const Command *command, Settings *settings);
/* The same from JSON, which has to stay as long as the settings. */
bool config_apply(const Command *command, Settings *settings, const json_t *config,
                  TurfError *error);

#endif
