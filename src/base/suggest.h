/* "Did you mean ...?": the name nearest to a misspelt one. */
#ifndef TURF_BASE_SUGGEST_H
#define TURF_BASE_SUGGEST_H

#include <stddef.h>

/* The name that differs from `typed` in the fewest letters (replaced, left out, added, or two
 * neighbours exchanged); NULL if none is close. A NULL in the list is skipped. */
const char *suggest(const char *typed, const char *const *names, size_t n_names);

/* "; did you mean NAME?", with `quote` on either side of the name, or "" if none is close. */
enum { SUGGESTION_BYTES = 80 };
const char *suggestion(char text[SUGGESTION_BYTES], const char *typed, const char *const *names,
                       size_t n_names, const char *quote);

#endif
