/* Making players of descriptions, NAME=KIND:option=value,..., and their canonical descriptions.
 *
 * The canonical description (spec) of a player is a function of its kind and options alone. The
 * random numbers of games depend on it and stored runs hold it, so it must never change. */
#include "players/player.h"

#include "base/error.h"
#include "base/utf8.h"
#include "players/player_options.h"

#include <stdlib.h>
#include <string.h>

const char *turf_forfeit_name(TurfForfeit forfeit)
{
    static const char *const names[TURF_N_FORFEITS] = {
        "timeout", "crash", "disconnected", "illegal", "garbage", "flood", "memory"};
    return (unsigned)forfeit < TURF_N_FORFEITS ? names[forfeit] : NULL;
}

/* ---- descriptions ------------------------------------------------------------------------- */

/* The canonical description; NULL when memory is short. */
static char *write_spec(const TurfPlayer *player)
{
    char  *text = NULL;
    size_t length = 0;
    FILE  *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    fputs(player->kind->name, out);
    if (player->command)
        fprintf(out, ":%s", player->command);
    player_options_write(player, out);
    bool is_written = !ferror(out);
    if (fclose(out) == 0 && is_written)
        return text;
    free(text);
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
    const PlayerKind *kind = player_kind_find(game, name, error);
    free(name);
    return kind;
}

bool player_is_good_name(const char *name, size_t length)
{
    return length > 0 && length <= utf8_prefix(name, MAX_NAME_LETTERS) &&
           utf8_is_printable(name, length);
}

/* ---- players ------------------------------------------------------------------------------ */

static bool set_command(TurfPlayer *player, const char *command, TurfError *error)
{
    if (!command || !*command)
        return error_invalid(error, "a bot needs a command or a port: bot:python3 my_bot.py, or "
                                    "tcp:9000");
    if (!utf8_is_valid(command, strlen(command))) /* it is stored and shown */
        return error_invalid(error, "the command of a bot must be UTF-8");
    player->command = strdup(command);
    return player->command || error_no_memory(error);
}

static bool configure(TurfPlayer *player, char *description, TurfError *error)
{
    if (!strncmp(description, level_spec, strlen(level_spec)))
        description[strlen(level_spec) - 1] = ':';
    char *options = strchr(description, ':');
    if (options)
        *options++ = '\0';
    player->kind = player_kind_find(player->game, description, error);
    if (!player->kind)
        return false;
    player->options = player->kind->defaults;
    if (player->kind->is_external)
        return set_command(player, options, error);
    bool is_good;
    if (player->kind->options == OPTION_LEVEL)
        is_good =
            player_option_read(player_option_at(0), player->game, options, &player->options, error);
    else if (options && !*options)
        is_good =
            error_invalid(error, "there is no option after the colon of '%s:'; leave the colon out",
                          player->kind->name);
    else
        is_good = player_options_read(player, options, error);
    if (!is_good)
        return false;
    player->search = lookahead_for(player->game);
    return true;
}

/* A name from any text, such as a description: cut between characters, on one line. */
static char *default_name(const char *spec)
{
    char *name = strndup(spec, utf8_prefix(spec, MAX_NAME_LETTERS));
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
    if (!player->spec)
        return error_no_memory(error);
    player->name = name_length > 0 ? strndup(name, name_length) : default_name(player->spec);
    if (!player->name)
        return error_no_memory(error);
    return !player->kind->open || player->kind->open(player, error);
}

