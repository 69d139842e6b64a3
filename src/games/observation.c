/* Positions as programs that search and learn want them: hashes, planes, numbers and actions. Works
 * for any game by its table; the batches (envs/) write the same, faster. */
#include "base/error.h"
#include "base/rng.h"
#include "games/cells.h"
#include "games/ending.h"
#include "games/game.h"

#include <string.h>

_Static_assert((int)MAX_NUMBERS == TURF_MAX_NUMBERS, "the limit is public");

bool turf_position_from_text(const TurfGame *game, const char *text, TurfState *state,
                             TurfError *error)
{
    if (!game || !text || !state)
        return error_invalid(error, "a game, a text and a position to fill are needed");
    return game_parse(game, text, state, error);
}

size_t turf_state_size(const TurfGame *game) { return game->state_size; }

uint64_t turf_hash(const TurfGame *game, const TurfState *state) { return game->hash(state); }

bool turf_equal(const TurfGame *game, const TurfState *a, const TurfState *b)
{
    return memcmp(a, b, game->state_size) == 0;
}

int turf_reward(const TurfGame *game, const TurfState *state, TurfSide side)
{
    TurfEnding ending;
    if (!game->is_over(state, &ending))
        return 0;
    return ending_reward(ending, side);
}

/* ---- the board ---------------------------------------------------------------------------- */

void turf_board_size(const TurfGame *game, const TurfState *state, int *rows, int *cols)
{
    game->size(state, rows, cols);
}

void turf_board(const TurfGame *game, const TurfState *state, char *cells)
{
    int rows, cols;
    game->size(state, &rows, &cols);
    for (int i = 0; i < rows * cols; i++)
        cells[i] = game->cell(state, i / cols, i % cols);
}

static size_t n_symbol_planes(const TurfGame *game)
{
    size_t n_symbols = 2;
    for (const char *const *at = game->plane_symbols; at && *at; at++)
        n_symbols++;
    return n_symbols;
}

size_t turf_n_planes(const TurfGame *game)
{
    return n_symbol_planes(game) + (game->cell_value != NULL);
}

/* The plane that shows a symbol, or n_symbol_planes. */
static size_t plane_of(const TurfGame *game, char symbol, TurfSide side)
{
    int    owner = game_owner(game, symbol);
    size_t plane = 2;
    if (owner >= 0)
        return owner != (int)side;
    for (const char *const *at = game->plane_symbols; at && *at && !strchr(*at, symbol); at++)
        plane++;
    return plane;
}

void turf_planes(const TurfGame *game, const TurfState *state, TurfSide side, uint8_t *planes)
{
    const char *rivals = game->rival_symbols[side];
    int         rows, cols;
    game->size(state, &rows, &cols);
    size_t n_cells = (size_t)(rows * cols), n_first = n_symbol_planes(game);
    memset(planes, 0, turf_n_planes(game) * n_cells);
    for (size_t i = 0; i < n_cells; i++) {
        int    row = (int)i / cols, col = (int)i % cols;
        char   symbol = game->cell(state, row, col);
        size_t plane = plane_of(game, symbol, side);
        if (plane < n_first)
            planes[plane * n_cells + i] = rivals && strchr(rivals, symbol) ? 2 : 1;
        if (game->cell_value)
            planes[n_first * n_cells + i] = (uint8_t)game->cell_value(state, row, col);
    }
}

/* ---- numbers ------------------------------------------------------------------------------ */

size_t turf_n_numbers(const TurfGame *game)
{
    size_t n_numbers = 0;
    while (game->number_names && game->number_names[n_numbers])
        n_numbers++;
    return n_numbers;
}

const char *turf_number_name(const TurfGame *game, size_t index)
{
    return index < turf_n_numbers(game) ? game->number_names[index] : NULL;
}

void turf_numbers(const TurfGame *game, const TurfState *state, TurfSide side, int32_t *numbers)
{
    if (game->numbers)
        game->numbers(state, side, numbers);
}

/* ---- actions ------------------------------------------------------------------------------ */

size_t turf_n_actions(const TurfGame *game, const TurfState *state)
{
    int rows, cols;
    if (!game_is_simultaneous(game))
        return game->n_actions ? game->n_actions(state) : MAX_ACTIONS;
    game->size(state, &rows, &cols);
    return (size_t)(rows * cols);
}

static void mask_cells(const TurfGame *game, const TurfState *state, TurfSide side, uint8_t *mask)
{
    TurfCell cells[TURF_MAX_CELLS];
    int      rows, cols;
    game->size(state, &rows, &cols);
    size_t n_cells = game_reach(game, state, side, cells);
    for (size_t i = 0; i < n_cells; i++)
        mask[cols * cells[i].row + cells[i].col] = 1;
}

void turf_action_mask(const TurfGame *game, const TurfState *state, TurfSide side, uint8_t *mask)
{
    TurfMover mover = game->to_move(state);
    TurfMove  moves[TURF_MAX_MOVES];
    memset(mask, 0, turf_n_actions(game, state));
    if (mover == TURF_MOVER_BOTH)
        mask_cells(game, state, side, mask);
    if ((int)mover != (int)side)
        return;
    size_t n_moves = game->moves(state, moves);
    for (size_t i = 0; i < n_moves; i++)
        mask[turf_action_of_move(game, state, moves[i])] = 1;
}

bool turf_move_of_action(const TurfGame *game, const TurfState *state, size_t action,
                         TurfMove *move, TurfError *error)
{
    if (!game || !state || !move)
        return error_invalid(error, "a game, a position and a move to fill are needed");
    if (game_is_simultaneous(game))
        return error_invalid(error, "in %s both sides move at once", game->name);
    if (action >= turf_n_actions(game, state))
        return error_invalid(error, "there is no action %zu: there are %zu, from 0", action,
                             turf_n_actions(game, state));
    *move = game->move_of_action ? game->move_of_action(state, action) : (TurfMove)action;
    return true;
}

size_t turf_action_of_move(const TurfGame *game, const TurfState *state, TurfMove move)
{
    return game->action_of_move ? game->action_of_move(state, move) : move;
}

TurfMove game_random_move(const TurfGame *game, const void *state, TurfRng *rng)
{
    TurfMove moves[TURF_MAX_MOVES];
    if (game->random_move)
        return game->random_move(state, rng);
    size_t n_moves = game->moves(state, moves);
    return moves[rng_below(rng, (uint32_t)n_moves)];
}

bool turf_random_move(const TurfGame *game, const TurfState *state, TurfRng *rng, TurfMove *move,
                      TurfError *error)
{
    if (!game || !state || !rng || !move)
        return error_invalid(error, "a game, a position, random numbers and a move are needed");
    if (game_is_simultaneous(game))
        return error_invalid(error, "in %s both sides move at once", game->name);
    if (game->to_move(state) == TURF_MOVER_NONE)
        return error_invalid(error, "the game is over");
    *move = game_random_move(game, state, rng);
    return true;
}
