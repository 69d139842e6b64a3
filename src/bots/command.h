/* The command of a bot: from the text typed to the words of execve, and back. */
#ifndef TURF_BOTS_COMMAND_H
#define TURF_BOTS_COMMAND_H

#include "turf.h"

/* Splits a command into words as a shell would, and finds its program. The words end with NULL and
 * are freed by command_free. */
bool   command_read(const char *command, char ***words, TurfError *error);
char **command_copy(char *const *words);
void   command_free(char **words);
/* The words in one string, each quoted as for a shell; to be freed. NULL when memory is short. */
char *command_quote(const char *const *words, size_t n_words);

#endif
