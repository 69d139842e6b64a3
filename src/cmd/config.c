#include "cmd/config.h"

#include "base/error.h"
#include "cmd/console.h"
#include "cmd/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The settings point into it until the end. */
static json_t *config;

static const Option *find_option(const Command *command, const char *path, const char *name)
{
    const Option *option;
    char          quoted[ERROR_QUOTE_BYTES];
    for (size_t i = 0; (option = option_at(i)); i++)
        if (!strcmp(option->name, name) && strcmp(name, "config") && option_is_taken(option, command))
            return option;
    die("%s: there is no option \"%s\" here; see 'turf help %s'", path, error_quote(quoted, name), command->name);
}

static void read_list(const Option *option, Settings *settings, const char *typed, const json_t *value)
{
    const json_t *item;
    size_t        i;
    if (!json_is_array(value))
        die("%s wants a list of strings, like [\"...\"]", typed);
    json_array_foreach(value, i, item)
    {
        if (!json_is_string(item))
            die("%s wants a list of strings, like [\"...\"]", typed);
        option_set(option, settings, typed, json_string_value(item));
    }
}

static void read_value(const Option *option, Settings *settings, const char *typed, const json_t *value)
{
    char number[32];
    bool is_typed = option_is_given(option, settings);
    switch (option->kind) {
    case FLAG:
        if (!json_is_boolean(value))
            die("%s is true or false", typed);
        if (json_is_true(value))
            option_set(option, settings, typed, NULL);
        break;
    case NUMBER:
        if (!json_is_integer(value))
            die("%s wants a whole number from %llu to %llu", typed, (unsigned long long)option->least,
                (unsigned long long)option->most);
        snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
        if (!is_typed)
            option_set(option, settings, typed, number);
        break;
    case TEXT:
        if (!json_is_string(value))
            die("%s wants a string", typed);
        if (!is_typed)
            option_set(option, settings, typed, json_string_value(value));
        break;
    case LIST: read_list(option, settings, typed, value);
    }
}

void config_read(const Command *command, Settings *settings)
{
    const char  *path = settings->config, *name;
    json_t      *value;
    json_error_t where;
    if (!path)
        return;
    char *text = read_file(path);
    config = json_loads(text, JSON_REJECT_DUPLICATES, &where);
    free(text);
    if (!config)
        die("%s, line %d: this is not JSON: %s", path, where.line, where.text);
    if (!json_is_object(config))
        die("%s: a config is an object, like {\"port\":8080}; see 'turf help %s'", path, command->name);
    json_object_foreach(config, name, value)
    {
        char          typed[ERROR_QUOTE_BYTES + 200];
        const Option *option = find_option(command, path, name);
        snprintf(typed, sizeof typed, "%.120s: \"%s\"", path, option->name);
        read_value(option, settings, typed, value);
    }
}
