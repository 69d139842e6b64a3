/* The table of players' options, and how their values are read and written. */
#include "players/player_options.h"

#include "base/error.h"
#include "base/suggest.h"
#include "base/utf8.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LIST_BYTES = 128, MAX_DAY_MS = 86400000 };

static const char *const ties_values[] = {"first", "random", NULL}, *const wins_values[] = {
                                                                        "measure", "beyond", NULL};

#define FIELD(name) .offset = offsetof(PlayerOptions, name)

static const PlayerOption table[] = {
    {OPTION_LEVEL, "level", FIELD(level), .min = 1, .max = 10, .help = "1 is the weakest"},
    {OPTION_DEPTH, "depth", FIELD(depth), .min = 1, .max = LOOKAHEAD_MAX_DEPTH, .is_limit = true,
     .help = "moves to look ahead"},
    {OPTION_TIME, "time", FIELD(time_ms), .min = 1, .max = MAX_DAY_MS, .unit = "MS",
     .is_limit = true, .help = "milliseconds for a move"},
    {OPTION_NODES, "nodes", FIELD(n_nodes), .min = 1, .max = INT64_C(1000000000000), .unit = "N",
     .is_limit = true, .help = "positions to search for a move"},
    {OPTION_SIMS, "sims", FIELD(n_sims), .min = 1, .max = INT64_C(1000000000), .unit = "N",
     .is_limit = true, .help = "playouts for a move"},
    {OPTION_HASH, "hash", FIELD(hash_mib), .min = 1, .max = 1 << 20, .unit = "MIB",
     .help = "memory for its table or tree in MiB"},
    {OPTION_THREADS, "threads", FIELD(n_threads), .min = 1, .max = 64, .unit = "N",
     .help = "threads that search"},
    {OPTION_WITHOUT, "without", OPTION_TERMS, FIELD(without), .unit = "TERM+...",
     .help = "terms of the evaluation to leave out"},
    {OPTION_TIES, "ties", OPTION_CHOICE, FIELD(ties), .values = ties_values,
     .help = "which of several best moves to play"},
    {OPTION_WINS, "wins", OPTION_CHOICE, FIELD(wins), .values = wins_values,
     .help = "the value of a won game: its lead, or more than any lead"},
    {OPTION_NET, "net", OPTION_FILE, FIELD(network), .unit = "FILE",
     .help = "a network file to judge positions by"},
};

#undef FIELD

enum { N_OPTIONS = sizeof table / sizeof table[0] };

const PlayerOption *player_option_at(size_t index)
{
    return index < N_OPTIONS ? &table[index] : NULL;
}

const PlayerOption *player_kind_option(const PlayerKind *kind, size_t *index)
{
    while (*index < N_OPTIONS) {
        const PlayerOption *option = &table[(*index)++];
        if (kind->options & option->id)
            return option;
    }
    return NULL;
}

static int64_t value_of(const PlayerOption *option, const PlayerOptions *options)
{
    int64_t value;
    memcpy(&value, (const char *)options + option->offset, sizeof value);
    return value;
}

static void set_value(const PlayerOption *option, PlayerOptions *options, int64_t value)
{
    memcpy((char *)options + option->offset, &value, sizeof value);
}

static const char *path_of(const PlayerOption *option, const PlayerOptions *options)
{
    const char *path;
    memcpy(&path, (const char *)options + option->offset, sizeof path);
    return path;
}

int64_t player_option_default(const PlayerKind *kind, const PlayerOption *option)
{
    if (option->type == OPTION_FILE)
        return 0;
    int64_t value = value_of(option, &kind->defaults);
    return option->id == OPTION_TIME && value == 0 ? kind->default_time_ms : value;
}

/* ---- reading ------------------------------------------------------------------------------ */

const char *const *player_option_names(const PlayerOption *option, const TurfGame *game)
{
    static const char *const none[] = {NULL};
    const char *const       *names = option->values;
    if (option->type == OPTION_TERMS && game)
        names = game->measure_terms;
    return names ? names : none;
}

