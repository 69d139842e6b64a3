/* Making a player from its description, NAME=KIND:option=value,... */
#include "players/player.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_KINDS = 32, MOST_NAME = 40 };

/* Takes "word" or "word=value" off the front of a list separated by commas. */
static char *next_option(char **rest, char **value)
{
    char *option = *rest, *comma = strchr(option, ',');
    *rest = comma ? comma + 1 : option + strlen(option);
    if (comma)
        *comma = '\0';
    *value = strchr(option, '=');
    if (*value)
        *(*value)++ = '\0';
    return option;
}

static bool set_depth(TurfPlayer *player, const char *value, TurfError *error)
{
    char *end = NULL;
    long  depth = value ? strtol(value, &end, 10) : 0;
    char  quoted[ERROR_QUOTE_BYTES];
    if (!value || end == value || *end || depth < 1 || depth > LOOKAHEAD_DEEPEST)
        return error_set(error, "depth=%s: the depth is a whole number from 1 to %d, like depth=2",
                         error_quote(quoted, value ? value : ""), LOOKAHEAD_DEEPEST);
    player->lookahead.depth = (int)depth;
    return true;
}

static bool set_option(TurfPlayer *player, const char *option, const char *value, TurfError *error)
{
    const char *known = player->kind->options;
    char        quoted[ERROR_QUOTE_BYTES], wanted[32];
    snprintf(wanted, sizeof wanted, "%.28s=", option);
    if (!known)
        return error_set(error, "%s takes no options (got '%s')", player->kind->name, error_quote(quoted, option));
    const char *found = *option ? strstr(known, wanted) : NULL;
    if (!found || (found > known && found[-1] != ' '))
        return error_set(error, "%s has no option '%s'; it has %s", player->kind->name, error_quote(quoted, option),
                         known);
    if (!strcmp(option, "depth"))
        return set_depth(player, value, error);
    if (value && !strcmp(option, "ties") && (!strcmp(value, "first") || !strcmp(value, "random"))) {
        player->ties = !strcmp(value, "random") ? TIES_RANDOM : TIES_FIRST;
        return true;
    }
    if (value && !strcmp(option, "wins") && (!strcmp(value, "measure") || !strcmp(value, "beyond"))) {
        player->lookahead.wins_beyond = !strcmp(value, "beyond");
        return true;
    }
    return error_set(error, "%s cannot be '%s'; %s has the options %s", option, error_quote(quoted, value ? value : ""),
                     player->kind->name, known);
}

static const PlayerKind *find_kind(const char *name, TurfError *error)
{
    const char       *names[MOST_KINDS];
    const PlayerKind *kind;
    size_t            n_kinds = 0;
    char              list[256] = "", quoted[ERROR_QUOTE_BYTES];
    size_t            used = 0;
    for (; (kind = player_kind_at(n_kinds)) && n_kinds < MOST_KINDS; n_kinds++) {
        names[n_kinds] = kind->name;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", n_kinds ? ", " : "", kind->name);
        if (kind->alias && !strcmp(kind->alias, name))
            return kind;
    }
    int found = name_find(name, names, n_kinds);
    if (found >= 0)
        return player_kind_at((size_t)found);
    error_set(error, "there is no player '%s'; choose from %s", error_quote(quoted, name), list);
    return NULL;
}

/* The one way to write a player: the options that differ from the kind's own, in a fixed order. */
static char *write_spec(const TurfPlayer *player)
{
    char   text[128];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", player->kind->name);
    char   separator = ':';
    if (player->lookahead.depth != player->kind->lookahead.depth) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%cdepth=%d", separator, player->lookahead.depth);
        separator = ',';
    }
    if (player->ties == TIES_RANDOM) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%cties=random", separator);
        separator = ',';
    }
    if (player->lookahead.wins_beyond != player->kind->lookahead.wins_beyond)
        snprintf(text + used, sizeof text - used, "%cwins=%s", separator,
                 player->lookahead.wins_beyond ? "beyond" : "measure");
    return strdup(text);
}

