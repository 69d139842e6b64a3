/* The command of a bot: from the text typed to the words of execve, and back. */
#ifndef TURF_BOTS_COMMAND_LINE_H
#define TURF_BOTS_COMMAND_LINE_H

#include "turf.h"

#include <limits.h>

/* Splits a command into words as a shell would, and finds its program. The words end with NULL and
 * are freed by command_free. */
bool   command_read(const char *command, char ***words, TurfError *error);
char **command_copy(char *const *words);
void   command_free(char **words);
/* The words in one string, each quoted as for a shell; to be freed. NULL when memory is short. */
char *command_quote(const char *const *words, size_t n_words);

/* Calls `visit` for every file or folder that a command names: its words, and the parts of words
 * like -Dbook=FILE and one.jar:two.jar. Relative names are looked up in `folder`, which is
 * absolute. The path is absolute and free of "..", but its last component may be a link. */
typedef void PathVisitor(void *context, const char *path, bool is_program);
void command_each_path(char *const *words, const char *folder, PathVisitor *visit, void *context);

/* Does a program lie in the bin folder of an installation of its own, such as a virtual
 * environment? Then `prefix` gets the folder of that. */
bool command_has_prefix(const char *program, char prefix[PATH_MAX]);

#endif
