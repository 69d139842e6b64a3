/* The players that browsers may choose, and the options they may set.
 *
 * Invariant: a description is made of an entry's own text and of options checked here, never of
 * text that a browser sent. Read-only once it is opened, so no locks. */
#include "web/catalogue.h"

#include "base/checked_json.h"
#include "base/error.h"
#include "players/player_options.h"

#include <stdlib.h>
#include <string.h>

/* ---- options ------------------------------------------------------------------------------ */

/* The options that a browser may set, and how high: a move must not keep the server busy for
 * minutes. */
static const struct {
    PlayerOptionId id;
    int64_t        max;
} settable[] = {{OPTION_DEPTH, 4}, {OPTION_TIME, 5000}, {OPTION_TIES, 0}, {OPTION_WINS, 0}};

/* The next option of an entry that a browser may set, with its limited range, from *index on;
 * false past the last. */
static bool next_option(const CatalogueEntry *entry, size_t *index, PlayerOption *limited)
{
    const PlayerOption *option;
    if (entry->is_allowed || entry->level)
        return false;
    while ((option = player_kind_option(entry->kind, index)))
        for (size_t i = 0; i < sizeof settable / sizeof settable[0]; i++)
            if (settable[i].id == option->id) {
                *limited = *option;
                if (limited->max > settable[i].max)
                    limited->max = settable[i].max;
                return true;
            }
    return false;
}

static json_t *option_json(const PlayerKind *kind, const PlayerOption *option)
{
    int64_t default_ = player_option_default(kind, option);
    bool    is_choice = option->type == OPTION_CHOICE;
    json_t *json = json_pack("{s:s,s:s,s:s}", "name", option->name, "type",
                             is_choice ? "choice" : "integer", "help", option->help);
    if (is_choice) {
        json_t *values = json_array();
        for (size_t i = 0; option->values[i]; i++)
            json_add(&values, json_string(option->values[i]));
        json_put(&json, "values", values);
        json_put(&json, "default", json_string(option->values[default_]));
        return json;
    }
    json_put(&json, "min", json_integer(option->min));
    json_put(&json, "max", json_integer(option->max));
    if (default_)
        json_put(&json, "default", json_integer(default_));
    return json;
}

