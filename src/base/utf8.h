/* Text of others, which may be any bytes, where UTF-8 is wanted: in JSON, in the store, on pages. */
#ifndef TURF_BASE_UTF8_H
#define TURF_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* As JSON wants it: nothing longer than it need be, no surrogates, nothing beyond U+10FFFF. */
bool utf8_is_whole(const char *text, size_t length);
/* If it is not, '?' stands for every byte that is not ASCII: what encoding it was cannot be told. */
void utf8_mend(char *text, size_t length);

#endif
