#include "aw_slow.h"

#include <string.h>

void slow_dish_start(SlowDish *dish, int rows, int columns)
{
    memset(dish, 0, sizeof *dish);
    dish->rows = rows;
    dish->columns = columns;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            dish->cell[r][c] = '.';
    dish->cell[rows - 1][0] = 'O';
    dish->cell[0][columns - 1] = 'X';
    dish->to_move = 'O';
    dish->moves_left = 1;
    dish->steps = 3;
}

/* The cells from which a player reaches others. */
typedef struct Sources {
    bool at[26][26];
} Sources;

static bool is_next_to(const SlowDish *dish, int row, int column, const Sources *sources)
{
    for (int r = row - 1; r <= row + 1; r++)
        for (int c = column - 1; c <= column + 1; c++)
            if (r >= 0 && r < dish->rows && c >= 0 && c < dish->columns &&
                !(r == row && c == column) && sources->at[r][c])
                return true;
    return false;
}

/* The live cells of the player to move; with chains, also those it killed that are next to a
 * source, until there are no more. */
static void find_sources(const SlowDish *dish, Sources *sources)
{
    char mine = dish->to_move, killed_by_me = mine == 'O' ? 'o' : 'x';
    for (int r = 0; r < dish->rows; r++)
        for (int c = 0; c < dish->columns; c++)
            sources->at[r][c] = dish->cell[r][c] == mine;
    for (bool has_more = dish->has_chains; has_more;) {
        has_more = false;
        for (int r = 0; r < dish->rows; r++)
            for (int c = 0; c < dish->columns; c++)
                if (dish->cell[r][c] == killed_by_me && !sources->at[r][c] &&
                    is_next_to(dish, r, c, sources)) {
                    sources->at[r][c] = true;
                    has_more = true;
                }
    }
}

int slow_dish_moves(const SlowDish *dish, SlowCell *moves)
{
    char    enemy = dish->to_move == 'O' ? 'X' : 'O';
    int     n = 0;
    Sources sources;
    find_sources(dish, &sources);
    for (int r = 0; r < dish->rows; r++)
        for (int c = 0; c < dish->columns; c++) {
            if (dish->cell[r][c] != '.' && dish->cell[r][c] != enemy)
                continue;
            if (is_next_to(dish, r, c, &sources)) {
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
        if (dish->has_chains)
            *at = dish->to_move == 'O' ? 'o' : 'x';
        dish->killed[dish->to_move == 'X']++;
    }
    dish->moves_left--;
    if (dish->moves_left == 0) {
        dish->to_move = dish->to_move == 'O' ? 'X' : 'O';
        dish->moves_left = dish->steps;
    }
}

int slow_dish_score(const SlowDish *dish, char player)
{
    int score = dish->killed[player == 'X'];
    for (int r = 0; r < dish->rows; r++)
        for (int c = 0; c < dish->columns; c++)
            if (dish->cell[r][c] == player)
                score++;
    return score;
}

char slow_dish_winner(const SlowDish *dish)
{
    if (dish->is_stuck_lost)
        return dish->to_move == 'O' ? 'X' : 'O';
    int o = slow_dish_score(dish, 'O'), x = slow_dish_score(dish, 'X');
    if (o == x)
        return '-';
    return o > x ? 'O' : 'X';
}
