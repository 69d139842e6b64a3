/* A sandbox for bots, by bubblewrap: their own process and network namespaces, and a read-only file
 * system apart from a private TMPDIR and the folders that are named. Everything a bot starts ends
 * with it. */
#ifndef TURF_BOTS_SANDBOX_H
#define TURF_BOTS_SANDBOX_H

#include "turf.h"

/* Is bubblewrap installed, and allowed to make namespaces? Tried out by running it. */
bool sandbox_works(void);

/* The words of a command put inside the sandbox; `writable` may be NULL, like a list with nothing
 * in it. The caller frees the array, not the words. NULL: see `error`. */
char **sandbox_wrap(char *const *words, const char *const *writable, TurfError *error);

#endif
