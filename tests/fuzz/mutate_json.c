/* A custom mutator for inputs that contain JSON. Byte mutations usually destroy the JSON and get no
 * further than its parser; so every other time this parses some JSON in the input, changes one
 * value and writes it back. */
#include "fuzz.h"

#include "base/rng.h"

#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);

/* A value and its position in its parent. */
typedef struct Place {
    json_t     *parent;
    const char *key; /* in an object; otherwise the index in an array: */
    size_t      index;
    json_t     *value;
} Place;

/* ---- values ------------------------------------------------------------------------------- */

static json_t *odd_value(TurfRng *rng)
{
    static const json_int_t numbers[] = {0,         1,          -1,        2,        100,
                                         128,       129,        1000000,   1000001,  INT32_MAX,
                                         INT32_MIN, UINT32_MAX, INT64_MAX, INT64_MIN};
    enum { N_NUMBERS = sizeof numbers / sizeof numbers[0] };
    switch (rng_below(rng, 12)) {
    case 0: return json_null();
    case 1: return json_true();
    case 2: return json_string("");
    case 3: return json_array();
    case 4: return json_object();
    case 5: return json_real(1.5);
    default: return json_integer(numbers[rng_below(rng, N_NUMBERS)]);
    }
}

/* NULL if the changed bytes are not UTF-8. */
static json_t *changed_string(const json_t *string)
{
    enum { MORE = 64 };
    size_t   length = json_string_length(string);
    uint8_t *bytes = malloc(length + MORE);
    json_t  *changed = NULL;
    if (bytes) {
        memcpy(bytes, json_string_value(string), length);
        length = LLVMFuzzerMutate(bytes, length, length + MORE);
        changed = json_stringn((const char *)bytes, length);
    }
    free(bytes);
    return changed;
}

static json_t *changed_value(const json_t *value, TurfRng *rng)
{
    if (rng_below(rng, 4) == 0)
        return odd_value(rng);
    if (json_is_string(value))
        return changed_string(value);
    if (json_is_integer(value) && json_integer_value(value) < INT32_MAX &&
        json_integer_value(value) > INT32_MIN)
        return json_integer(json_integer_value(value) * (rng_below(rng, 3) ? 1 : 10) +
                            (json_int_t)rng_below(rng, 5) - 2);
    return odd_value(rng);
}

/* ---- places ------------------------------------------------------------------------------- */

/* Finds the *number-th value below a value, counting it down. */
static void find_place(json_t *parent, size_t *number, Place *found)
{
    size_t      index = 0;
    const char *key = NULL;
    json_t     *value;
#define VISIT(its_key)                                                                             \
    if ((*number)-- == 0)                                                                          \
        *found = (Place){parent, its_key, index, value};                                           \
    find_place(value, number, found);
    if (json_is_array(parent)) {
        json_array_foreach(parent, index, value) { VISIT(NULL) }
    } else {
        json_object_foreach(parent, key, value) { VISIT(key) }
    }
#undef VISIT
}

static bool any_place(json_t *root, TurfRng *rng, Place *place)
{
    size_t n_left = SIZE_MAX, number;
    *place = (Place){.parent = NULL};
    find_place(root, &n_left, place);
    size_t n_places = SIZE_MAX - n_left;
    if (n_places == 0)
        return false;
    number = rng_below(rng, (uint32_t)n_places);
    find_place(root, &number, place);
    return place->parent != NULL;
}

static void put(const Place *place, json_t *value)
{
    if (place->key)
        json_object_set_new(place->parent, place->key, value);
    else
        json_array_set_new(place->parent, place->index, value);
}

static void change(json_t *root, TurfRng *rng)
{
    Place place, other;
    if (!any_place(root, rng, &place))
        return;
    switch (rng_below(rng, 8)) {
    case 0:
        if (place.key)
            json_object_del(place.parent, place.key);
        else
            json_array_remove(place.parent, place.index);
        break;
    case 1:
        if (any_place(root, rng, &other))
            put(&place, json_deep_copy(other.value));
        break;
    case 2:
        if (json_is_array(place.parent))
            json_array_insert_new(place.parent, place.index, json_deep_copy(place.value));
        break;
    default: put(&place, changed_value(place.value, rng)); break;
    }
}

/* ---- the input ---------------------------------------------------------------------------- */

/* The beginning of some JSON; SIZE_MAX if there is none. */
static size_t any_beginning(const uint8_t *data, size_t size, TurfRng *rng)
{
    size_t chosen = SIZE_MAX;
    for (size_t i = 0, n_seen = 0; i < size; i++)
        if ((data[i] == '{' || data[i] == '[') && rng_below(rng, (uint32_t)++n_seen) == 0)
            chosen = i;
    return chosen;
}

/* Returns the new size; 0 if there is no JSON or no room. */
static size_t change_json(uint8_t *data, size_t size, size_t room, TurfRng *rng)
{
    json_error_t where;
    size_t       begin = rng_below(rng, 2) ? SIZE_MAX : any_beginning(data, size, rng);
    for (size_t i = 0; i < size && begin == SIZE_MAX;
         i++) /* mostly the first, which is all of it */
        if (data[i] == '{' || data[i] == '[')
            begin = i;
    if (begin == SIZE_MAX)
        return 0;
    json_t *json =
        json_loadb((const char *)data + begin, size - begin, JSON_DISABLE_EOF_CHECK, &where);
    if (!json)
        return 0;
    size_t end = begin + (size_t)where.position;
    change(json, rng);
    char  *text = json_dumps(json, JSON_COMPACT);
    size_t length = text ? strlen(text) : 0, new_size = begin + length + size - end;
    if (length > 0 && new_size <= room) {
        memmove(data + begin + length, data + end, size - end);
        memcpy(data + begin, text, length);
    } else {
        new_size = 0;
    }
    free(text);
    json_decref(json);
    return new_size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    TurfRng rng = turf_rng(seed);
    size_t  new_size = rng_below(&rng, 3) ? change_json(data, size, room, &rng) : 0;
    return new_size ? new_size : LLVMFuzzerMutate(data, size, room);
}
