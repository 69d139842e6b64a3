/* Bit planes of any game: the planes of turf.h as the first side sees them, one bit to a cell, with
 * a plane for each bit of the cells' values. */
#include "games/planes.h"

#include <string.h>

enum { WORD_BITS = 64 };

static size_t n_cells_of(const TurfGame *game, const void *state)
{
    int rows, cols;
    game->size(state, &rows, &cols);
    return (size_t)(rows * cols);
}

size_t game_plane_words(const TurfGame *game, const void *state)
{
    return (n_cells_of(game, state) + WORD_BITS - 1) / WORD_BITS;
}

/* Planes of bytes that are sets of cells; the one of the values follows them. */
static size_t n_plain_planes(const TurfGame *game)
{
    return turf_n_planes(game) - (game->cell_value != NULL);
}

size_t game_n_planes(const TurfGame *game)
{
    return n_plain_planes(game) + (size_t)game->cell_value_bits;
}

/* The cells with any of these bits. */
static void pack(const uint8_t *bytes, size_t n_cells, unsigned bits, uint64_t *words)
{
    for (size_t i = 0; i < n_cells; i++)
        words[i / WORD_BITS] |= (uint64_t)((bytes[i] & bits) != 0) << i % WORD_BITS;
}

void game_planes(const TurfGame *game, const void *state, uint64_t *words)
{
    uint8_t   bytes[MAX_PLANES * MAX_BOARD_SIDE * MAX_BOARD_SIDE];
    size_t    n_cells = n_cells_of(game, state), n_words = game_plane_words(game, state);
    size_t    n_plain = n_plain_planes(game);
    TurfState copy;
    memcpy(&copy, state, game->state_size);
    turf_planes(game, &copy, TURF_FIRST, bytes);
    memset(words, 0, game_n_planes(game) * n_words * sizeof *words);
    for (size_t plane = 0; plane < n_plain; plane++)
        pack(bytes + plane * n_cells, n_cells, 0xff, words + plane * n_words);
    for (int bit = 0; bit < game->cell_value_bits; bit++)
        pack(bytes + n_plain * n_cells, n_cells, 1U << bit,
             words + (n_plain + (size_t)bit) * n_words);
}
