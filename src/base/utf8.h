/* Text of others, which may be any bytes, where UTF-8 is wanted: in JSON, in the store, on pages. */
#ifndef TURF_BASE_UTF8_H
#define TURF_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* As JSON wants it: nothing longer than it need be, no surrogates, nothing beyond U+10FFFF. */
bool utf8_is_whole(const char *text, size_t length);
/* Puts '?' for every byte that is not of a character. */
void utf8_mend(char *text, size_t length);
/* One line that cannot paint a terminal: the same, and '?' for every control character. A character that is cut short
 * at the end goes. */
void utf8_make_printable(char *text);

#endif
