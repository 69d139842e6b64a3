/* The table of the built-in players. To add one, write its functions in a file of its own and its
 * row here. */
#include "players/kinds.h"

#include "base/error.h"
#include "base/rng.h"
#include "base/suggest.h"
#include "players/bot_player.h"
#include "players/player_options.h"

#include <string.h>

static Choice choose_random(const TurfPlayer *player, const void *state, bool want_all,
                            const TurnContext *turn, TurfMove *moves)
{
    const TurfGame *game = player->game;
    if (want_all)
        return (Choice){.n_moves = game->moves(state, moves)};
    moves[0] = game_random_move(game, state, turn->rng);
    return (Choice){.n_moves = 1};
}

/* What all bots have in common, wherever they run. */
/* clang-format off */
#define BOT_FUNCTIONS                                                                              \
    .close = bot_close, .copy = bot_copy, .begin_game = bot_begin_game, .end_game = bot_end_game,  \
    .ask = bot_ask, .process = bot_process, .error_output = bot_error_output,                      \
    .choose_move = bot_choose_move, .choose_cells = bot_choose_cells
/* clang-format on */

static const PlayerKind kinds[] = {
    {
        .name = "random",
        .summary = "any legal move, all equally likely",
        .is_strategy = true,
        .is_stochastic = true,
        .choose_move = choose_random,
        .choose_cells = simple_random,
    },
    {
        .name = "bloodlust",
        .summary = "leaves the opponent the least",
        .options = OPTION_TIES,
        .is_strategy = true,
        .opponent_weight = -1,
        .defaults.depth = 1,
        .choose_move = lookahead_choose_move,
        .choose_cells = simple_greedy,
        .cells_game = &ai_battleground,
    },
    {
        .name = "self-preservation",
        .summary = "keeps the most for itself",
        .options = OPTION_TIES,
        .is_strategy = true,
        .own_weight = 1,
        .defaults.depth = 1,
        .choose_move = lookahead_choose_move,
        .choose_cells = simple_greedy,
        .cells_game = &ai_battleground,
    },
    {
        .name = "land-grab",
        .alias = "greedy",
        .summary = "the largest lead after its move",
        .options = OPTION_TIES,
        .is_strategy = true,
        .own_weight = 1,
        .opponent_weight = -1,
        .defaults.depth = 1,
        .choose_move = lookahead_choose_move,
        .choose_cells = simple_greedy,
        .cells_game = &ai_battleground,
    },
    {
        .name = "minimax",
        .summary = "the largest lead after the best replies, two moves deep",
        .options = OPTION_DEPTH | OPTION_TIES | OPTION_WINS,
        .is_strategy = true,
        .own_weight = 1,
        .opponent_weight = -1,
        .defaults.depth = 2,
        .choose_move = lookahead_choose_move,
    },
    {
        .name = "alphabeta",
        .summary =
            "alpha-beta search as deep as its time allows, with a finer evaluation than the lead",
        .options = OPTION_DEPTH | OPTION_TIME | OPTION_NODES | OPTION_HASH | OPTION_THREADS |
                   OPTION_WITHOUT | OPTION_TIES | OPTION_NET,
        .uses_clock = true,
        .default_time_ms = 100,
        .defaults = {.hash_mib = 16, .n_threads = 1},
        .open = alphabeta_open,
        .close = alphabeta_close,
        .begin_game = alphabeta_begin_game,
        .choose_move = alphabeta_choose_move,
    },
    {
        .name = "mcts",
        .summary = "Monte Carlo tree search",
        .options = OPTION_TIME | OPTION_SIMS | OPTION_HASH,
        .default_time_ms = 100,
        .is_stochastic = true,
        .uses_clock = true,
        .defaults = {.hash_mib = 64},
        .open = mcts_open,
        .close = mcts_close,
        .begin_game = mcts_begin_game,
        .choose_move = mcts_choose_move,
    },
    {
        .name = "level",
        .plays = level_plays,
        .summary = "an opponent for people, from level:1, mostly luck, to level:10, the strongest; "
                   "also level=1",
        .options = OPTION_LEVEL,
        .open = level_open,
        .close = level_close,
        .begin_game = level_begin_game,
        .is_deterministic = level_is_deterministic,
        .choose_move = level_choose_move,
        .choose_cells = level_choose_cells,
    },
    {
        .name = "settler",
        .summary = "colonises what does best over the next five steps",
        .options = OPTION_TIES,
        .is_strategy = true,
        .own_weight = 1,
        .opponent_weight = -1,
        .choose_cells = simple_settler,
        .cells_game = &ai_battleground,
    },
    {
        .name = "conqueror",
        .summary = "colonises what does best against its guesses at the opponent's next cells",
        .options = OPTION_TIME | OPTION_NODES,
        .only_game = &ai_battleground,
        .defaults.n_nodes = 200000,
        .open = conqueror_open,
        .close = conqueror_close,
        .begin_game = conqueror_begin_game,
        .choose_cells = conqueror_choose_cells,
    },
    {
        .name = "dummy",
        .summary = "does nothing",
        .choose_cells = simple_dummy,
    },
    {
        .name = "perfect",
        .summary = "plays perfectly once its time allows, and searches deep before that",
        .options = OPTION_TIME | OPTION_HASH | OPTION_THREADS,
        .default_time_ms = 1000,
        .plays = perfect_plays,
        .uses_clock = true,
        .defaults = {.hash_mib = 64, .n_threads = 1},
        .open = perfect_open,
        .close = perfect_close,
        .choose_move = perfect_choose_move,
        .exact = &perfect_exact_play,
        .exact_game = &squirrel_war,
    },
    {
        .name = "bot",
        .summary = "a program of yours that speaks JSON lines: bot:COMMAND",
        .is_external = true,
        .starts_process = true,
        .open = bot_open,
        BOT_FUNCTIONS,
    },
    {
        .name = "tcp",
        .summary = "a bot that connects: tcp:PORT on this machine, or tcp:ADDRESS:PORT; one game "
                   "at a time",
        .is_external = true,
        .plays_alone = true,
        .open = bot_open_tcp,
        BOT_FUNCTIONS,
    },
};

