/* --config: a JSON object checked against the table of options, key by key. */
#include "cmd/config.h"

#include "base/error.h"
#include "cmd/console.h"
#include "cmd/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Option *find_option(const Command *command, const char *name)
{
    const Option *option;
    for (size_t i = 0; (option = option_at(i)); i++)
        if (!strcmp(option->name, name) && strcmp(name, "config") &&
            option_is_taken(option, command))
            return option;
    return NULL;
}

static bool read_list(const Option *option, Settings *settings, const char *typed,
                      const json_t *value, TurfError *error)
{
    const json_t *item;
    size_t        i;
    if (!json_is_array(value))
        return error_invalid(error, "%s must be a list of strings, like [\"...\"]", typed);
    json_array_foreach(value, i, item)
    {
        if (!json_is_string(item))
            return error_invalid(error, "%s must be a list of strings, like [\"...\"]", typed);
        if (!option_set(option, settings, typed, json_string_value(item), error))
            return false;
    }
    return true;
}

static bool read_value(const Option *option, Settings *settings, const char *typed,
                       const json_t *value, TurfError *error)
{
    char number[32];
    bool is_typed = option_is_given(option, settings);
    switch (option->kind) {
    case FLAG:
        if (!json_is_boolean(value))
            return error_invalid(error, "%s must be true or false", typed);
        return !json_is_true(value) || option_set(option, settings, typed, NULL, error);
    case NUMBER:
        if (!json_is_integer(value))
            return error_invalid(error, "%s must be an integer from %llu to %llu", typed,
                                 (unsigned long long)option->min, (unsigned long long)option->max);
        snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
        return is_typed || option_set(option, settings, typed, number, error);
    case TEXT:
        if (!json_is_string(value))
            return error_invalid(error, "%s must be a string", typed);
        return is_typed || option_set(option, settings, typed, json_string_value(value), error);
    case LIST: break;
    }
    return read_list(option, settings, typed, value, error);
}

bool config_apply(const Command *command, Settings *settings, const json_t *config,
                  TurfError *error)
{
    const char *name;
    json_t     *value;
    if (!json_is_object(config))
        return error_invalid(
            error, "a config file holds an object, like {\"port\":8080}; see 'turf help %s'",
            command->name);
    json_object_foreach((json_t *)(uintptr_t)config, name, value)
    {
        char          typed[ERROR_QUOTE_BYTES], quoted[ERROR_QUOTE_BYTES];
        const Option *option = find_option(command, name);
        if (!option && option_new_name(name))
            return error_invalid(error, "\"%s\" is now called \"%s\"", error_quote(quoted, name),
                                 option_new_name(name));
        if (!option)
            return error_invalid(error, "unknown option \"%s\"; see 'turf help %s'",
                                 error_quote(quoted, name), command->name);
        snprintf(typed, sizeof typed, "\"%s\"", option->name);
        if (!read_value(option, settings, typed, value, error))
            return false;
    }
    return true;
}

/* The settings point into it until the program ends. */
static json_t *config_kept;

static void forget_config(void) { json_decref(config_kept); }

void config_read(const Command *command, Settings *settings)
{
    const char  *path = settings->config;
    json_error_t where;
    TurfError    error;
    if (!path)
        return;
    char *text = read_file(path);
    config_kept = json_loads(text, JSON_REJECT_DUPLICATES, &where);
    free(text);
    if (!config_kept)
        die("%s, line %d: not JSON: %s", path, where.line, where.text);
    (void)atexit(forget_config);
    if (!config_apply(command, settings, config_kept, &error))
        die("%s: %s", path, error.text);
}
