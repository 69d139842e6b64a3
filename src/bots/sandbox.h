/* A sandbox for bots, by bubblewrap: process and network namespaces of their own, and a file system
 * that can only be read, apart from a private folder for temporary files (TMPDIR) and from folders
 * that are named. Whatever a bot starts ends with it. */
#ifndef TURF_BOTS_SANDBOX_H
#define TURF_BOTS_SANDBOX_H

#include "turf.h"

/* Is bubblewrap here, and is it allowed to do its work? Tried out by running it. */
bool sandbox_works(void);

/* The words of a command put inside the sandbox; `writable` may be NULL, like a list with nothing
 * in it. The caller frees the array, not the words. NULL: see `error`. */
char **sandbox_wrap(char *const *words, const char *const *writable, TurfError *error);

#endif
