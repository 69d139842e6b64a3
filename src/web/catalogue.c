#include "web/catalogue.h"

#include "base/error.h"
#include "base/checked_json.h"

#include <stdlib.h>
#include <string.h>

/* Options that a browser may set, and how far: nobody may keep the server busy for minutes with a
 * move. */
static const struct {
    const char *name;
    int64_t     max;
} settable[] = {{"depth", 4}, {"time", 5000}, {"ties", 0}, {"wins", 0}};

/* ---- options ------------------------------------------------------------------------------ */

/* One option of a kind, as the kind's own list of them says: depth=1..20, ties=first|random,
 * time=MS (100). */
typedef struct OptionForm {
    char    name[24];
    bool    is_word, has_default;
    int64_t min, max, default_;
    char    words[2][24];
    int     default_word;
} OptionForm;

static bool limit(OptionForm *form)
{
    for (size_t i = 0; i < sizeof settable / sizeof settable[0]; i++)
        if (!strcmp(settable[i].name, form->name)) {
            if (!form->is_word && form->max > settable[i].max)
                form->max = settable[i].max;
            return true;
        }
    return false;
}

static void find_default(const PlayerKind *kind, const TurfGame *game, OptionForm *form)
{
    const PlayerOptions *default_ = &kind->defaults;
    if (!strcmp(form->name, "depth") && default_->lookahead.depth > 0) {
        form->has_default = true;
        form->default_ = default_->lookahead.depth;
    } else if (!strcmp(form->name, "ties")) {
        form->default_word = default_->ties == TIES_RANDOM;
    } else if (!strcmp(form->name, "wins")) {
        form->default_word = default_->lookahead.wins_beyond && !game->is_on_points;
    }
}

/* Takes the next option off a kind's list; false at the end. Those that a browser may not set are
 * passed over. */
static bool next_form(const char **rest, const PlayerKind *kind, const TurfGame *game,
                      OptionForm *form)
{
    while (*rest && **rest) {
        char        item[96], *value;
        const char *end = strstr(*rest, ", ");
        size_t      length = end ? (size_t)(end - *rest) : strlen(*rest);
        snprintf(item, sizeof item, "%.*s", (int)length, *rest);
        *rest = end ? end + 2 : *rest + length;
        if (!(value = strchr(item, '=')))
            continue;
        *value++ = '\0';
        *form = (OptionForm){.min = 1, .max = INT64_MAX};
        snprintf(form->name, sizeof form->name, "%.23s", item);
        char *bar = strchr(value, '|'), *dots = strstr(value, ".."), *default_ = strchr(value, '(');
        if (bar) {
            *bar = '\0';
            form->is_word = true;
            snprintf(form->words[0], sizeof form->words[0], "%.23s", value);
            snprintf(form->words[1], sizeof form->words[1], "%.23s", bar + 1);
        } else if (dots) {
            form->min = strtoll(value, NULL, 10);
            form->max = strtoll(dots + 2, NULL, 10);
        } else if (default_) {
            form->has_default = true;
            form->default_ = strtoll(default_ + 1, NULL, 10);
        }
        if (!limit(form))
            continue;
        find_default(kind, game, form);
        return true;
    }
    return false;
}

static json_t *form_json(const OptionForm *form)
{
    json_t *json =
        json_pack("{s:s,s:s}", "name", form->name, "kind", form->is_word ? "word" : "number");
    if (form->is_word) {
        json_put(&json, "words", json_pack("[s,s]", form->words[0], form->words[1]));
        json_put(&json, "default", json_string(form->words[form->default_word]));
    } else {
        json_put(&json, "least", json_integer(form->min));
        json_put(&json, "most", json_integer(form->max));
        if (form->has_default)
            json_put(&json, "default", json_integer(form->default_));
    }
    return json;
}

/* ",name=value" if the browser chose one; false if it cannot be that. */
static bool write_option(FILE *out, const OptionForm *form, const json_t *value, TurfError *error)
{
    json_int_t  number = json_integer_value(value);
    const char *word = json_string_value(value);
    if (form->is_word) {
        if (!word || (strcmp(word, form->words[0]) && strcmp(word, form->words[1])))
            return error_invalid(error, "the option '%s' is \"%s\" or \"%s\"", form->name,
                                 form->words[0], form->words[1]);
        fprintf(out, "%s=%s", form->name, word);
        return true;
    }
    if (!json_is_integer(value) || number < form->min || number > form->max)
        return error_invalid(error, "the option '%s' is a whole number from %lld to %lld here",
                             form->name, (long long)form->min, (long long)form->max);
    fprintf(out, "%s=%lld", form->name, (long long)number);
    return true;
}

