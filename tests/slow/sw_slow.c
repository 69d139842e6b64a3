#include "sw_slow.h"

static const int steps[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};

static bool is_owned_by(const SlowNuts *nuts, int row, int column, char player)
{
    return row >= 0 && row < nuts->side && column >= 0 && column < nuts->side &&
           nuts->owner[row][column] == player;
}

bool slow_nuts_is_free(const SlowNuts *nuts, int row, int column)
{
    return nuts->owner[row][column] == '*';
}

bool slow_nuts_is_full(const SlowNuts *nuts)
{
    for (int r = 0; r < nuts->side; r++)
        for (int c = 0; c < nuts->side; c++)
            if (slow_nuts_is_free(nuts, r, c))
                return false;
    return true;
}

void slow_nuts_play(SlowNuts *nuts, int row, int column)
{
    char own = nuts->to_move, enemy = own == 'X' ? 'O' : 'X';
    bool is_raid = false;
    for (int i = 0; i < 4; i++)
        if (is_owned_by(nuts, row + steps[i][0], column + steps[i][1], own))
            is_raid = true;
    nuts->owner[row][column] = own;
    for (int i = 0; i < 4 && is_raid; i++)
        if (is_owned_by(nuts, row + steps[i][0], column + steps[i][1], enemy))
            nuts->owner[row + steps[i][0]][column + steps[i][1]] = own;
    nuts->to_move = enemy;
}

int slow_nuts_total(const SlowNuts *nuts, char player)
{
    int total = 0;
    for (int r = 0; r < nuts->side; r++)
        for (int c = 0; c < nuts->side; c++)
            if (nuts->owner[r][c] == player)
                total += nuts->value[r][c];
    return total;
}

int slow_nuts_solve(const SlowNuts *nuts)
{
    char own = nuts->to_move, enemy = own == 'X' ? 'O' : 'X';
    int  best = -1000000;
    if (slow_nuts_is_full(nuts))
        return slow_nuts_total(nuts, own) - slow_nuts_total(nuts, enemy);
    for (int r = 0; r < nuts->side; r++)
        for (int c = 0; c < nuts->side; c++)
            if (slow_nuts_is_free(nuts, r, c)) {
                SlowNuts child = *nuts;
                slow_nuts_play(&child, r, c);
                int value = -slow_nuts_solve(&child);
                if (value > best)
                    best = value;
            }
    return best;
}
