/* Making a player from its description, NAME=KIND:option=value,... */
#include "players/player.h"

#include "base/error.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "players/alphabeta_player.h"
#include "players/levels.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_KINDS = 32 };

/* ---- options ------------------------------------------------------------------------------ */

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

static bool read_whole(const char *option, const char *value, int64_t min, int64_t max,
                       int64_t *number, TurfError *error)
{
    char     *end = NULL, quoted[ERROR_QUOTE_BYTES];
    long long read = value ? strtoll(value, &end, 10) : 0;
    if (!value || end == value || *end || read < min || read > max)
        return error_invalid(error, "%s=%s: that is a whole number from %lld to %lld", option,
                             error_quote(quoted, value ? value : ""), (long long)min,
                             (long long)max);
    *number = read;
    return true;
}

/* One of two words; `second` tells which. */
static bool read_choice(const PlayerKind *kind, const char *option, const char *value,
                        const char *const words[2], bool *second, TurfError *error)
{
    char quoted[ERROR_QUOTE_BYTES];
    if (!value || (strcmp(value, words[0]) && strcmp(value, words[1])))
        return error_invalid(error, "%s cannot be '%s'; %s has the options %s", option,
                             error_quote(quoted, value ? value : ""), kind->name, kind->options);
    *second = !strcmp(value, words[1]);
    return true;
}

const char *turf_forfeit_name(TurfForfeit forfeit)
{
    static const char *const names[TURF_N_FORFEITS] = {
        "timeout", "crash", "disconnected", "illegal", "garbage", "flood", "memory"};
    return (unsigned)forfeit < TURF_N_FORFEITS ? names[forfeit] : NULL;
}

static const char *const ties_words[2] = {"first", "random"}, *const wins_words[2] = {"measure",
                                                                                      "beyond"};

/* `given` are the options so far, a bit for each in the order in which the kind lists them. */
static bool set_option(TurfPlayer *player, const char *option, const char *value, uint64_t *given,
                       TurfError *error)
{
    const PlayerKind *kind = player->kind;
    PlayerOptions    *options = &player->options;
    char              quoted[ERROR_QUOTE_BYTES], wanted[32];
    if (!kind->options)
        return error_invalid(error, "%s takes no options (got '%s')", kind->name,
                             error_quote(quoted, option));
    snprintf(wanted, sizeof wanted, "%.28s=", option);
    const char *found = *option ? strstr(kind->options, wanted) : NULL;
    if (!found || (found > kind->options && found[-1] != ' '))
        return error_invalid(error, "%s has no option '%s'; it has %s", kind->name,
                             error_quote(quoted, option), kind->options);
    uint64_t bit = 1;
    for (const char *at = kind->options; at < found; at++)
        bit <<= *at == ' ';
    if (*given & bit)
        return error_invalid(error, "%s has the option '%s' once only", kind->name, option);
    *given |= bit;

    int64_t number = 0;
    bool    is_second = false;
    if (!strcmp(option, "depth")) {
        if (!read_whole(option, value, 1, LOOKAHEAD_MAX_DEPTH, &number, error))
            return false;
        options->lookahead.depth = (int)number;
    } else if (!strcmp(option, "ties")) {
        if (!read_choice(kind, option, value, ties_words, &is_second, error))
            return false;
        options->ties = is_second ? TIES_RANDOM : TIES_FIRST;
    } else if (!strcmp(option, "wins")) {
        return read_choice(kind, option, value, wins_words, &options->lookahead.wins_beyond, error);
    } else if (!strcmp(option, "time")) {
        return read_whole(option, value, 1, 86400000, &options->time_ms, error);
    } else if (!strcmp(option, "nodes")) {
        return read_whole(option, value, 1, INT64_C(1000000000000), &options->n_nodes, error);
    } else if (!strcmp(option, "sims")) {
        return read_whole(option, value, 1, INT64_C(1000000000), &options->n_sims, error);
    } else if (!strcmp(option, "without")) {
        return alphabeta_read_terms(player->game, value, &options->without, error);
    } else if (!strcmp(option, "hash")) {
        return read_whole(option, value, 1, 1 << 20, &options->hash_mib, error);
    } else {
        assert(!strcmp(option, "threads"));
        return read_whole(option, value, 1, 64, &options->n_threads, error);
    }
    return true;
}

