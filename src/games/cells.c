/* Boards as cells: what every game has for nothing, since its table says how large the board is and
 * what stands on a cell. */
#include "games/cells.h"

#include "base/checked_json.h"
#include "base/error.h"

#include <string.h>

/* ---- lists of cells ----------------------------------------------------------------------- */

static int32_t clamp(json_int_t number)
{
    if (number < INT32_MIN)
        return INT32_MIN;
    return number > INT32_MAX ? INT32_MAX : (int32_t)number;
}

bool cells_from_json(const json_t *list, TurfCell *cells, size_t *n_cells, TurfError *error)
{
    size_t  i;
    json_t *cell;
    *n_cells = 0;
    if (!json_is_array(list))
        return error_invalid(error, "cells are a list like [[10,20],[10,18]]");
    if (json_array_size(list) > TURF_MAX_CELLS)
        return error_invalid(error, "%zu cells are listed, and a board has at most %d",
                             json_array_size(list), TURF_MAX_CELLS);
    json_array_foreach(list, i, cell)
    {
        const json_t *row = json_array_get(cell, 0), *col = json_array_get(cell, 1);
        if (json_array_size(cell) != 2 || !json_is_integer(row) || !json_is_integer(col))
            return error_invalid(error, "cell %zu is not [row,col]", i + 1);
        cells[i] = (TurfCell){clamp(json_integer_value(row)), clamp(json_integer_value(col))};
    }
    *n_cells = json_array_size(list);
    return true;
}

json_t *cells_to_json(const TurfCell *cells, size_t n_cells)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n_cells; i++)
        json_add(&list, json_pack("[i,i]", cells[i].row, cells[i].col));
    return list;
}

/* ---- actions ------------------------------------------------------------------------------ */

bool game_actions_from_json(const TurfGame *game, const json_t *json, TurfCell *cells[2],
                            TurfAction actions[2], TurfError *error)
{
    TurfError   why;
    const char *key;
    json_t     *value;
    char        quoted[ERROR_QUOTE_BYTES];
    if (!json_is_object(json))
        return error_invalid(error, "a move is both sides' cells, like %s", game->json_move_form);
    json_object_foreach((json_t *)(uintptr_t)json, key, value)
    {
        (void)value;
        if (strcmp(key, game->side_letters[0]) != 0 && strcmp(key, game->side_letters[1]) != 0)
            return error_invalid(error, "there is no side \"%s\"; a move is like %s",
                                 error_quote(quoted, key), game->json_move_form);
    }
    for (int side = 0; side < 2; side++) {
        const json_t *list = json_object_get(json, game->side_letters[side]);
        actions[side] = (TurfAction){cells[side], 0};
        if (list && !cells_from_json(list, cells[side], &actions[side].n_cells, &why))
            return error_invalid(error, "\"%s\": %s", game->side_letters[side], why.text);
    }
    return true;
}

json_t *game_actions_to_json(const TurfGame *game, const TurfAction actions[2])
{
    json_t *json = json_object();
    for (int side = 0; side < 2; side++)
        json_put(&json, game->side_letters[side],
                 cells_to_json(actions[side].cells, actions[side].n_cells));
    return json;
}

size_t game_find_bad_cell(const TurfGame *game, const void *state, TurfSide side,
                          const TurfAction *action)
{
    size_t n_legal = 0, n_illegal = action->n_cells; /* bisection */
    while (n_legal + 1 < n_illegal) {
        size_t n = (n_legal + n_illegal) / 2;
        if (game->is_legal_action(state, side, &(TurfAction){action->cells, n}, NULL))
            n_legal = n;
        else
            n_illegal = n;
    }
    return n_legal;
}

size_t game_reach(const TurfGame *game, const void *state, TurfSide side, TurfCell *cells)
{
    int    rows, cols;
    size_t n_cells = 0;
    if (game->reach)
        return game->reach(state, side, cells);
    game->size(state, &rows, &cols);
    for (int i = 0; i < rows * cols; i++) {
        cells[n_cells] = (TurfCell){i / cols, i % cols};
        n_cells += game->is_legal_action(state, side, &(TurfAction){&cells[n_cells], 1}, NULL);
    }
    return n_cells;
}

size_t game_max_cells(const TurfGame *game, const void *state, TurfSide side)
{
    TurfCell cells[TURF_MAX_CELLS];
    if (game->max_cells)
        return game->max_cells(state, side);
    TurfAction all = {cells, game_reach(game, state, side, cells)};
    return game->is_legal_action(state, side, &all, NULL)
               ? all.n_cells
               : game_find_bad_cell(game, state, side, &all);
}