/* Not among the kinds that people choose: 'turf join' makes them. */
static const PlayerKind home = {
    .name = "home",
    .summary = "a bot that its team keeps at home",
    .is_external = true,
    .open = bot_open_home,
    .home_seat = bot_home_seat,
    BOT_FUNCTIONS,
};

enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

const PlayerKind *player_kind_at(size_t index) { return index < N_KINDS ? &kinds[index] : NULL; }

bool player_kind_plays(const PlayerKind *kind, const TurfGame *game)
{
    if ((kind->only_game && kind->only_game != game) || (kind->plays && !kind->plays(game)))
        return false;
    if (!game_is_simultaneous(game))
        return kind->choose_move != NULL;
    return kind->choose_cells != NULL && (!kind->cells_game || kind->cells_game == game);
}

const ExactPlay *exact_play_of(const TurfGame *game)
{
    for (size_t i = 0; i < N_KINDS; i++)
        if (kinds[i].exact && kinds[i].exact_game == game)
            return kinds[i].exact;
    return NULL;
}

const PlayerKind *player_kind_find(const TurfGame *game, const char *name, TurfError *error)
{
    const char       *names[N_KINDS];
    const PlayerKind *playing[N_KINDS];
    size_t            n_kinds = 0, used = 0;
    char              list[256] = "", quoted[ERROR_QUOTE_BYTES];
    if (!strcmp(name, home.name))
        return &home;
    for (size_t i = 0; i < N_KINDS; i++) {
        const PlayerKind *kind = &kinds[i];
        if (game && !player_kind_plays(kind, game))
            continue;
        if (kind->alias && !strcmp(kind->alias, name))
            return kind;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", n_kinds ? ", " : "",
                                 kind->name);
        names[n_kinds] = kind->name;
        playing[n_kinds++] = kind;
    }
    int found = name_find(name, names, n_kinds);
    if (found >= 0)
        return playing[found];
    error_quote(quoted, name);
    const char *nearest = suggest(name, names, n_kinds);
    if (nearest)
        error_not_found(error, "there is no player '%s'; did you mean %s?", quoted, nearest);
    else if (game)
        error_not_found(error, "there is no player '%s' in %s; choose from %s", quoted, game->name,
                        list);
    else
        error_not_found(error, "there is no player '%s'; choose from %s", quoted, list);
    return NULL;
}
