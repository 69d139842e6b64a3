#include "aw_slow.h"

#include <string.h>

void slow_dish_start(SlowDish *dish, int size)
{
    memset(dish, 0, sizeof *dish);
    dish->size = size;
    for (int r = 0; r < size; r++)
        for (int c = 0; c < size; c++)
            dish->cell[r][c] = '.';
    dish->cell[size - 1][0] = 'O';
    dish->cell[0][size - 1] = 'X';
    dish->to_move = 'O';
    dish->moves_left = 1;
}

static bool is_next_to(const SlowDish *dish, int row, int column, char player)
{
    for (int r = row - 1; r <= row + 1; r++)
        for (int c = column - 1; c <= column + 1; c++)
            if (r >= 0 && r < dish->size && c >= 0 && c < dish->size &&
                !(r == row && c == column) && dish->cell[r][c] == player)
                return true;
    return false;
}

int slow_dish_moves(const SlowDish *dish, SlowCell *moves)
{
    int n = 0;
    for (int r = 0; r < dish->size; r++)
        for (int c = 0; c < dish->size; c++) {
            if (dish->cell[r][c] == '#' || dish->cell[r][c] == dish->to_move)
                continue;
            if (is_next_to(dish, r, c, dish->to_move)) {
                moves[n].row = r;
                moves[n].column = c;
                n++;
            }
        }
    return n;
}

void slow_dish_play(SlowDish *dish, SlowCell cell)
{
    char *at = &dish->cell[cell.row][cell.column];
    if (*at == '.') {
        *at = dish->to_move;
    } else {
        *at = '#';
        dish->killed[dish->to_move == 'X']++;
    }
    dish->moves_left--;
    if (dish->moves_left == 0) {
        dish->to_move = dish->to_move == 'O' ? 'X' : 'O';
        dish->moves_left = 3;
    }
}

int slow_dish_score(const SlowDish *dish, char player)
{
    int score = dish->killed[player == 'X'];
    for (int r = 0; r < dish->size; r++)
        for (int c = 0; c < dish->size; c++)
            if (dish->cell[r][c] == player)
                score++;
    return score;
}
