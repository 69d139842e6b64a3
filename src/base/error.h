/* Errors: one sentence in a fixed buffer, so that reporting a failure cannot fail. */
#ifndef TURF_BASE_ERROR_H
#define TURF_BASE_ERROR_H

#include "turf.h"

#include <stdarg.h>

/* Fill the error, if there is one; the second returns false. Control characters become '?': what
 * other libraries say may quote anything. */
void error_fill(TurfError *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool error_vset(TurfError *error, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* Fills it and is false, so that a function can end with it. A macro, so that whoever compiles or
 * analyses the caller sees the false. */
#define error_set(error, ...) (error_fill(error, __VA_ARGS__), error_is_set())
static inline bool error_is_set(void) { return false; }

/* One line that does nothing to a terminal, whatever the text was: control characters become '?'.
 */
void error_flatten(char *text);

/* The user's own text, made safe to quote inside a one-line message: control characters become
 * '?', and what is longer than 40 characters is cut. Returns `out`. */
#define ERROR_QUOTE_BYTES 48
const char *error_quote(char out[ERROR_QUOTE_BYTES], const char *text);

/* How many bytes to keep of a text in UTF-8 to have `most` at most, and no part of a character. */
size_t error_cut(const char *text, size_t max);

/* Was memory what was wanting? Nobody is to blame for that, so it has a sentence of its own
 * everywhere: "out of memory", or "there is no memory for" something large. */
bool error_is_out_of_memory(const TurfError *error);

#endif
