/* Symmetries of boards: where cells, actions and whole positions go when a board is turned or
 * mirrored. Positions go by their JSON, where every list of rows is a board: so it works for any
 * game, and what is not on the board stays as it is. */
#include "base/checked_json.h"
#include "base/error.h"
#include "games/game.h"

#include <stdlib.h>
#include <string.h>

enum { MIRROR_COLUMNS = 1, MIRROR_ROWS = 2, TRANSPOSE = 4 };

TurfCell cell_under(size_t symmetry, int rows, int cols, TurfCell cell)
{
    TurfCell to = symmetry & TRANSPOSE ? (TurfCell){cell.col, cell.row} : cell;
    if (symmetry & MIRROR_COLUMNS)
        to.col = cols - 1 - to.col;
    if (symmetry & MIRROR_ROWS)
        to.row = rows - 1 - to.row;
    return to;
}

size_t turf_n_symmetries(const TurfGame *game, const TurfState *state)
{
    int rows, cols;
    if (!game->is_symmetric)
        return 1;
    game->size(state, &rows, &cols);
    return rows == cols ? 2 * TRANSPOSE : TRANSPOSE;
}

size_t turf_cell_under(const TurfGame *game, const TurfState *state, size_t symmetry, size_t cell)
{
    int rows, cols;
    game->size(state, &rows, &cols);
    if (symmetry >= turf_n_symmetries(game, state) || cell >= (size_t)(rows * cols))
        return cell;
    TurfCell to = cell_under(symmetry, rows, cols, (TurfCell){(int)cell / cols, (int)cell % cols});
    return (size_t)(to.row * cols + to.col);
}

size_t turf_action_under(const TurfGame *game, const TurfState *state, size_t symmetry,
                         size_t action)
{
    if (!game->action_under)
        return turf_cell_under(game, state, symmetry, action);
    if (symmetry >= turf_n_symmetries(game, state) || action >= turf_n_actions(game, state))
        return action;
    return game->action_under(state, symmetry, action);
}

/* ---- positions ---------------------------------------------------------------------------- */

/* Is this a list of `rows` strings or lists, each with `cols` cells? */
static bool is_board(const json_t *value, int rows, int cols)
{
    if (json_array_size(value) != (size_t)rows)
        return false;
    for (size_t i = 0; i < (size_t)rows; i++) {
        const json_t *row = json_array_get(value, i);
        size_t        length = json_is_string(row) ? json_string_length(row) : json_array_size(row);
        if (length != (size_t)cols)
            return false;
    }
    return true;
}

static json_t *strings_under(const json_t *board, int rows, int cols, size_t symmetry)
{
    json_t *image = json_array();
    char   *cells = malloc((size_t)(rows * cols));
    if (!cells) {
        json_decref(image);
        return NULL;
    }
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++) {
            TurfCell to = cell_under(symmetry, rows, cols, (TurfCell){row, col});
            cells[to.row * cols + to.col] =
                json_string_value(json_array_get(board, (size_t)row))[col];
        }
    for (int row = 0; row < rows; row++)
        json_add(&image, json_stringn(cells + row * cols, (size_t)cols));
    free(cells);
    return image;
}

static json_t *lists_under(const json_t *board, int rows, int cols, size_t symmetry)
{
    json_t *image = json_deep_copy(board);
    for (int row = 0; row < rows && image; row++)
        for (int col = 0; col < cols; col++) {
            TurfCell to = cell_under(symmetry, rows, cols, (TurfCell){row, col});
            json_t  *value = json_array_get(json_array_get(board, (size_t)row), (size_t)col);
            (void)json_array_set(json_array_get(image, (size_t)to.row), (size_t)to.col, value);
        }
    return image;
}

/* A position with all its boards under a symmetry; NULL if out of memory. */
static json_t *json_under(json_t *position, int rows, int cols, size_t symmetry)
{
    json_t     *image = json_object(), *value;
    const char *key;
    json_object_foreach(position, key, value)
    {
        if (!is_board(value, rows, cols))
            json_put(&image, key, json_incref(value));
        else if (json_is_string(json_array_get(value, 0)))
            json_put(&image, key, strings_under(value, rows, cols, symmetry));
        else
            json_put(&image, key, lists_under(value, rows, cols, symmetry));
    }
    return image;
}

bool turf_transform(const TurfGame *game, const TurfState *state, size_t symmetry, TurfState *image,
                    TurfError *error)
{
    int rows, cols;
    if (!game || !state || !image)
        return error_invalid(error, "a game, a position and a position to fill are needed");
    if (symmetry >= turf_n_symmetries(game, state))
        return error_invalid(error, "there is no symmetry %zu here: there are %zu, from 0",
                             symmetry, turf_n_symmetries(game, state));
    game->size(state, &rows, &cols);
    json_t   *position = game->to_json(state);
    json_t   *turned = position ? json_under(position, rows, cols, symmetry) : NULL;
    TurfState result = {{0}};
    bool      is_good = turned && game->from_json(&result, turned, error);
    if (!turned)
        error_no_memory(error);
    json_decref(position);
    json_decref(turned);
    if (is_good)
        *image = result;
    return is_good;
}