char *catalogue_spec(const RosterEntry *entry, const TurfGame *game, const json_t *options,
                     TurfError *error)
{
    size_t n_given = json_object_size(options), n_used = 0, length;
    char  *text = NULL;
    FILE  *out = open_memstream(&text, &length);
    bool   is_good = out || error_no_memory(error);
    if (!is_good)
        return NULL;
    fputs(entry->spec, out);
    OptionForm  form;
    const char *rest = entry->is_allowed || entry->level ? NULL : entry->kind->options;
    while (is_good && next_form(&rest, entry->kind, game, &form)) {
        const json_t *value = json_object_get(options, form.name);
        if (!value)
            continue;
        fputc(n_used++ ? ',' : ':', out);
        is_good = write_option(out, &form, value, error);
    }
    bool is_written = !ferror(out);
    if ((fclose(out) || !is_written || !text) && is_good)
        is_good = error_no_memory(error);
    if (is_good && n_used != n_given)
        is_good = error_invalid(error, "the player '%.40s' has no such option here", entry->id);
    if (is_good)
        return text;
    free(text);
    return NULL;
}

/* ---- the list ----------------------------------------------------------------------------- */

static void free_entry(RosterEntry *entry)
{
    free(entry->id);
    free(entry->spec);
    free(entry->canonical);
}

/* The entry is the catalogue's from then on, or freed. */
static bool add(PlayerCatalogue *catalogue, RosterEntry *entry, TurfError *error)
{
    if (catalogue->n_entries == catalogue->room) {
        size_t       room = catalogue->room ? 2 * catalogue->room : 16;
        RosterEntry *entries = realloc(catalogue->entries, room * sizeof *entries);
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

/* The levels of a game, weakest first, as many as there are. */
static bool add_levels(PlayerCatalogue *catalogue, const PlayerKind *kind, const TurfGame *game,
                       TurfError *error)
{
    enum { MAX_LEVELS = 20 };
    for (int level = 1; level <= MAX_LEVELS; level++) {
        RosterEntry entry = {.kind = kind, .only_game = game, .level = level};
        char        spec[32], id[32];
        TurfError   unused;
        snprintf(spec, sizeof spec, "level:%d", level);
        snprintf(id, sizeof id, "level-%d", level);
        TurfPlayer *player = turf_player_open(game, spec, &unused);
        if (!player)
            break;
        turf_player_free(player);
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
        for (size_t g = 0; turf_game_at(g) && !strcmp(kind->name, "level"); g++)
            if (player_kind_plays(kind, turf_game_at(g)) &&
                !add_levels(catalogue, kind, turf_game_at(g), error))
                return false;
    for (size_t i = 0; (kind = player_kind_at(i)); i++) {
        if (kind->is_bot || !strcmp(kind->name, "level"))
            continue;
        RosterEntry entry = {.id = strdup(kind->name), .spec = strdup(kind->name), .kind = kind};
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
    const char *typed = text;
    RosterEntry entry = {.is_allowed = true};
    TurfPlayer *player = NULL;
    TurfError   why = {0};
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
        const RosterEntry *other = &catalogue->entries[i];
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

bool catalogue_plays(const RosterEntry *entry, const TurfGame *game)
{
    return (!entry->only_game || entry->only_game == game) && player_kind_plays(entry->kind, game);
}

const RosterEntry *catalogue_find(const PlayerCatalogue *catalogue, const TurfGame *game,
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
        const RosterEntry *entry = &catalogue->entries[i];
        if (entry->canonical && catalogue_plays(entry, game) &&
            !strcmp(entry->canonical, canonical))
            return true;
    }
    return false;
}

bool catalogue_has_bots(const PlayerCatalogue *catalogue)
{
    for (size_t i = 0; i < catalogue->n_entries; i++)
        if (catalogue->entries[i].kind->is_bot)
            return true;
    return false;
}

static json_t *entry_json(const RosterEntry *entry, const TurfGame *game)
{
    json_t     *options = json_array();
    OptionForm  form;
    const char *rest = entry->is_allowed || entry->level ? NULL : entry->kind->options;
    while (next_form(&rest, entry->kind, game, &form))
        json_add(&options, form_json(&form));
    const char *summary = entry->level
                              ? "from level 1, mostly luck, to the highest, the best there is"
                          : !entry->is_allowed  ? entry->kind->summary
                          : entry->kind->is_bot ? "a program that the owner of this server allows"
                                                : "a player that the owner of this server allows";
    json_t     *json = json_pack("{s:s,s:s,s:s,s:o}", "id", entry->id, "summary", summary, "kind",
                             entry->is_allowed ? "allowed"
                                 : entry->level    ? "level"
                                                   : "strategy",
                                 "options", options);
    if (entry->level)
        json_put(&json, "level", json_integer(entry->level));
    return json;
}

json_t *catalogue_json(const PlayerCatalogue *catalogue, const TurfGame *game)
{
    json_t *list = json_array();
    for (size_t i = 0; i < catalogue->n_entries; i++)
        if (catalogue_plays(&catalogue->entries[i], game))
            json_add(&list, entry_json(&catalogue->entries[i], game));
    return list;
}
