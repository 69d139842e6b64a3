/* Text of others, which may be any bytes, where UTF-8 is wanted: in JSON, in the store, on pages.
 */
#ifndef TURF_BASE_UTF8_H
#define TURF_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* As JSON wants it: nothing longer than it need be, no surrogates, nothing beyond U+10FFFF. */
bool utf8_is_whole(const char *text, size_t length);
/* And no control characters either. */
bool utf8_is_printable(const char *text, size_t length);
/* How many bytes the first characters of a text take; never more than four each, whatever they are.
 */
size_t utf8_front(const char *text, size_t n_characters);
/* How many columns a text takes on a terminal: letters of East Asia two, accents none. */
int utf8_width(const char *text);
/* Puts '?' for every byte that is not of a character. */
void utf8_mend(char *text, size_t length);
/* One line that cannot paint a terminal: the same, and '?' for every control character. A character
 * that is cut short at the end goes. */
void utf8_make_printable(char *text);

#endif
