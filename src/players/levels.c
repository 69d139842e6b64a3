/* Levels 1 to 10 for people: the game table has a row of players, each stronger than the last. The
 * weak ones are good players that often move at random, which is how beginners are weak; the strong
 * ones look at more and more positions, counted and not timed, so that a level is as strong on any
 * machine. docs/strength.md has what they score.
 *
 * Where the game's levels spread, a level is now and then as good as its neighbours. */
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

/* A player that a level may play as. */
typedef struct Rung {
    TurfPlayer *player;
    uint32_t    random_percent;
} Rung;

enum { BELOW, OWN, ABOVE, N_RUNGS };

/* What a level plays as: itself, or, where the game's levels spread, by lot for each game also the
 * levels beside it. The lot is drawn in the first turn, which has the game's random numbers. */
typedef struct LevelMemory {
    Rung     rungs[N_RUNGS]; /* those of levels that there are not have no player */
    uint32_t spread;
    int      drawn; /* the rung of this game */
    bool     is_drawn;
} LevelMemory;

static bool open_rung(Rung *rung, const TurfGame *game, int64_t level, TurfError *error)
{
    if (level < LEVEL_LOWEST || level > LEVEL_HIGHEST)
        return true;
    const GameLevel *row = &levels_of(game)[level - LEVEL_LOWEST];
    rung->random_percent = (uint32_t)row->random_percent;
    rung->player = turf_player_open(game, row->spec, error);
    return rung->player != NULL;
}

bool level_open(TurfPlayer *player, TurfError *error)
{
    LevelMemory *memory = calloc(1, sizeof *memory);
    int64_t      level = player->options.level;
    player->memory = memory;
    if (!memory)
        return error_no_memory(error);
    memory->spread = (uint32_t)player->game->level_spread;
    memory->drawn = OWN;
    if (!open_rung(&memory->rungs[OWN], player->game, level, error))
        return false;
    return !memory->spread || (open_rung(&memory->rungs[BELOW], player->game, level - 1, error) &&
                               open_rung(&memory->rungs[ABOVE], player->game, level + 1, error));
}

void level_close(TurfPlayer *player)
{
    LevelMemory *memory = player->memory;
    for (int i = 0; memory && i < N_RUNGS; i++)
        turf_player_free(memory->rungs[i].player);
    free(memory);
}

bool level_begin_game(TurfPlayer *player, const atomic_bool *stop, TurfError *error)
{
    LevelMemory *memory = player->memory;
    memory->is_drawn = false;
    for (int i = 0; i < N_RUNGS; i++)
        if (memory->rungs[i].player && !player_begin_game(memory->rungs[i].player, stop, error))
            return false;
    return true;
}

/* Whom the level plays as in this game. */
static const Rung *rung_of(LevelMemory *memory, const TurnContext *turn)
{
    if (memory->spread && !memory->is_drawn && turn->rng) {
        uint32_t lot = rng_below(turn->rng, 100);
        memory->drawn = OWN;
        if (lot < memory->spread && memory->rungs[BELOW].player)
            memory->drawn = BELOW;
        else if (lot >= 100 - memory->spread && memory->rungs[ABOVE].player)
            memory->drawn = ABOVE;
        memory->is_drawn = true;
    }
    return &memory->rungs[memory->drawn];
}

static bool moves_by_lot(const Rung *rung, const TurnContext *turn)
{
    return rung->random_percent && turn->rng && rng_below(turn->rng, 100) < rung->random_percent;
}

Choice level_choose_move(const TurfPlayer *player, const void *state, bool want_all,
                         const TurnContext *turn, TurfMove *moves)
{
    const Rung *rung = rung_of(player->memory, turn);
    if (want_all || !moves_by_lot(rung, turn))
        return player_choose_move(rung->player, state, want_all, turn, moves);
    size_t n_moves = player->game->moves(state, moves);
    moves[0] = moves[rng_below(turn->rng, (uint32_t)n_moves)];
    return (Choice){.n_moves = 1};
}

size_t level_choose_cells(const TurfPlayer *player, const void *state, TurfSide side,
                          const TurnContext *turn, TurfCell *cells)
{
    const Rung *rung = rung_of(player->memory, turn);
    if (moves_by_lot(rung, turn))
        return simple_random(player, state, side, turn, cells);
    return rung->player->kind->choose_cells(rung->player, state, side, turn, cells);
}

bool level_is_deterministic(const TurfPlayer *player)
{
    const LevelMemory *memory = player->memory;
    const Rung        *own = &memory->rungs[OWN];
    return memory->spread == 0 && own->random_percent == 0 && player_is_deterministic(own->player);
}
