/* An example bot with a simple strategy for each of the four games. Copy it and improve it. */
#include "turf_bot.h"

#include <stdbool.h>

enum { MAX_CELLS = 128 * 128, MAX_ANSWER = 1000 /* an answer must fit into 64 KiB */ };

static const int STEPS[8][2] = {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1},
                                {0, 1},   {1, -1}, {1, 0},  {1, 1}};

/* The mark at a cell, or a blank outside the board. */
static char mark_at(const char *board, int row, int col)
{
    const char *text = json_at(board, row);
    return text && col >= 0 && col < (int)strcspn(text + 1, "\"") ? text[1 + col] : ' ';
}

/* War of Life: a piece lives on with two or three friends around it, so move to where they are. */
static int judge_war_of_life(const char *board, char you, const char *move)
{
    int friends = 0;
    for (int way = 0; way < 8; way++) {
        int row = json_int(json_at(move, 2)) + STEPS[way][0],
            col = json_int(json_at(move, 3)) + STEPS[way][1];
        if (row != json_int(json_at(move, 0)) ||
            col != json_int(json_at(move, 1)))                  /* it has left its old cell */
            friends += mark_at(board, row - 1, col - 1) == you; /* moves count from 1 */
    }
    return friends == 2 || friends == 3;
}

/* Amoeba Wars: kill if you can. A move is "B12", and row 1 is at the bottom of the square board. */
static int judge_amoeba_wars(const char *board, const char *move)
{
    int  n_rows = (int)strcspn(json_first(board) + 1, "\"");
    char mark = mark_at(board, n_rows - json_int(move + 2), move[1] - 'A');
    return mark == 'O' || mark == 'X';
}

/* SquirrelWar: the value of the square, and twice that of the pieces it takes: we win them, and the
 * enemy loses them.
 */
static int judge_squirrel_war(const char *board, char you, const char *values, const char *move)
{
    int  row = move[2] - '1', col = move[1] - 'A', taken = 0;
    bool is_raid = false;
    for (int way = 0; way < 8; way++) {
        int  r = row + STEPS[way][0], c = col + STEPS[way][1];
        char mark = r == row || c == col ? mark_at(board, r, c) : ' '; /* diagonals do not count */
        if (mark == you)
            is_raid = true;
        else if (mark == 'X' || mark == 'O')
            taken += json_int(json_at(json_at(values, r), c));
    }
    return json_int(json_at(json_at(values, row), col)) + (is_raid ? 2 * taken : 0);
}

/* AI Battleground. A cell is a number, row * n_cols + col; its owner is 1 for us, -1 for the enemy
 * and 0 if dead. The lead of a cell is our number of neighbours minus the enemy's. */
static int n_rows, n_cols, owner[MAX_CELLS], lead[MAX_CELLS], steps_away[MAX_CELLS];

/* The neighbour of a cell in a direction from 0 to 7; the edges are glued together. */
static int neighbour(int cell, int way)
{
    int row = (cell / n_cols + STEPS[way][0] + n_rows) % n_rows,
        col = (cell % n_cols + STEPS[way][1] + n_cols) % n_cols;
    return row * n_cols + col;
}

/* Who owns a cell after the step. */
static int fate(int who, int ahead)
{
    if (who == 0)
        return ahead == 3 ? 1 : ahead == -3 ? -1 : 0;      /* born */
    return who * ahead == 2 || who * ahead == 3 ? who : 0; /* lives on or dies */
}

/* What colonising a dead cell would change: the fate of the cell itself, and of the cells around
 * it. */
static int gain(int cell)
{
    int change = fate(1, lead[cell]) - fate(0, lead[cell]);
    for (int way = 0; way < 8; way++) {
        int near = neighbour(cell, way);
        change += fate(owner[near], lead[near] + 1) - fate(owner[near], lead[near]);
    }
    return change;
}

/* The lead of each cell, and how many steps it is from our nearest live one: first ours, then those
 * around, and so on.
 */
static void look_around(void)
{
    static int queue[MAX_CELLS];
    int        n_queued = 0;
    for (int cell = 0; cell < n_rows * n_cols; cell++) {
        lead[cell] = 0;
        for (int way = 0; way < 8; way++)
            lead[cell] += owner[neighbour(cell, way)];
        steps_away[cell] = owner[cell] == 1 ? 0 : -1; /* not seen yet */
        if (owner[cell] == 1)
            queue[n_queued++] = cell;
    }
    for (int i = 0; i < n_queued; i++)
        for (int way = 0; way < 8; way++) {
            int near = neighbour(queue[i], way);
            if (steps_away[near] < 0) {
                steps_away[near] = steps_away[queue[i]] + 1;
                queue[n_queued++] = near;
            }
        }
}

/* Takes the cells that add the most to our lead after the next step: first those that add four,
 * then three, and so on. */
static void choose_cells(const char *question)
{
    int distance = json_int(json_get(question, "maxColonisationDistance"));
    int budget = json_int(json_get(question, "cellsRemaining")), n_chosen = 0,
        chosen[MAX_ANSWER][2], n_cells = 0;
    n_rows = 0;
    for (const char *row = json_first(json_get(question, "field")); row;
         row = json_next(row), n_rows++)
        for (const char *mark = row + 1; *mark != '"' && n_cells < MAX_CELLS; mark++)
            owner[n_cells++] = *mark == '#' ? 1 : *mark == 'O' ? -1 : 0;
    n_cols = n_rows > 0 ? n_cells / n_rows : 0;
    look_around();
    for (int wanted = 4; wanted >= 1; wanted--)
        for (int cell = 0; cell < n_cells && n_chosen < budget && n_chosen < MAX_ANSWER; cell++)
            if (owner[cell] == 0 && steps_away[cell] > 0 && steps_away[cell] <= distance &&
                gain(cell) >= wanted) {
                chosen[n_chosen][0] = cell / n_cols;
                chosen[n_chosen++][1] = cell % n_cols;
                owner[cell] = 1;
                for (int way = 0; way < 8; way++)
                    lead[neighbour(cell, way)]++;
            }
    turf_cells(n_chosen, chosen);
}

static void choose_move(const char *question)
{
    const char *board = json_get(question, "board"), *values = json_get(question, "values"),
               *best = NULL;
    int  best_value = -1;
    char you = json_get(question, "you")[1];
    for (const char *move = json_first(json_get(question, "moves")); move; move = json_next(move)) {
        int value = values                         ? judge_squirrel_war(board, you, values, move)
                    : json_get(question, "killed") ? judge_amoeba_wars(board, move)
                                                   : judge_war_of_life(board, you, move);
        best = value > best_value ? move : best; /* the first of the best */
        best_value = value > best_value ? value : best_value;
    }
    turf_move(best);
}

static void choose(const char *question)
{
    (json_get(question, "field") ? choose_cells : choose_move)(question);
}

int main(void) { return turf_play(choose); }
