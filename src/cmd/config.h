/* Options from a JSON file (--config). */
#ifndef TURF_CMD_CONFIG_H
#define TURF_CMD_CONFIG_H

#include "cmd/command.h"

/* Reads the file of --config, if given: an object whose keys are options of the command. Options
 * on the command line take precedence; lists are concatenated. */
void config_read(const Command *command, Settings *settings);
/* The same from JSON, which must outlive the settings. */
bool config_apply(const Command *command, Settings *settings, const json_t *config,
                  TurfError *error);

#endif
