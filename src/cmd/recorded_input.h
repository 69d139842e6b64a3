/* The recorded games that a user names. */
#ifndef TURF_CMD_RECORDED_INPUT_H
#define TURF_CMD_RECORDED_INPUT_H

#include "cmd/command.h"

/* A list of records as 'turf export' writes them: those of a file ("-": standard input), or the
 * game of the database with that number; NULL: the last one. Dies if there is none. */
json_t *recorded_input(const Settings *settings, const char *word);

#endif