/* Where the description proper begins: after NAME=, if there is one. */
static const char *skip_name(const char *spec)
{
    size_t length = strcspn(spec, ":=");
    return spec[length] == '=' ? spec + length + 1 : spec;
}

/* Names are shown in tables and written to JSON: printable UTF-8 and not too long. `length` counts the
 * '=' too; 0 means that no name is given. */
static bool is_good_name(const char *name, size_t length)
{
    if (length == 0)
        return true;
    length--;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)name[i] < 0x20 || name[i] == 0x7f)
            return false;
    json_t *json = json_stringn(name, length); /* NULL unless it is UTF-8 */
    json_decref(json);
    return json && length > 0 && length <= MOST_NAME;
}

static bool configure(TurfPlayer *player, char *description, TurfError *error)
{
    char *options = strchr(description, ':');
    if (options)
        *options++ = '\0';
    player->kind = find_kind(description, error);
    if (!player->kind)
        return false;
    player->lookahead = player->kind->lookahead;
    while (options && *options) {
        char *value, *option = next_option(&options, &value);
        if (!set_option(player, option, value, error))
            return false;
    }
    return true;
}

TurfPlayer *turf_player_open(const TurfGame *game, const char *spec, TurfError *error)
{
    const char *description = skip_name(spec);
    if (!is_good_name(spec, (size_t)(description - spec))) {
        error_set(error, "a player's name is 1 to %d printable characters before the '='", MOST_NAME);
        return NULL;
    }
    TurfPlayer *player = calloc(1, sizeof *player);
    char       *copy = strdup(description);
    bool        is_good = player && copy;
    if (!is_good) {
        error_set(error, "out of memory");
    } else if ((is_good = configure(player, copy, error))) {
        player->game = game;
        player->search = lookahead_for(game);
        player->spec = write_spec(player);
        size_t name_length = (size_t)(description - spec);
        player->name = name_length > 1 ? strndup(spec, name_length - 1) : player->spec ? strdup(player->spec) : NULL;
        if (!player->spec || !player->name)
            is_good = error_set(error, "out of memory");
    }
    free(copy);
    if (is_good)
        return player;
    turf_player_free(player);
    return NULL;
}

static TurfMove choose_custom(const TurfPlayer *player, const void *state, const Thinking *thinking)
{
    return player->chooser(player->context, player->game, state, thinking->rng);
}

static Verdict judge_custom(const TurfPlayer *player, const void *state, bool want_all, TurfMove *moves)
{
    (void)want_all;
    TurfRng rng = turf_rng(player->game->hash(state));
    moves[0] = choose_custom(player, state, &(Thinking){.rng = &rng});
    return (Verdict){.n_moves = 1};
}

TurfPlayer *turf_player_custom(const TurfGame *game, const char *name, TurfChooser *choose, void *context,
                               TurfError *error)
{
    static const PlayerKind custom = {.name = "custom", .judge = judge_custom, .choose = choose_custom};
    TurfPlayer             *player = calloc(1, sizeof *player);
    if (player) {
        *player = (TurfPlayer){.game = game, .kind = &custom, .chooser = choose, .context = context};
        player->name = strdup(name);
        player->spec = strdup(name);
    }
    if (player && player->name && player->spec)
        return player;
    error_set(error, "out of memory");
    turf_player_free(player);
    return NULL;
}

void turf_player_free(TurfPlayer *player)
{
    if (!player)
        return;
    free(player->name);
    free(player->spec);
    free(player);
}

const char *turf_player_name(const TurfPlayer *player) { return player->name; }

TurfMove turf_player_choose(const TurfPlayer *player, const TurfState *state, TurfRng *rng)
{
    return player->kind->choose(player, state, &(Thinking){.rng = rng});
}

bool player_is_random(const TurfPlayer *player) { return player->kind == player_kind_at(0); }

Verdict player_judge(const TurfPlayer *player, const void *state, bool want_all, TurfMove *moves)
{
    return player->kind->judge(player, state, want_all, moves);
}
