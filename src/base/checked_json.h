/* JSON that is complete or NULL. When memory runs out the value being built is freed and set to
 * NULL, and all later calls do nothing, so that nothing is sent with a member missing. Callers
 * check once, at the end. */
#ifndef TURF_BASE_CHECKED_JSON_H
#define TURF_BASE_CHECKED_JSON_H

#include "base/error.h"
#include "base/utf8.h"

#include <jansson.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static inline void json_keep_if(json_t **json, int failure)
{
    if (failure) {
        json_decref(*json);
        *json = NULL;
    }
}

/* Both take `value` over; NULL is out of memory. */
static inline void json_put(json_t **object, const char *key, json_t *value)
{
    json_keep_if(object, json_object_set_new(*object, key, value));
}

static inline void json_add(json_t **list, json_t *value)
{
    json_keep_if(list, json_array_append_new(*list, value));
}

/* Appends the items of another list, which is taken over. */
static inline void json_add_all(json_t **list, json_t *others)
{
    json_keep_if(list, !others || json_array_extend(*list, others));
    json_decref(others);
}

/* A computed figure: what is left of rounding errors is 0, and 0 has no sign. */
static inline json_t *json_figure(double value)
{
    return json_real(value > -1e-6 && value < 1e-6 ? 0 : value);
}

/* Like json_dumps, which leaves a key out when memory runs out: this is NULL then, and for NULL.
 * Freed by the caller. */
static inline char *json_checked_text(const json_t *json, size_t flags)
{
    size_t length = json ? json_dumpb(json, NULL, 0, flags) : 0;
    char  *text = length ? malloc(length + 1) : NULL;
    if (text && json_dumpb(json, text, length, flags) != length) {
        free(text);
        text = NULL;
    }
    if (text)
        text[length] = '\0';
    return text;
}

/* Parses JSON; NULL with NO_MEMORY or INVALID. */
static inline json_t *json_read_bytes(const char *text, size_t length, size_t flags,
                                      TurfError *error)
{
    json_error_t why;
    json_t      *json = json_loadb(text, length, flags, &why);
    if (json)
        return json;
    enum json_error_code code = json_error_code(&why);
    if (!*why.text || code == json_error_out_of_memory)
        error_no_memory(error);
    else if (code == json_error_null_character)
        error_invalid(error, "a string must not contain \\u0000");
    else
        error_invalid(error, "%s", why.text);
    return NULL;
}

static inline json_t *json_read(const char *text, size_t flags, TurfError *error)
{
    return json_read_bytes(text, strlen(text), flags, error);
}

/* A message as a string. It may quote anything: bytes that are not UTF-8 become '?'. */
static inline json_t *json_sentence(const char *text)
{
    char   clean[sizeof(TurfError)];
    size_t length = error_cut(text, sizeof clean - 1);
    memcpy(clean, text, length);
    utf8_replace_invalid(clean, length);
    return json_stringn(clean, length);
}

#endif
