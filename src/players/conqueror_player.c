/* AI Battleground's strongest player.
 *
 * It searches its cells against several guesses at the opponent's action, each weighted by how well
 * it predicted the turns before (its trust). The trust is learned within one game only, so a game
 * depends on its own seed alone. */
#include "players/kinds.h"

#include "base/clock.h"
#include "base/error.h"
#include "search/cell_search.h"

#include <stdlib.h>
#include <string.h>

/* The initial trust in each guess, and what a guess that was right in every cell adds; it decays by
 * a fifth every turn. These and the shares of the time that are used were tuned by matches. */
static const int32_t initial_trust[N_GUESSES] = {400, 100, 100, 100};
enum {
    TRUST_IF_RIGHT = 1000,
    WRONG_CELLS_PER_HALVING = 2,
    PERCENT_OF_GAIN = 60,
    PERCENT_OF_BUCKET = 25
};

typedef struct Memory {
    CellSearch      *search;
    bool             has_last; /* the fields below hold its last turn in this game */
    TurfSide         last_side;
    BgState          last_state;
    CellSearchResult last;
    int32_t          trust[N_GUESSES]; /* learned, on top of the initial trust */
} Memory;

bool conqueror_open(TurfPlayer *player, TurfError *error)
{
    Memory *memory = calloc(1, sizeof *memory);
    player->memory = memory;
    if (memory)
        memory->search = cell_search_new();
    return (memory && memory->search) || error_no_memory(error);
}

void conqueror_close(TurfPlayer *player)
{
    Memory *memory = player->memory;
    if (memory)
        cell_search_free(memory->search);
    free(memory);
}

static void forget(Memory *memory)
{
    memory->has_last = false;
    memset(memory->trust, 0, sizeof memory->trust);
}

bool conqueror_begin_game(TurfPlayer *player, const atomic_bool *stop, TurfError *error)
{
    (void)stop, (void)error;
    forget(player->memory);
    return true;
}

/* ---- the opponent ------------------------------------------------------------------------- */

static int count_differences(const BgState *state, const BgState *other)
{
    int n_different = 0;
    for (int side = 0; side < 2; side++)
        for (int stripe = 0; stripe < bg_n_stripes(&state->config); stripe++)
            for (int row = 0; row < state->config.rows; row++)
                n_different += bits_count(state->cells[side].stripes[stripe][row] ^
                                          other->cells[side].stripes[stripe][row]);
    return n_different;
}

/* How many cells differ from the position that a guess predicted. */
static int count_wrong(const Memory *memory, const BgState *state, Guess guess)
{
    BgState         guessed = memory->last_state;
    const CellList *ours = &memory->last.choice, *theirs = &memory->last.guesses[guess];
    TurfAction      actions[2];
    actions[memory->last_side] = (TurfAction){ours->cells, ours->n_cells};
    actions[!memory->last_side] = (TurfAction){theirs->cells, theirs->n_cells};
    bg_play(&guessed, actions);
    return count_differences(&guessed, state);
}

/* Updates the trust; what was learned is kept for the game, even if turns were skipped. */
static void learn(Memory *memory, const BgState *state, TurfSide side)
{
    const BgState *last = &memory->last_state;
    bool           is_same_game = memory->has_last && memory->last_side == side &&
                        last->iteration < state->iteration &&
                        !memcmp(&last->config, &state->config, sizeof last->config);
    if (!is_same_game)
        forget(memory);
    if (!is_same_game || last->iteration + 1 < state->iteration)
        return;
    for (int guess = 0; guess < N_GUESSES; guess++) {
        int n_halvings = count_wrong(memory, state, (Guess)guess) / WRONG_CELLS_PER_HALVING;
        memory->trust[guess] =
            memory->trust[guess] * 4 / 5 + (n_halvings < 31 ? TRUST_IF_RIGHT >> n_halvings : 0);
    }
}

/* ---- time --------------------------------------------------------------------------------- */

/* With a clock, a share of the gain and of the time left. Without one, the player's options. */
static CellSearchLimits limits_of(const TurfPlayer *player, const TurnContext *turn)
{
    const PlayerOptions *options = &player->options;
    CellSearchLimits     limits = {.n_nodes = options->n_nodes, .stop = turn->stop};
    int64_t              now_ns = clock_ns();
    if (options->time_ms > 0) {
        limits.n_nodes = INT64_MAX;
        limits.deadline_ns = now_ns + options->time_ms * 1000000;
    }
    if (turn->deadline_ns > 0 && turn->deadline_ns < INT64_MAX) {
        int64_t left_ns = (turn->deadline_ns - now_ns) * PERCENT_OF_BUCKET / 100;
        int64_t gain_ns = turn->time_gain_ms * 1000000 * PERCENT_OF_GAIN / 100;
        int64_t max_ns = gain_ns > 0 && gain_ns < left_ns ? gain_ns : left_ns;
        if (limits.deadline_ns == 0 || now_ns + max_ns < limits.deadline_ns)
            limits.deadline_ns = now_ns + max_ns;
    }
    return limits;
}

size_t conqueror_choose_cells(const TurfPlayer *player, const void *state, TurfSide side,
                              const TurnContext *turn, TurfCell *cells)
{
    CellSearchLimits limits = limits_of(player, turn);
    Memory          *memory = player->memory;
    int32_t          trust[N_GUESSES];
    learn(memory, state, side);
    for (int guess = 0; guess < N_GUESSES; guess++)
        trust[guess] = initial_trust[guess] + memory->trust[guess];
    cell_search_choose(memory->search, state, side, trust, &limits, &memory->last);
    memory->has_last = true;
    memory->last_side = side;
    memcpy(&memory->last_state, state, sizeof memory->last_state);
    memcpy(cells, memory->last.choice.cells, memory->last.choice.n_cells * sizeof *cells);
    return memory->last.choice.n_cells;
}
