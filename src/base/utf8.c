/* UTF-8: validation, repair, width. Overlong forms, surrogates and code points beyond U+10FFFF are
 * invalid, as in RFC 3629. */
#include "base/utf8.h"

#include <locale.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

/* The length of a character by its first byte; 0 if no character begins with it. */
static size_t n_bytes_from(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first < 0xc0 || first >= 0xf8)
        return 0;
    if (first < 0xe0)
        return 2;
    return first < 0xf0 ? 3 : 4;
}

/* The length of the first character, or 0 if it is invalid. */
static size_t character_length(const unsigned char *text, size_t length)
{
    static const uint32_t min[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t                n_bytes = n_bytes_from(text[0]);
    if (n_bytes <= 1)
        return n_bytes;
    if (n_bytes > length)
        return 0;
    uint32_t code = text[0] & (0xffu >> (n_bytes + 1));
    for (size_t i = 1; i < n_bytes; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3f);
    }
    bool is_surrogate = code >= 0xd800 && code < 0xe000;
    return code < min[n_bytes] || code > 0x10ffff || is_surrogate ? 0 : n_bytes;
}

bool utf8_is_valid(const char *text, size_t length)
{
    size_t n_bytes;
    for (size_t at = 0; at < length; at += n_bytes)
        if (!(n_bytes = character_length((const unsigned char *)text + at, length - at)))
            return false;
    return true;
}

size_t utf8_control_length(const char *characters)
{
    const unsigned char *text = (const unsigned char *)characters;
    if (text[0] < 0x20 || text[0] == 0x7f)
        return text[0] != '\0';
    if (text[0] == 0xc2 && text[1] >= 0x80 && text[1] < 0xa0) /* C1 */
        return 2;
    if (text[0] == 0xd8 && text[1] == 0x9c) /* U+061C */
        return 2;
    if (text[0] != 0xe2)
        return 0;
    bool is_mark = text[1] == 0x80 && (text[2] == 0x8e || text[2] == 0x8f);    /* U+200E, U+200F */
    bool is_embedding = text[1] == 0x80 && text[2] >= 0xaa && text[2] <= 0xae; /* U+202A to 202E */
    bool is_isolate = text[1] == 0x81 && text[2] >= 0xa6 && text[2] <= 0xa9;   /* U+2066 to 2069 */
    return is_mark || is_embedding || is_isolate ? 3 : 0;
}

bool utf8_is_printable(const char *text, size_t length)
{
    for (size_t at = 0; at < length; at++)
        if (!text[at] || utf8_control_length(text + at))
            return false;
    return utf8_is_valid(text, length);
}

size_t utf8_prefix(const char *text, size_t n_characters)
{
    size_t at = 0, n_begun = 0;
    for (; at < 4 * n_characters && text[at]; at++) {
        n_begun += ((unsigned char)text[at] & 0xc0) != 0x80;
        if (n_begun > n_characters)
            break;
    }
    return at;
}

static int width_in_this_locale(const char *text)
{
    int       width = 0;
    mbstate_t shift = {0};
    wchar_t   letter;
    for (size_t left = strlen(text), n_bytes; left > 0; left -= n_bytes, text += n_bytes) {
        n_bytes = mbrtowc(&letter, text, left, &shift);
        bool is_letter = n_bytes > 0 && n_bytes <= left;
        int  columns = is_letter ? wcwidth(letter) : 1;
        if (!is_letter) {
            n_bytes = 1;
            shift = (mbstate_t){0};
        }
        width += columns >= 0 ? columns : 1;
    }
    return width;
}

int utf8_width(const char *text)
{
    const char *at = text;
    while (*at > 0 && *at < 0x7f)
        at++;
    if (!*at)
        return (int)(at - text);
    /* wcwidth knows the widths, but only in a UTF-8 locale. */
    locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (!locale) {
        int n_letters = 0;
        for (at = text; *at; at++)
            n_letters += ((unsigned char)*at & 0xc0) != 0x80;
        return n_letters;
    }
    locale_t before = uselocale(locale);
    int      width = width_in_this_locale(text);
    uselocale(before);
    freelocale(locale);
    return width;
}

void utf8_replace_invalid(char *text, size_t length)
{
    size_t n_bytes;
    for (size_t at = 0; at < length; at += n_bytes ? n_bytes : 1)
        if (!(n_bytes = character_length((const unsigned char *)text + at, length - at)))
            text[at] = '?';
}

static void drop_cut_character(char *text)
{
    size_t length = strlen(text), n_back = 0;
    while (n_back < 3 && n_back < length &&
           ((unsigned char)text[length - 1 - n_back] & 0xc0) == 0x80)
        n_back++;
    if (n_back < length && n_bytes_from((unsigned char)text[length - 1 - n_back]) > n_back + 1)
        text[length - 1 - n_back] = '\0';
}

void utf8_make_printable(char *text)
{
    drop_cut_character(text);
    utf8_replace_invalid(text, strlen(text));
    for (char *at = text; *at; at++)
        memset(at, '?', utf8_control_length(at));
}
