/* Errors: a code and one sentence in a fixed buffer, so that reporting a failure cannot fail. */
#ifndef TURF_BASE_ERROR_H
#define TURF_BASE_ERROR_H

#include "turf.h"

#include <stdarg.h>

/* Fill the error, if there is one. Control characters become '?', because the text may quote
 * anything. error_vset returns false. */
void error_fill(TurfError *error, TurfErrorCode code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool error_vset(TurfError *error, TurfErrorCode code, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* Fill the error and are false, so that a function can end with `return error_invalid(...)`.
 * Macros, so that compilers and analysers of the caller see the false. */
#define error_set(error, code, ...) (error_fill(error, code, __VA_ARGS__), error_is_set())
#define error_invalid(error, ...) error_set(error, TURF_ERROR_INVALID, __VA_ARGS__)
#define error_not_found(error, ...) error_set(error, TURF_ERROR_NOT_FOUND, __VA_ARGS__)
#define error_busy(error, ...) error_set(error, TURF_ERROR_BUSY, __VA_ARGS__)
#define error_no_memory(error) error_set(error, TURF_ERROR_NO_MEMORY, "out of memory")
#define error_io(error, ...) error_set(error, TURF_ERROR_IO, __VA_ARGS__)
/* For a failed system call: the code follows from its errno. */
#define error_system(error, why, ...) error_set(error, error_code_of(why), __VA_ARGS__)
TurfErrorCode      error_code_of(int why);
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

#endif
