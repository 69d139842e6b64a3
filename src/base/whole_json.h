/* JSON that is whole or not there: where memory runs out, what was being made is let go and is NULL from then on, and
 * nothing goes out with a member missing. Callers look once, at the end. */
#ifndef TURF_BASE_WHOLE_JSON_H
#define TURF_BASE_WHOLE_JSON_H

#include "base/error.h"
#include "base/utf8.h"

#include <jansson.h>
#include <stddef.h>
#include <string.h>

static inline void json_keep_if(json_t **json, int failure)
{
    if (failure) {
        json_decref(*json);
        *json = NULL;
    }
}

/* Both take `value` over, which may be NULL for want of memory. */
static inline void json_put(json_t **object, const char *key, json_t *value)
{
    json_keep_if(object, json_object_set_new(*object, key, value));
}

static inline void json_add(json_t **list, json_t *value) { json_keep_if(list, json_array_append_new(*list, value)); }

/* A sentence for people, whatever it quotes: if that is not UTF-8, it is shown as '?'. */
static inline json_t *json_sentence(const char *text)
{
    char   clean[sizeof(TurfError)];
    size_t length = error_cut(text, sizeof clean - 1);
    memcpy(clean, text, length);
    utf8_mend(clean, length);
    return json_stringn(clean, length);
}

#endif
