#include "bg_slow.h"

#include <stdlib.h>
#include <string.h>

/* The shorter way between two places on a ring. */
static int apart(int a, int b, int length)
{
    int straight = abs(a - b);
    return straight < length - straight ? straight : length - straight;
}

static bool is_near(const SlowField *field, char player, SlowSpot spot)
{
    for (int r = 0; r < field->rows; r++)
        for (int c = 0; c < field->cols; c++)
            if (field->cell[r][c] == player && apart(r, spot.row, field->rows) <= field->distance &&
                apart(c, spot.col, field->cols) <= field->distance)
                return true;
    return false;
}

SlowLegality slow_field_check_spot(const SlowField *field, char player, SlowSpot spot)
{
    if (spot.row < 0 || spot.row >= field->rows || spot.col < 0 || spot.col >= field->cols)
        return SLOW_OUTSIDE;
    if (field->cell[spot.row][spot.col] != '.')
        return SLOW_ALIVE;
    if (!is_near(field, player, spot))
        return SLOW_FAR;
    return SLOW_LEGAL;
}

SlowLegality slow_field_check(const SlowField *field, char player, const SlowSpot *spots,
                              int n_spots, int *at)
{
    int left = field->left[player == '2'];
    if (n_spots > left) {
        *at = left;
        return SLOW_TOO_MANY;
    }
    for (*at = 0; *at < n_spots; ++*at) {
        SlowLegality choice = slow_field_check_spot(field, player, spots[*at]);
        if (choice != SLOW_LEGAL)
            return choice;
    }
    return SLOW_LEGAL;
}

/* Eight steps from the cell, each taken round the torus: on a narrow board some lead to the same
 * cell, or back to where they began, and count all the same. */
static int neighbours(const SlowField *field, int row, int col, char player)
{
    int n = 0;
    for (int dr = -1; dr <= 1; dr++)
        for (int dc = -1; dc <= 1; dc++) {
            int r = (row + dr + field->rows) % field->rows;
            int c = (col + dc + field->cols) % field->cols;
            if (!(dr == 0 && dc == 0) && field->cell[r][c] == player)
                n++;
        }
    return n;
}

static char next_by_difference(char cell, int n1, int n2)
{
    int lead = n1 - n2;
    if (cell == '1')
        return lead == 2 || lead == 3 ? '1' : '.';
    if (cell == '2')
        return lead == -2 || lead == -3 ? '2' : '.';
    return lead == 3 ? '1' : lead == -3 ? '2' : '.';
}

static char next_classic(char cell, int n1, int n2)
{
    if (cell == '1')
        return n1 == 2 || n1 == 3 ? '1' : '.';
    if (cell == '2')
        return n2 == 2 || n2 == 3 ? '2' : '.';
    if (n1 == 3 && n2 == 0)
        return '1';
    if (n2 == 3 && n1 == 0)
        return '2';
    return '.';
}

void slow_field_step(SlowField *field)
{
    SlowField old = *field;
    for (int r = 0; r < field->rows; r++)
        for (int c = 0; c < field->cols; c++) {
            int n1 = neighbours(&old, r, c, '1'), n2 = neighbours(&old, r, c, '2');
            field->cell[r][c] = field->is_classic ? next_classic(old.cell[r][c], n1, n2)
                                                  : next_by_difference(old.cell[r][c], n1, n2);
        }
}

static bool is_listed(const SlowSpot *spots, int n_spots, SlowSpot spot)
{
    for (int i = 0; i < n_spots; i++)
        if (spots[i].row == spot.row && spots[i].col == spot.col)
            return true;
    return false;
}

static void pay(SlowField *field, int player, int used)
{
    field->left[player] = field->left[player] - used + field->gain;
    if (field->left[player] > field->capacity)
        field->left[player] = field->capacity;
}

void slow_field_play(SlowField *field, const SlowSpot *spots1, int n_spots1, const SlowSpot *spots2,
                     int n_spots2)
{
    for (int i = 0; i < n_spots1; i++)
        if (!is_listed(spots2, n_spots2, spots1[i]))
            field->cell[spots1[i].row][spots1[i].col] = '1';
    for (int i = 0; i < n_spots2; i++)
        if (!is_listed(spots1, n_spots1, spots2[i]) || field->is_player2_lucky)
            field->cell[spots2[i].row][spots2[i].col] = '2';
    pay(field, 0, n_spots1);
    pay(field, 1, n_spots2);
    slow_field_step(field);
    field->iteration++;
}

int slow_field_count(const SlowField *field, char player)
{
    int n = 0;
    for (int r = 0; r < field->rows; r++)
        for (int c = 0; c < field->cols; c++)
            if (field->cell[r][c] == player)
                n++;
    return n;
}