static TurfPlayer *open_player(const TurfGame *game, const char *spec, bool may_be_absent,
                               TurfError *error)
{
    if (!game || !spec) {
        error_invalid(error, "a player needs a game and a description, such as minimax");
        return NULL;
    }
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
        player->may_be_absent = may_be_absent;
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

TurfPlayer *turf_player_open(const TurfGame *game, const char *spec, TurfError *error)
{
    return open_player(game, spec, false, error);
}

TurfPlayer *player_open_any(const TurfGame *game, const char *spec, TurfError *error)
{
    return open_player(game, spec, true, error);
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
        copy->options.network = player->options.network ? strdup(player->options.network) : NULL;
        is_good = copy->name && copy->spec && (copy->command || !player->command) &&
                  (copy->options.network || !player->options.network);
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

static size_t choose_custom_cells(const TurfPlayer *player, const void *state, TurfSide side,
                                  const TurnContext *turn, TurfCell *cells)
{
    return player->cell_chooser(player->context, player->game, state, side, turn->rng, cells);
}

TurfPlayer *player_custom(const TurfGame *game, const char *name, TurfChooser *choose,
                          void *context, TurfError *error)
{
    static const PlayerKind custom = {
        .name = "custom", .choose_move = choose_custom, .choose_cells = choose_custom_cells};
    TurfPlayer *player = calloc(1, sizeof *player);
    if (player) {
        *player =
            (TurfPlayer){.game = game, .kind = &custom, .chooser = choose, .context = context};
        player->name = default_name(name);
        player->spec = strdup(name);
    }
    if (player && player->name && player->spec)
        return player;
    error_no_memory(error);
    turf_player_free(player);
    return NULL;
}

static bool check_custom(const TurfGame *game, const char *name, bool has_function,
                         TurfError *error)
{
    if (!game || !name || !has_function)
        return error_invalid(error,
                             "a custom player needs a game, a name and a function that chooses");
    if (!*name || !utf8_is_valid(name, strlen(name)))
        return error_invalid(error, "the name of a custom player must be UTF-8, and not empty");
    return true;
}

TurfPlayer *turf_player_custom(const TurfGame *game, const char *name, TurfChooser *choose,
                               void *context, TurfError *error)
{
    if (!check_custom(game, name, choose != NULL, error))
        return NULL;
    if (!game_is_simultaneous(game))
        return player_custom(game, name, choose, context, error);
    error_invalid(error, "in %s both sides move at once: use turf_player_custom_cells", game->name);
    return NULL;
}

TurfPlayer *turf_player_custom_cells(const TurfGame *game, const char *name,
                                     TurfCellChooser *choose, void *context, TurfError *error)
{
    if (!check_custom(game, name, choose != NULL, error))
        return NULL;
    if (!game_is_simultaneous(game)) {
        error_invalid(error, "in %s the sides move in turn: use turf_player_custom", game->name);
        return NULL;
    }
    TurfPlayer *player = player_custom(game, name, NULL, context, error);
    if (player)
        player->cell_chooser = choose;
    return player;
}

void turf_player_free(TurfPlayer *player)
{
    if (!player)
        return;
    if (player->kind && player->kind->close)
        player->kind->close(player);
    free(player->command);
    free(player->options.network);
    free(player->name);
    free(player->spec);
    free(player);
}

const char *turf_player_name(const TurfPlayer *player) { return player->name; }

bool player_check_cells(const TurfPlayer *player, const void *state, TurfSide side,
                        const TurfCell *cells, size_t n_cells, TurfError *error)
{
    TurfError why;
    if (!player->cell_chooser)
        return true;
    if (n_cells > TURF_MAX_CELLS)
        return error_invalid(error, "the player %s listed more than %d cells", player->name,
                             TURF_MAX_CELLS);
    if (player->game->is_legal_action(state, side, &(TurfAction){cells, n_cells}, &why))
        return true;
    return error_invalid(error, "the player %s chose illegal cells: %.300s", player->name,
                         why.text);
}

/* Only a run begins and ends the games of an external player. */
bool player_can_choose(const TurfPlayer *player, const TurfState *state, const TurfRng *rng,
                       const void *chosen, TurfError *error)
{
    TurfEnding ending;
    if (!player || !state || !rng || !chosen)
        return error_invalid(error, "a choice needs a player, a position, a random number "
                                    "generator and room for the answer");
    if (player->kind->is_external)
        return error_invalid(error, "%s is a bot, which plays in runs only", player->name);
    if (player->game->is_over(state, &ending))
        return error_invalid(error, "the game is over");
    return true;
}

bool player_choose_alone(const TurfPlayer *player, const TurfState *state, TurnContext *turn,
                         TurfMove *move, Choice *choice, TurfError *error)
{
    TurfMove  moves[TURF_MAX_MOVES];
    TurfError shortage = {.code = TURF_OK};
    Forfeit   forfeit = {.text = "it has no move"};
    if (!player_can_choose(player, state, turn->rng, move, error))
        return false;
    if (game_is_simultaneous(player->game))
        return error_invalid(error, "in %s both sides move at once: ask for the cells of a side",
                             player->game->name);
    turn->forfeit = &forfeit;
    turn->error = &shortage;
    *choice = player_choose_move(player, state, false, turn, moves);
    if (shortage.code != TURF_OK)
        return error_set(error, shortage.code, "%s", shortage.text);
    if (choice->n_moves == 0)
        return error_invalid(error, "%s: %s", player->name, forfeit.text);
    if (player->chooser && !player->game->is_legal(state, moves[0], &shortage))
        return error_invalid(error, "the player %s chose an illegal move: %.300s", player->name,
                             shortage.text);
    *move = moves[0];
    return true;
}

bool turf_player_choose(const TurfPlayer *player, const TurfState *state, TurfRng *rng,
                        TurfMove *move, TurfError *error)
{
    Choice choice;
    return player_choose_alone(player, state, &(TurnContext){.rng = rng}, move, &choice, error);
}

bool turf_player_choose_cells(const TurfPlayer *player, const TurfState *state, TurfSide side,
                              TurfRng *rng, TurfCell *cells, size_t *n_cells, TurfError *error)
{
    TurfError shortage = {.code = TURF_OK};
    Forfeit   forfeit = {.text = "it has no answer"};
    if (!player_can_choose(player, state, rng, cells && n_cells ? cells : NULL, error))
        return false;
    if (!game_is_simultaneous(player->game))
        return error_invalid(error, "in %s the sides move in turn: ask for a move",
                             player->game->name);
    if (side != TURF_FIRST && side != TURF_SECOND)
        return error_invalid(error, "a side is TURF_FIRST or TURF_SECOND");
    TurnContext turn = {.rng = rng, .forfeit = &forfeit, .error = &shortage};
    size_t      n = player_choose_cells(player, state, side, &turn, cells);
    if (shortage.code != TURF_OK)
        return error_set(error, shortage.code, "%s", shortage.text);
    if (n == PLAYER_FORFEITS && !player_is_custom(player))
        return error_invalid(error, "%s: %s", player->name, forfeit.text);
    if (!player_check_cells(player, state, side, cells, n, error))
        return false;
    *n_cells = n;
    return true;
}

bool player_is_random(const TurfPlayer *player) { return player->kind == player_kind_at(0); }

bool player_for_device(const TurfPlayer *player, DevicePlayer *rules)
{
    const PlayerKind *kind = player->kind;
    bool is_lookahead = kind->choose_move == lookahead_choose_move && !player->options.wins;
    *rules = (DevicePlayer){.own_weight = kind->own_weight,
                            .opponent_weight = kind->opponent_weight,
                            .depth = is_lookahead ? (int)player->options.depth : 0,
                            .has_random_ties = player->options.ties == TIES_RANDOM};
    return player_is_random(player) || is_lookahead;
}