/* Writes "name=value"; false if it cannot be that. */
static bool write_option(FILE *out, const PlayerOption *option, const TurfGame *game,
                         const json_t *value, TurfError *error)
{
    char          digits[24];
    PlayerOptions unused = {0};
    const char   *text = json_string_value(value);
    bool          is_choice = option->type == OPTION_CHOICE;
    if (json_is_integer(value)) {
        snprintf(digits, sizeof digits, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        text = digits;
    }
    if (!is_choice && !json_is_integer(value)) /* "3" is no integer in JSON */
        text = NULL;
    if (!player_option_read(option, game, text, &unused, error))
        return false;
    fprintf(out, "%s=%s", option->name, text);
    return true;
}

/* Names the first option that a browser may not set. */
static bool refuse_unknown(const CatalogueEntry *entry, const json_t *options, TurfError *error)
{
    const char   *name;
    const json_t *value;
    char          quoted[ERROR_QUOTE_BYTES];
    json_object_foreach((json_t *)(uintptr_t)options, name, value)
    {
        bool         is_known = false;
        PlayerOption option;
        for (size_t i = 0; !is_known && next_option(entry, &i, &option);)
            is_known = !strcmp(option.name, name);
        if (!is_known)
            return error_invalid(error, "%.40s has no option '%s' on this server", entry->id,
                                 error_quote(quoted, name));
    }
    return true;
}

char *catalogue_spec(const CatalogueEntry *entry, const TurfGame *game, const json_t *options,
                     TurfError *error)
{
    size_t n_used = 0, length;
    char  *text = NULL;
    FILE  *out = open_memstream(&text, &length);
    bool   is_good = out || error_no_memory(error);
    if (!is_good)
        return NULL;
    fputs(entry->spec, out);
    PlayerOption option;
    for (size_t i = 0; is_good && next_option(entry, &i, &option);) {
        const json_t *value = json_object_get(options, option.name);
        if (!value)
            continue;
        fputc(n_used++ ? ',' : ':', out);
        is_good = write_option(out, &option, game, value, error);
    }
    bool is_written = !ferror(out);
    if ((fclose(out) || !is_written || !text) && is_good)
        is_good = error_no_memory(error);
    if (is_good && n_used != json_object_size(options))
        is_good = refuse_unknown(entry, options, error);
    if (is_good)
        return text;
    free(text);
    return NULL;
}

/* ---- the list ----------------------------------------------------------------------------- */

static void free_entry(CatalogueEntry *entry)
{
    free(entry->id);
    free(entry->spec);
    free(entry->canonical);
}

/* The entry is the catalogue's from then on, or freed. */
static bool add(PlayerCatalogue *catalogue, CatalogueEntry *entry, TurfError *error)
{
    if (catalogue->n_entries == catalogue->room) {
        size_t          room = catalogue->room ? 2 * catalogue->room : 16;
        CatalogueEntry *entries = realloc(catalogue->entries, room * sizeof *entries);
        if (!entries) {
            free_entry(entry);
            return error_no_memory(error);
        }
        catalogue->entries = entries;
        catalogue->room = room;
    }
    catalogue->entries[catalogue->n_entries++] = *entry;
    return (entry->id && entry->spec) || error_no_memory(error);
}

/* The levels of a game, weakest first. None is opened to see whether it can be: that takes memory
 * for its tables, and in a browser most of the time until the page answers. */
static bool add_levels(PlayerCatalogue *catalogue, const PlayerKind *kind, const TurfGame *game,
                       TurfError *error)
{
    size_t              index = 0;
    const PlayerOption *levels = player_kind_option(kind, &index);
    for (int level = (int)levels->min; level <= levels->max; level++) {
        CatalogueEntry entry = {.kind = kind, .only_game = game, .level = level};
        char           spec[32], id[32];
        snprintf(spec, sizeof spec, "level:%d", level);
        snprintf(id, sizeof id, "level-%d", level);
        entry.id = strdup(id);
        entry.spec = strdup(spec);
        if (!add(catalogue, &entry, error))
            return false;
    }
    return true;
}

static bool add_built_in(PlayerCatalogue *catalogue, TurfError *error)
{
    const PlayerKind *kind;
    for (size_t i = 0; (kind = player_kind_at(i)); i++)
        for (size_t g = 0; turf_game_at(g) && kind->options == OPTION_LEVEL; g++)
            if (player_kind_plays(kind, turf_game_at(g)) &&
                !add_levels(catalogue, kind, turf_game_at(g), error))
                return false;
    for (size_t i = 0; (kind = player_kind_at(i)); i++) {
        if (kind->is_external || kind->options == OPTION_LEVEL)
            continue;
        CatalogueEntry entry = {.id = strdup(kind->name), .spec = strdup(kind->name), .kind = kind};
        if (!add(catalogue, &entry, error))
            return false;
    }
    return true;
}

/* GAME/ before a description, if there is one: a slash before the name or the kind ends. */
static bool read_game_before(const char **text, const TurfGame **game, TurfError *error)
{
    size_t length = strcspn(*text, "/=:");
    *game = NULL;
    if (length == 0 || (*text)[length] != '/')
        return true;
    char *name = strndup(*text, length);
    if (!name)
        return error_no_memory(error);
    *game = turf_game_find(name, error);
    free(name);
    *text += length + 1;
    return *game != NULL;
}

static bool add_allowed(PlayerCatalogue *catalogue, const char *text, TurfError *error)
{
    const char    *typed = text;
    CatalogueEntry entry = {.is_allowed = true};
    TurfPlayer    *player = NULL;
    TurfError      why = {0};
    if (read_game_before(&text, &entry.only_game, &why))
        entry.kind = player_kind_named(entry.only_game, text, &why);
    /* It must be good for at least one game, and its kind is the same in all. */
    for (size_t i = 0; turf_game_at(i) && entry.kind && !player; i++)
        if (catalogue_plays(&entry, turf_game_at(i)))
            player = turf_player_open(turf_game_at(i), text, &why);
    if (!player)
        return error_invalid(error, "--allow %.60s: %.300s", typed, why.text);
    entry.id = strdup(turf_player_name(player));
    entry.spec = strdup(text);
    entry.canonical = strdup(player->spec);
    turf_player_free(player);
    for (size_t i = 0; i < catalogue->n_entries && entry.id; i++) {
        const CatalogueEntry *other = &catalogue->entries[i];
        if (!strcmp(other->id, entry.id) &&
            (!other->only_game || !entry.only_game || other->only_game == entry.only_game)) {
            error_invalid(
                error,
                "--allow %.60s: there is a player '%.40s' already; give it a name, NAME=SPEC",
                typed, entry.id);
            free_entry(&entry);
            return false;
        }
    }
    return add(catalogue, &entry, error);
}

bool catalogue_open(PlayerCatalogue *catalogue, const char *const *allowed, size_t n_allowed,
                    TurfError *error)
{
    *catalogue = (PlayerCatalogue){.entries = NULL};
    bool is_good = add_built_in(catalogue, error);
    for (size_t i = 0; i < n_allowed && is_good; i++)
        is_good = add_allowed(catalogue, allowed[i], error);
    if (!is_good)
        catalogue_release(catalogue);
    return is_good;
}

void catalogue_release(PlayerCatalogue *catalogue)
{
    for (size_t i = 0; i < catalogue->n_entries; i++)
        free_entry(&catalogue->entries[i]);
    free(catalogue->entries);
    *catalogue = (PlayerCatalogue){.entries = NULL};
}

bool catalogue_plays(const CatalogueEntry *entry, const TurfGame *game)
{
    return (!entry->only_game || entry->only_game == game) && player_kind_plays(entry->kind, game);
}

const CatalogueEntry *catalogue_find(const PlayerCatalogue *catalogue, const TurfGame *game,
                                     const char *id)
{
    for (size_t i = 0; i < catalogue->n_entries; i++)
        if (!strcmp(catalogue->entries[i].id, id) && catalogue_plays(&catalogue->entries[i], game))
            return &catalogue->entries[i];
    return NULL;
}

bool catalogue_allows(const PlayerCatalogue *catalogue, const TurfGame *game, const char *canonical)
{
    for (size_t i = 0; i < catalogue->n_entries; i++) {
        const CatalogueEntry *entry = &catalogue->entries[i];
        if (entry->canonical && catalogue_plays(entry, game) &&
            !strcmp(entry->canonical, canonical))
            return true;
    }
    return false;
}

bool catalogue_has_bots(const PlayerCatalogue *catalogue)
{
    for (size_t i = 0; i < catalogue->n_entries; i++)
        if (catalogue->entries[i].kind->is_external)
            return true;
    return false;
}

static const char *entry_kind(const CatalogueEntry *entry)
{
    if (entry->is_allowed)
        return "allowed";
    return entry->level ? "level" : "strategy";
}

static const char *entry_summary(const CatalogueEntry *entry)
{
    if (entry->level)
        return "from level 1, mostly luck, to the highest, the best there is";
    if (!entry->is_allowed)
        return entry->kind->summary;
    return entry->kind->is_external ? "a program that the owner of this server allows"
                                    : "a player that the owner of this server allows";
}

static json_t *entry_json(const CatalogueEntry *entry)
{
    json_t      *options = json_array();
    PlayerOption option;
    for (size_t i = 0; next_option(entry, &i, &option);)
        json_add(&options, option_json(entry->kind, &option));
    json_t *json = json_pack("{s:s,s:s,s:s,s:o}", "id", entry->id, "summary", entry_summary(entry),
                             "kind", entry_kind(entry), "options", options);
    if (entry->level)
        json_put(&json, "level", json_integer(entry->level));
    return json;
}

json_t *catalogue_json(const PlayerCatalogue *catalogue, const TurfGame *game)
{
    json_t *list = json_array();
    for (size_t i = 0; i < catalogue->n_entries; i++)
        if (catalogue_plays(&catalogue->entries[i], game))
            json_add(&list, entry_json(&catalogue->entries[i]));
    return list;
}
