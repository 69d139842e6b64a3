#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool error_set(TurfError *error, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return false;
}

const char *error_quote(char out[ERROR_QUOTE_BYTES], const char *text)
{
    enum { MOST = 40 };
    size_t length = strnlen(text, MOST + 1);
    bool   is_cut = length > MOST;
    if (is_cut)
        length = MOST;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        out[i] = (char)(c < 0x20 || c == 0x7f ? '?' : c);
    }
    (void)snprintf(out + length, ERROR_QUOTE_BYTES - length, "%s", is_cut ? "..." : "");
    return out;
}

size_t error_cut(const char *text, size_t most)
{
    size_t length = strnlen(text, most);
    while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
        length--;
    return length;
}