/* The kind's own options; but a game that is won on points is about the lead, so a won one is not
 * worth more. */
static PlayerOptions default_options(const TurfPlayer *player)
{
    PlayerOptions default_ = player->kind->defaults;
    default_.lookahead.wins_beyond &= !player->game->is_on_points;
    return default_;
}

/* The one way to write a player: the options that differ from the kind's own, in a fixed order. */
static char *write_spec(const TurfPlayer *player)
{
    const PlayerOptions *is = &player->options, defaults = default_options(player),
                        *default_ = &defaults;
    char       *text = NULL;
    size_t      length = 0;
    FILE       *out = open_memstream(&text, &length);
    const char *separator = ":";
    if (!out)
        return NULL;
    fputs(player->kind->name, out);
    if (player->command)
        fprintf(out, ":%s", player->command);
    if (player->kind->has_level)
        fprintf(out, ":%lld", (long long)is->level);
#define WRITE(differs, ...)                                                                        \
    if (differs) {                                                                                 \
        fputs(separator, out);                                                                     \
        fprintf(out, __VA_ARGS__);                                                                 \
        separator = ",";                                                                           \
    }
    WRITE(is->lookahead.depth != default_->lookahead.depth, "depth=%d", is->lookahead.depth)
    WRITE(is->time_ms != default_->time_ms, "time=%lld", (long long)is->time_ms)
    WRITE(is->n_nodes != default_->n_nodes, "nodes=%lld", (long long)is->n_nodes)
    WRITE(is->n_sims != default_->n_sims, "sims=%lld", (long long)is->n_sims)
    WRITE(is->hash_mib != default_->hash_mib, "hash=%lld", (long long)is->hash_mib)
    WRITE(is->n_threads != default_->n_threads, "threads=%lld", (long long)is->n_threads)
    if (is->without) {
        char terms[ALPHABETA_TERMS_BYTES];
        WRITE(true, "without=%s", alphabeta_write_terms(player->game, is->without, terms))
    }
    WRITE(is->ties != default_->ties, "ties=%s", ties_words[is->ties])
    WRITE(is->lookahead.wins_beyond != default_->lookahead.wins_beyond, "wins=%s",
          wins_words[is->lookahead.wins_beyond])
#undef WRITE
    bool is_whole = !ferror(out);
    if (fclose(out) == 0 && is_whole)
        return text;
    free(text);
    return NULL;
}

/* ---- kinds and names ---------------------------------------------------------------------- */

/* In a game, or in any if that is NULL. */
static const PlayerKind *find_kind(const TurfGame *game, const char *name, TurfError *error)
{
    const char       *names[MAX_KINDS];
    const PlayerKind *kinds[MAX_KINDS], *kind;
    size_t            n_kinds = 0, used = 0;
    char              list[256] = "", quoted[ERROR_QUOTE_BYTES];
    for (size_t i = 0; (kind = player_kind_at(i)) && n_kinds < MAX_KINDS; i++) {
        if (game && !player_kind_plays(kind, game))
            continue;
        if (kind->alias && !strcmp(kind->alias, name))
            return kind;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", n_kinds ? ", " : "",
                                 kind->name);
        names[n_kinds] = kind->name;
        kinds[n_kinds++] = kind;
    }
    int found = name_find(name, names, n_kinds);
    if (found >= 0)
        return kinds[found];
    error_not_found(error, "there is no player '%s'%s%s; choose from %s", error_quote(quoted, name),
                    game ? " in " : "", game ? game->name : "", list);
    return NULL;
}

/* level=3 is what people type, and a player's name before the '=' is not what they mean. */
static const char level_spec[] = "level=";

