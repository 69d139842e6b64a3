/* Errors: a code for the program and a sentence for people, in a fixed buffer, so that reporting a
 * failure cannot fail. turf.h has the codes. A function that fails sets both and returns false or
 * NULL; on success it leaves the error alone, so callers look at the return value, never at the
 * error, to learn whether it failed. `error` may be NULL. */
#ifndef TURF_BASE_ERROR_H
#define TURF_BASE_ERROR_H

#include "turf.h"

#include <stdarg.h>

/* Fill the error. Control characters become '?', because the text may quote anything. error_vset
 * returns false. */
void error_fill(TurfError *error, TurfErrorCode code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool error_vset(TurfError *error, TurfErrorCode code, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* Fill the error and are false, so that a function can end with `return error_invalid(...)`.
 * Macros, so that compilers and analysers see that the result is false. */
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

/* The program lacked memory, files, processes or a port. No player is to blame, and trying again
 * later may help. */
bool error_is_shortage(const TurfError *error);

/* Replaces control characters by '?', so that the text is one line and harmless to a terminal. */
void error_flatten(char *text);

/* A user's text, made safe to quote in a message: control characters become '?', and it is cut
 * after 40 bytes. Returns `out`. */
#define ERROR_QUOTE_BYTES 48
const char *error_quote(char out[ERROR_QUOTE_BYTES], const char *text);

/* The length of a UTF-8 text, or of its longest prefix of whole characters within `max` bytes. */
size_t error_cut(const char *text, size_t max);

#endif
