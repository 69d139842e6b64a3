/* The board of Amoeba Wars' solver: its masks, its symmetries, and the keys of nodes. */
#include "search/amoeba_node.h"

#include <string.h>

/* Where a cell goes: by the diagonal, the other diagonal, or half a turn. A rectangle has the half
 * turn only. */
static int image_of(const AsBoard *board, int which, int cell)
{
    int row = cell / board->columns, column = cell % board->columns;
    int last_row = board->rows - 1, last_column = board->columns - 1;
    if (which == 0)
        return (last_row - row) * board->columns + last_column - column;
    if (which == 1)
        return column * board->columns + row;
    return (last_column - column) * board->columns + last_row - row;
}

void as_board_init(AsBoard *board, int rows, int columns)
{
    memset(board, 0, sizeof *board);
    board->rows = rows;
    board->columns = columns;
    board->n_cells = rows * columns;
    board->all = ~UINT64_C(0) >> (AS_MAX_CELLS - board->n_cells);
    for (int cell = 0; cell < board->n_cells; cell++) {
        if (cell % columns > 0)
            board->not_left |= UINT64_C(1) << cell;
        if (cell % columns < columns - 1)
            board->not_right |= UINT64_C(1) << cell;
    }
    board->n_symmetries = rows == columns ? AS_SYMMETRIES : 2;
    for (int which = 0; which < board->n_symmetries - 1; which++)
        for (int cell = 0; cell < board->n_cells; cell++)
            for (int byte = 0; byte < 256; byte++)
                if (byte >> cell % 8 & 1)
                    board->symmetry[which][cell / 8][byte] |= UINT64_C(1)
                                                              << image_of(board, which, cell);
}

static uint64_t mirrored(const AsBoard *board, int which, uint64_t set)
{
    uint64_t image = 0;
    for (int byte = 0; 8 * byte < board->n_cells; byte++)
        image |= board->symmetry[which][byte][set >> 8 * byte & 255];
    return image;
}

static uint64_t key_of(const AsBoard *board, const uint64_t words[4])
{
    uint64_t key =
        board->n_cells <= 32 ? words[0] | words[1] << 32 : as_mix(words[0]) * 3 + words[1];
    if (board->has_chains)
        key = as_mix(as_mix(as_mix(key) + words[2]) + words[3]);
    return key;
}

uint64_t as_key(const AsBoard *board, const AsNode *node)
{
    uint64_t words[4] = {node->own | node->open, node->enemy | node->open, node->own_kills,
                         node->enemy_kills};
    uint64_t key = key_of(board, words);
    for (int which = 0; which < board->n_symmetries - 1; which++) {
        uint64_t image[4] = {0};
        for (int i = 0; i < (board->has_chains ? 4 : 2); i++)
            image[i] = mirrored(board, which, words[i]);
        uint64_t other = key_of(board, image);
        key = other < key ? other : key;
    }
    return as_mix(key);
}