/* Where the description proper begins: after NAME=, if there is one. */
static const char *skip_name(const char *spec)
{
    size_t length = strcspn(spec, ":=");
    if (!strncmp(spec, level_spec, strlen(level_spec)))
        return spec;
    return spec[length] == '=' ? spec + length + 1 : spec;
}

const PlayerKind *player_kind_named(const TurfGame *game, const char *spec, TurfError *error)
{
    const char *description = skip_name(spec);
    bool        is_level = !strncmp(description, level_spec, strlen(level_spec));
    char       *name = strndup(description, strcspn(description, is_level ? "=" : ":"));
    if (!name) {
        error_no_memory(error);
        return NULL;
    }
    const PlayerKind *kind = find_kind(game, name, error);
    free(name);
    return kind;
}

bool player_is_good_name(const char *name, size_t length)
{
    return length > 0 && length <= utf8_front(name, MAX_NAME_LETTERS) &&
           utf8_is_printable(name, length);
}

/* ---- players ------------------------------------------------------------------------------ */

static bool configure(TurfPlayer *player, char *description, TurfError *error)
{
    if (!strncmp(description, level_spec, strlen(level_spec)))
        description[strlen(level_spec) - 1] = ':';
    char *options = strchr(description, ':');
    if (options)
        *options++ = '\0';
    player->kind = find_kind(player->game, description, error);
    if (!player->kind)
        return false;
    player->options = default_options(player);
    if (player->kind->is_bot) {
        if (!options || !*options)
            return error_invalid(error, "say which: bot:python3 my_bot.py, or tcp:9000");
        if (!utf8_is_whole(options, strlen(options))) /* it is kept and shown */
            return error_invalid(error,
                                 "the command of a bot is text in UTF-8, and this one is not");
        player->command = strdup(options);
        return player->command || error_no_memory(error);
    }
    if (player->kind->has_level)
        return options ? read_whole("level", options, LEVEL_LOWEST, LEVEL_HIGHEST,
                                    &player->options.level, error)
                       : error_invalid(error, "level wants a number from %d to %d, like level=5",
                                       LEVEL_LOWEST, LEVEL_HIGHEST);
    uint64_t given = 0;
    while (options && *options) {
        char *value, *option = next_option(&options, &value);
        if (!set_option(player, option, value, &given, error))
            return false;
    }
    const PlayerOptions *is = &player->options;
    if (player->kind->has_clock &&
        (is->lookahead.depth > 0) + (is->time_ms > 0) + (is->n_nodes > 0) + (is->n_sims > 0) > 1)
        return error_invalid(error, "give %s one limit only; it has %s", player->kind->name,
                             player->kind->options);
    player->search = lookahead_for(player->game);
    return true;
}

/* A name from any text, such as a description: cut between characters, on one line. */
static char *default_name(const char *spec)
{
    char *name = strndup(spec, utf8_front(spec, MAX_NAME_LETTERS));
    if (name)
        error_flatten(name);
    return name;
}

bool player_rename(TurfPlayer *player, const char *name)
{
    char *copy = default_name(name);
    if (!copy)
        return false;
    free(player->name);
    player->name = copy;
    return true;
}

static bool finish_opening(TurfPlayer *player, const char *name, size_t name_length,
                           TurfError *error)
{
    player->spec = write_spec(player);
    player->name = name_length > 0 ? strndup(name, name_length)
                   : player->spec  ? default_name(player->spec)
                                   : NULL;
    if (!player->spec || !player->name)
        return error_no_memory(error);
    return !player->kind->open || player->kind->open(player, error);
}

TurfPlayer *turf_player_open(const TurfGame *game, const char *spec, TurfError *error)
{
    const char *description = skip_name(spec);
    size_t      named = (size_t)(description - spec);
    if (named > 0 && !player_is_good_name(spec, named - 1)) {
        error_invalid(error, "a player's name is 1 to %d printable characters before the '='",
                      MAX_NAME_LETTERS);
        return NULL;
    }
    TurfPlayer *player = calloc(1, sizeof *player);
    char       *copy = strdup(description);
    bool        is_good = false;
    if (player && copy) {
        player->game = game;
        is_good = configure(player, copy, error) &&
                  finish_opening(player, spec, named ? named - 1 : 0, error);
    } else {
        error_no_memory(error);
    }
    free(copy);
    if (is_good)
        return player;
    turf_player_free(player);
    return NULL;
}

