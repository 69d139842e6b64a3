/* Levels 1 to 10 for people: in each game a row of players, each stronger than the one before. The
 * weak ones are good players that often move at random, which is how beginners are weak; the strong
 * ones look at more and more positions, counted and not timed, so that a level is as strong on any
 * machine. docs/strength.md has what they score. */
#include "players/levels.h"

#include "base/error.h"
#include "base/rng.h"
#include "players/simple_players.h"

#include <stdlib.h>

typedef struct Level {
    const char *spec;
    int         random_percent; /* so many moves in a hundred are drawn by lot */
} Level;

typedef struct GameLevels {
    const TurfGame *game;
    Level           levels[LEVEL_HIGHEST];
} GameLevels;

static const GameLevels all_levels[] = {
    {&war_of_life,
     {{"random", 0},
      {"land-grab:ties=random", 70},
      {"land-grab:ties=random", 40},
      {"land-grab:ties=random", 5},
      {"minimax:ties=random", 30},
      {"minimax:ties=random", 5},
      {"alphabeta:depth=3,hash=1", 3},
      {"alphabeta:nodes=5000,hash=1", 0},
      {"alphabeta:nodes=60000,hash=4", 0},
      {"alphabeta:nodes=400000", 0}}},
    {&amoeba_wars,
     {{"random", 0},
      {"land-grab:ties=random", 75},
      {"land-grab:ties=random", 50},
      {"land-grab:ties=random", 25},
      {"minimax:ties=random", 28},
      {"minimax:ties=random", 16},
      {"minimax:ties=random", 0},
      {"alphabeta:depth=3,ties=random,hash=1", 0},
      {"alphabeta:depth=5,ties=random,hash=1", 0},
      {"alphabeta:nodes=300000,ties=random", 0}}},
    {&ai_battleground,
     {{"random", 0},
      {"land-grab", 80},
      {"land-grab", 55},
      {"land-grab", 20},
      {"settler", 80},
      {"settler", 60},
      {"settler", 30},
      {"settler", 0},
      {"conqueror", 15},
      {"conqueror", 0}}},
    {&squirrel_war,
     {{"random", 0},
      {"land-grab:ties=random", 80},
      {"land-grab:ties=random", 55},
      {"land-grab:ties=random", 30},
      {"land-grab:ties=random", 12},
      {"minimax:ties=random", 20},
      {"minimax:ties=random", 0},
      {"alphabeta:depth=4,hash=1", 0},
      {"alphabeta:nodes=10000,hash=4", 0},
      {"alphabeta:nodes=500000,hash=32", 0}}},
};

enum { N_GAMES_WITH_LEVELS = sizeof all_levels / sizeof all_levels[0] };

/* A player behind a player. */
typedef struct Behind {
    TurfPlayer *player;
    uint32_t    random_percent;
} Behind;

bool level_open(TurfPlayer *player, TurfError *error)
{
    const GameLevels *row = all_levels;
    while (row < all_levels + N_GAMES_WITH_LEVELS && row->game != player->game)
        row++;
    if (row == all_levels + N_GAMES_WITH_LEVELS)
        return error_invalid(error, "%s has no levels", player->game->name);
    const Level *level = &row->levels[player->options.level - LEVEL_LOWEST];
    Behind      *behind = calloc(1, sizeof *behind);
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
