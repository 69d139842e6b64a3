/* Filling errors. The text is always one line without control characters, cut to its buffer. */
#include "base/error.h"

#include "base/utf8.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void error_flatten(char *text)
{
    char *to = text;
    for (const char *from = text; *from;) {
        size_t length = utf8_control_length(from);
        *to++ = length > 0 ? '?' : *from;
        from += length > 0 ? length : 1;
    }
    *to = '\0';
}

bool error_vset(TurfError *error, TurfErrorCode code, const char *format, va_list arguments)
{
    if (error) {
        error->code = code;
        (void)vsnprintf(error->text, sizeof error->text, format, arguments);
        error_flatten(error->text);
    }
    return false;
}

void error_fill(TurfError *error, TurfErrorCode code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)error_vset(error, code, format, arguments);
    va_end(arguments);
}

TurfErrorCode error_code_of(int why)
{
    switch (why) {
    case ENOENT:
    case ENOTDIR: return TURF_ERROR_NOT_FOUND;
    case EBUSY:
    case ETXTBSY:
    case EADDRINUSE: return TURF_ERROR_BUSY;
    case EAGAIN:
    case EMFILE:
    case ENFILE:
    case ENOMEM: return TURF_ERROR_NO_MEMORY;
    case EINTR: return TURF_ERROR_INTERRUPTED;
    default: return TURF_ERROR_IO;
    }
}

bool error_is_shortage(const TurfError *error)
{
    return error->code == TURF_ERROR_NO_MEMORY || error->code == TURF_ERROR_BUSY;
}

const char *error_quote(char out[ERROR_QUOTE_BYTES], const char *text)
{
    enum { MAX = 40 };
    size_t length = error_cut(text, MAX);
    bool   is_cut = text[length] != '\0';
    memcpy(out, text, length);
    (void)snprintf(out + length, ERROR_QUOTE_BYTES - length, "%s", is_cut ? "..." : "");
    error_flatten(out);
    return out;
}

size_t error_cut(const char *text, size_t max)
{
    size_t length = strnlen(text, max);
    while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
        length--;
    return length;
}