/* ---- boards ------------------------------------------------------------------------------- */

int game_owner(const TurfGame *game, char symbol)
{
    for (int side = 0; side < 2; side++)
        if (game->side_letters[side][0] == symbol)
            return side;
    return -1;
}

json_t *game_board_json(const TurfGame *game, const void *state)
{
    int     rows, cols;
    json_t *board = json_array();
    game->size(state, &rows, &cols);
    for (int row = 0; row < rows; row++) {
        char text[MAX_BOARD_SIDE];
        for (int col = 0; col < cols; col++)
            text[col] = game->cell(state, row, col);
        json_add(&board, json_stringn(text, (size_t)cols));
    }
    return board;
}

size_t game_move_cells(const TurfGame *game, const void *state, TurfMove move,
                       TurfCell cells[MAX_MOVE_CELLS])
{
    int       rows, cols;
    size_t    n_cells = 0;
    TurfState after;
    if (game->move_cells)
        return game->move_cells(state, move, cells);
    memcpy(&after, state, game->state_size);
    game->apply(&after, move);
    game->size(state, &rows, &cols);
    for (int i = 0; i < rows * cols && n_cells < MAX_MOVE_CELLS; i++) {
        char was = game->cell(state, i / cols, i % cols);
        char is = game->cell(&after, i / cols, i % cols);
        if (game_owner(game, was) < 0 && game_owner(game, is) >= 0)
            cells[n_cells++] = (TurfCell){i / cols, i % cols};
    }
    return n_cells;
}

/* ---- pictures ----------------------------------------------------------------------------- */

bool draw_is_narrow(const DrawStyle *style, int n_columns)
{
    return style->n_columns > 0 && style->n_columns < n_columns;
}

void draw_needed_columns(const DrawStyle *style, int n_columns, FILE *out)
{
    if (draw_is_narrow(style, n_columns))
        fprintf(out, "(This board needs %d columns; here are %d.)\n", n_columns, style->n_columns);
}

/* Where columns are scarce, cells stand side by side, and what does not fit is cut. */
static void draw_cells(const TurfGame *game, const void *state, const DrawStyle *style, FILE *out)
{
    static const char *const paint[2] = {"\033[1;34m", "\033[1;31m"};
    enum { LABEL = 3 };
    int rows, cols;
    game->size(state, &rows, &cols);
    bool        is_narrow = draw_is_narrow(style, LABEL + 2 * cols);
    const char *space = is_narrow ? "" : " ", *margin = is_narrow ? " " : "";
    int         n_needed = is_narrow ? LABEL + 1 + cols : LABEL + 2 * cols;
    int         n_shown = draw_is_narrow(style, n_needed) ? style->n_columns - LABEL - 1 : cols;
    fprintf(out, "   %s", margin);
    for (int col = 0; col < n_shown; col++)
        fprintf(out, "%s%c", space, game->has_letters ? 'A' + col % 26 : '0' + (col + 1) % 10);
    for (int row = 0; row < rows; row++) {
        fprintf(out, "\n%3d%s", row + 1, margin);
        for (int col = 0; col < n_shown; col++) {
            char symbol = game->cell(state, row, col);
            int  owner = style->has_colour ? game_owner(game, symbol) : -1;
            if (owner >= 0)
                fprintf(out, "%s%s%c\033[0m", space, paint[owner], symbol);
            else
                fprintf(out, "%s%c", space, symbol);
        }
    }
    fputc('\n', out);
    draw_needed_columns(style, n_needed, out);
    fprintf(out, "    %s %d, %s %d\n", game->side_names[0], game->own(state, TURF_FIRST),
            game->side_names[1], game->own(state, TURF_SECOND));
}

void game_draw(const TurfGame *game, const void *state, const DrawStyle *style, FILE *out)
{
    if (game->draw)
        game->draw(state, style, out);
    else
        draw_cells(game, state, style, out);
}

void game_draw_move(const TurfGame *game, const void *before, TurfMove move, const DrawStyle *style,
                    FILE *out)
{
    TurfState after;
    if (game->draw_move) {
        game->draw_move(before, move, style, out);
        return;
    }
    memcpy(&after, before, game->state_size);
    game->apply(&after, move);
    game_draw(game, &after, style, out);
}