TurfPlayer *player_copy(const TurfPlayer *player, TurfError *error)
{
    TurfPlayer *copy = calloc(1, sizeof *copy);
    bool        is_good = copy != NULL;
    if (is_good) {
        *copy = *player;
        copy->memory = NULL;
        copy->name = strdup(player->name);
        copy->spec = strdup(player->spec);
        copy->command = player->command ? strdup(player->command) : NULL;
        is_good = copy->name && copy->spec && (copy->command || !player->command);
    }
    if (!is_good)
        error_no_memory(error);
    else if (player->kind->copy)
        is_good = player->kind->copy(player, copy, error);
    else if (player->kind->open)
        is_good = player->kind->open(copy, error);
    if (is_good)
        return copy;
    turf_player_free(copy);
    return NULL;
}

static Choice choose_custom(const TurfPlayer *player, const void *state, bool want_all,
                            const TurnContext *turn, TurfMove *moves)
{
    (void)want_all;
    moves[0] = player->chooser(player->context, player->game, state, turn->rng);
    return (Choice){.n_moves = 1};
}

TurfPlayer *turf_player_custom(const TurfGame *game, const char *name, TurfChooser *choose,
                               void *context, TurfError *error)
{
    static const PlayerKind custom = {.name = "custom", .choose_move = choose_custom};
    TurfPlayer             *player = calloc(1, sizeof *player);
    if (player) {
        *player =
            (TurfPlayer){.game = game, .kind = &custom, .chooser = choose, .context = context};
        player->name = strdup(name);
        player->spec = strdup(name);
    }
    if (player && player->name && player->spec)
        return player;
    error_no_memory(error);
    turf_player_free(player);
    return NULL;
}

void turf_player_free(TurfPlayer *player)
{
    if (!player)
        return;
    if (player->kind && player->kind->close)
        player->kind->close(player);
    free(player->command);
    free(player->name);
    free(player->spec);
    free(player);
}

const char *turf_player_name(const TurfPlayer *player) { return player->name; }

TurfMove turf_player_choose(const TurfPlayer *player, const TurfState *state, TurfRng *rng)
{
    TurfMove moves[TURF_MAX_MOVES];
    player_choose_move(player, state, false, &(TurnContext){.rng = rng}, moves);
    return moves[0];
}

bool player_is_random(const TurfPlayer *player) { return player->kind == player_kind_at(0); }

/* Or depends on which of its threads is quicker. */
static bool player_watches_clock(const TurfPlayer *player)
{
    const PlayerOptions *options = &player->options;
    return options->time_ms > 0 || (options->n_threads > 1 && options->lookahead.depth == 0) ||
           (player->kind->has_clock && options->lookahead.depth == 0 && options->n_nodes == 0 &&
            options->n_sims == 0);
}

bool player_is_deterministic(const TurfPlayer *player)
{
    if (player->kind->has_level)
        return level_is_deterministic(player);
    return !player->kind->draws_lots && !player->chooser && !player->kind->is_bot &&
           player->options.ties == TIES_FIRST && !player_watches_clock(player);
}

bool player_begin_game(TurfPlayer *player, const atomic_bool *stop, TurfError *error)
{
    return !player->kind->begin_game || player->kind->begin_game(player, stop, error);
}

void player_end_game(TurfPlayer *player, const char *reason)
{
    if (player->kind->end_game)
        player->kind->end_game(player, reason);
}

Choice player_choose_move(const TurfPlayer *player, const void *state, bool want_all,
                          const TurnContext *turn, TurfMove *moves)
{
    return player->kind->choose_move(player, state, want_all, turn, moves);
}
