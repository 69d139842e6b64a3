/* Levels 1 to 10 for people: the game table has a row of players, each stronger than the last. The
 * weak ones are good players that often move at random, which is how beginners are weak; the strong
 * ones look at more and more positions, counted and not timed, so that a level is as strong on any
 * machine. docs/strength.md has what they score. */
#include "players/kinds.h"

#include "base/error.h"
#include "base/rng.h"

#include <stdlib.h>

/* For a game with turns whose table has none. */
static const GameLevel default_levels[LEVEL_HIGHEST] = {
    {"random", 0},
    {"land-grab:ties=random", 70},
    {"land-grab:ties=random", 40},
    {"land-grab:ties=random", 10},
    {"minimax:ties=random", 30},
    {"minimax:ties=random", 10},
    {"minimax:ties=random", 0},
    {"alphabeta:depth=3,hash=1", 0},
    {"alphabeta:nodes=10000,hash=4", 0},
    {"alphabeta:nodes=300000", 0},
};

static const GameLevel *levels_of(const TurfGame *game)
{
    if (game->levels)
        return game->levels;
    return game_is_simultaneous(game) ? NULL : default_levels;
}

bool level_plays(const TurfGame *game) { return levels_of(game) != NULL; }

/* A player behind a player. */
typedef struct Behind {
    TurfPlayer *player;
    uint32_t    random_percent;
} Behind;

bool level_open(TurfPlayer *player, TurfError *error)
{
    const GameLevel *level = &levels_of(player->game)[player->options.level - LEVEL_LOWEST];
    Behind          *behind = calloc(1, sizeof *behind);
    player->memory = behind;
    if (!behind)
        return error_no_memory(error);
    behind->random_percent = (uint32_t)level->random_percent;
    behind->player = turf_player_open(player->game, level->spec, error);
    return behind->player != NULL;
}

void level_close(TurfPlayer *player)
{
    Behind *behind = player->memory;
    if (behind)
        turf_player_free(behind->player);
    free(behind);
}

bool level_begin_game(TurfPlayer *player, const atomic_bool *stop, TurfError *error)
{
    return player_begin_game(((Behind *)player->memory)->player, stop, error);
}

static bool moves_by_lot(const Behind *behind, const TurnContext *turn)
{
    return behind->random_percent && turn->rng &&
           rng_below(turn->rng, 100) < behind->random_percent;
}

Choice level_choose_move(const TurfPlayer *player, const void *state, bool want_all,
                         const TurnContext *turn, TurfMove *moves)
{
    const Behind *behind = player->memory;
    if (want_all || !moves_by_lot(behind, turn))
        return player_choose_move(behind->player, state, want_all, turn, moves);
    size_t n_moves = player->game->moves(state, moves);
    moves[0] = moves[rng_below(turn->rng, (uint32_t)n_moves)];
    return (Choice){.n_moves = 1};
}

size_t level_choose_cells(const TurfPlayer *player, const void *state, TurfSide side,
                          const TurnContext *turn, TurfCell *cells)
{
    const Behind *behind = player->memory;
    if (moves_by_lot(behind, turn))
        return simple_random(player, state, side, turn, cells);
    return behind->player->kind->choose_cells(behind->player, state, side, turn, cells);
}

bool level_is_deterministic(const TurfPlayer *player)
{
    const Behind *behind = player->memory;
    return behind->random_percent == 0 && player_is_deterministic(behind->player);
}