/* "a, b or c" */
static const char *list_names(const char *const *names, char list[MAX_LIST_BYTES])
{
    size_t used = 0;
    list[0] = '\0';
    for (size_t i = 0; names[i] && used < MAX_LIST_BYTES; i++) {
        const char *separator = names[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(list + used, MAX_LIST_BYTES - used, "%s%s", i ? separator : "",
                                 names[i]);
    }
    return list;
}

static bool refuse(const PlayerOption *option, const TurfGame *game, const char *value,
                   TurfError *error)
{
    char list[MAX_LIST_BYTES], expected[MAX_LIST_BYTES + 64], quoted[ERROR_QUOTE_BYTES];
    if (option->type == OPTION_TERMS && !player_option_names(option, game)[0])
        return error_invalid(error, "%s: the evaluation of %s has no terms", option->name,
                             game->name);
    if (option->type == OPTION_FILE)
        (void)snprintf(expected, sizeof expected, "the path of a file, without commas");
    else if (option->type == OPTION_INTEGER)
        (void)snprintf(expected, sizeof expected, "an integer from %lld to %lld",
                       (long long)option->min, (long long)option->max);
    else
        (void)snprintf(expected, sizeof expected, "%s%s",
                       list_names(player_option_names(option, game), list),
                       option->type == OPTION_TERMS ? ", or several joined by '+'" : "");
    if (!value || !*value)
        return error_invalid(error, "%s needs a value: %s", option->name, expected);
    return error_invalid(error, "%s must be %s, not %s", option->name, expected,
                         error_quote(quoted, value));
}

/* The index of a name of `length` bytes, or -1. */
static int find_name(const char *const *names, const char *name, size_t length)
{
    for (int i = 0; names[i]; i++)
        if (strlen(names[i]) == length && !strncmp(names[i], name, length))
            return i;
    return -1;
}

static bool read_terms(const char *const *terms, const char *value, int64_t *bits)
{
    *bits = 0;
    for (const char *at = value; *at; at += strspn(at, "+")) {
        size_t length = strcspn(at, "+");
        int    found = find_name(terms, at, length);
        if (found < 0)
            return false;
        *bits |= INT64_C(1) << found;
        at += length;
    }
    return *bits != 0;
}

static bool read_integer(const PlayerOption *option, const char *value, int64_t *number)
{
    char *end;
    *number = strtoll(value, &end, 10);
    return end != value && !*end && *number >= option->min && *number <= option->max;
}

static bool read_path(const PlayerOption *option, const char *path, PlayerOptions *options,
                      TurfError *error)
{
    char *copy = strdup(path);
    if (!copy)
        return error_no_memory(error);
    memcpy((char *)options + option->offset, &copy, sizeof copy);
    return true;
}

bool player_option_read(const PlayerOption *option, const TurfGame *game, const char *value,
                        PlayerOptions *options, TurfError *error)
{
    const char *const *names = player_option_names(option, game);
    const char        *text = value ? value : "";
    int64_t            number = 0;
    bool               is_good = false;
    switch (option->type) {
    case OPTION_INTEGER: is_good = read_integer(option, text, &number); break;
    case OPTION_CHOICE:
        number = find_name(names, text, strlen(text));
        is_good = number >= 0;
        break;
    case OPTION_TERMS: is_good = read_terms(names, text, &number); break;
    case OPTION_FILE: is_good = *text != '\0' && utf8_is_valid(text, strlen(text)); break;
    }
    if (!is_good)
        return refuse(option, game, value, error);
    if (option->type == OPTION_FILE)
        return read_path(option, text, options, error);
    set_value(option, options, number);
    return true;
}

static const PlayerOption *find_option(const PlayerKind *kind, const char *name, TurfError *error)
{
    const PlayerOption *option;
    const char         *names[N_OPTIONS];
    size_t              n_names = 0;
    char                quoted[ERROR_QUOTE_BYTES], text[PLAYER_OPTIONS_BYTES];
    for (size_t i = 0; (option = player_kind_option(kind, &i));) {
        if (!strcmp(option->name, name))
            return option;
        names[n_names++] = option->name;
    }
    const char *nearest = suggest(name, names, n_names);
    if (nearest)
        error_invalid(error, "%s has no option '%s'; did you mean %s?", kind->name,
                      error_quote(quoted, name), nearest);
    else if (kind->options)
        error_invalid(error, "%s has no option '%s'; it has %s", kind->name,
                      error_quote(quoted, name), player_options_text(kind, text));
    else
        error_invalid(error, "%s has no options (got '%s')", kind->name, error_quote(quoted, name));
    return NULL;
}

/* Cuts "name" or "name=value" off the front of a list separated by commas. */
static char *next_item(char **rest, char **value)
{
    char *name = strsep(rest, ",");
    *value = name;
    name = strsep(value, "=");
    return name;
}

/* A search that lasts as long as it may takes one limit at most. */
static bool check_limits(const TurfPlayer *player, unsigned given, TurfError *error)
{
    const PlayerOption *option;
    const char         *names[N_OPTIONS + 1] = {NULL};
    char                list[MAX_LIST_BYTES];
    size_t              n_limits = 0, n_given = 0;
    for (size_t i = 0; (option = player_kind_option(player->kind, &i));)
        if (option->is_limit) {
            names[n_limits++] = option->name;
            n_given += (given & option->id) != 0;
        }
    if (!player->kind->uses_clock || n_given <= 1)
        return true;
    return error_invalid(error, "%s takes one limit only: %s", player->kind->name,
                         list_names(names, list));
}

bool player_options_read(TurfPlayer *player, char *text, TurfError *error)
{
    unsigned given = 0;
    for (char *rest = text; rest && *rest;) {
        char               *value, *name = next_item(&rest, &value);
        const PlayerOption *option = find_option(player->kind, name, error);
        if (!option)
            return false;
        if (given & option->id)
            return error_invalid(error, "%s is given twice", option->name);
        given |= option->id;
        if (!player_option_read(option, player->game, value, &player->options, error))
            return false;
    }
    return check_limits(player, given, error);
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Does it differ from the default? */
static bool is_set(const PlayerOption *option, const TurfPlayer *player)
{
    if (option->type == OPTION_FILE)
        return path_of(option, &player->options) != NULL;
    return value_of(option, &player->options) != value_of(option, &player->kind->defaults);
}

static void write_value(const PlayerOption *option, const TurfPlayer *player, FILE *out)
{
    const char *const *names = player_option_names(option, player->game);
    int64_t            value = option->type == OPTION_FILE ? 0 : value_of(option, &player->options);
    const char        *separator = "";
    switch (option->type) {
    case OPTION_INTEGER: fprintf(out, "%lld", (long long)value); break;
    case OPTION_CHOICE: fputs(names[value], out); break;
    case OPTION_TERMS:
        for (size_t i = 0; names[i]; i++)
            if (value >> i & 1) {
                fprintf(out, "%s%s", separator, names[i]);
                separator = "+";
            }
        break;
    case OPTION_FILE: fputs(path_of(option, &player->options), out); break;
    }
}

void player_options_write(const TurfPlayer *player, FILE *out)
{
    char separator = ':';
    for (size_t i = 0; i < N_OPTIONS; i++) {
        const PlayerOption *option = &table[i];
        if (!is_set(option, player))
            continue;
        fputc(separator, out);
        if (option->id != OPTION_LEVEL)
            fprintf(out, "%s=", option->name);
        write_value(option, player, out);
        separator = ',';
    }
}

static size_t write_form(const PlayerOption *option, char *text, size_t room)
{
    if (option->unit)
        return (size_t)snprintf(text, room, "%s", option->unit);
    if (option->type == OPTION_INTEGER)
        return (size_t)snprintf(text, room, "%lld..%lld", (long long)option->min,
                                (long long)option->max);
    size_t used = 0;
    for (size_t i = 0; option->values[i]; i++)
        used += (size_t)snprintf(text + used, room - used, "%s%s", i ? "|" : "", option->values[i]);
    return used;
}

const char *player_options_text(const PlayerKind *kind, char text[PLAYER_OPTIONS_BYTES])
{
    const PlayerOption *option;
    size_t              used = 0;
    text[0] = '\0';
    for (size_t i = 0; (option = player_kind_option(kind, &i));) {
        int64_t default_ = option->type == OPTION_INTEGER ? player_option_default(kind, option) : 0;
        if (option->id != OPTION_LEVEL)
            used += (size_t)snprintf(text + used, PLAYER_OPTIONS_BYTES - used,
                                     "%s%s=", used ? ", " : "", option->name);
        used += write_form(option, text + used, PLAYER_OPTIONS_BYTES - used);
        if (default_)
            used += (size_t)snprintf(text + used, PLAYER_OPTIONS_BYTES - used, " (%lld)",
                                     (long long)default_);
    }
    return text;
}
