/* Checking and repairing text from outside (bots, files, requests), which may be any bytes, before
 * it goes into JSON, the store or a terminal. */
#ifndef TURF_BASE_UTF8_H
#define TURF_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Valid UTF-8, as JSON requires it. */
bool utf8_is_valid(const char *text, size_t length);
/* The length of the control character that the text begins with, or 0: C0, DEL, C1, and those that
 * change the direction of writing, with which a name can make a line read as another. */
size_t utf8_control_length(const char *text);
/* Valid, and without control characters. */
bool utf8_is_printable(const char *text, size_t length);
/* The length in bytes of the first n_characters; at most four bytes each, even in invalid text. */
size_t utf8_prefix(const char *text, size_t n_characters);
/* Columns on a terminal: wide East Asian characters take two, combining ones none. */
int utf8_width(const char *text);
/* Replaces every invalid byte by '?'. */
void utf8_replace_invalid(char *text, size_t length);
/* Makes one printable line: replaces invalid bytes and control characters by '?', and drops an
 * incomplete character at the end. */
void utf8_make_printable(char *text);

#endif
