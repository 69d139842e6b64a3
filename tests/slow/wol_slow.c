#include "wol_slow.h"

#include <string.h>

static int neighbours(const SlowBoard *board, int row, int column, char colour)
{
    int count = 0;
    for (int r = row - 1; r <= row + 1; r++)
        for (int c = column - 1; c <= column + 1; c++) {
            if (r < 1 || r > 8 || c < 1 || c > 8)
                continue;
            if (r == row && c == column)
                continue;
            if (board->cell[r][c] == colour)
                count++;
        }
    return count;
}

void slow_crank(SlowBoard *board)
{
    SlowBoard next = *board;
    for (int r = 1; r <= 8; r++)
        for (int c = 1; c <= 8; c++) {
            int blue = neighbours(board, r, c, 'b');
            int red = neighbours(board, r, c, 'r');
            if (board->cell[r][c] != '.') {
                if (blue + red <= 1 || blue + red >= 4)
                    next.cell[r][c] = '.';
            } else if ((blue == 2 && red == 1) || (blue == 3 && red == 0)) {
                next.cell[r][c] = 'b';
            } else if ((red == 2 && blue == 1) || (red == 3 && blue == 0)) {
                next.cell[r][c] = 'r';
            }
        }
    *board = next;
}

int slow_moves(const SlowBoard *board, SlowMove *moves)
{
    int n = 0;
    for (int r1 = 1; r1 <= 8; r1++)
        for (int c1 = 1; c1 <= 8; c1++) {
            if (board->cell[r1][c1] != board->to_move)
                continue;
            for (int r2 = r1 - 1; r2 <= r1 + 1; r2++)
                for (int c2 = c1 - 1; c2 <= c1 + 1; c2++)
                    if (r2 >= 1 && r2 <= 8 && c2 >= 1 && c2 <= 8 && board->cell[r2][c2] == '.') {
                        SlowMove move = {r1, c1, r2, c2};
                        moves[n++] = move;
                    }
        }
    return n;
}

void slow_play(SlowBoard *board, SlowMove move)
{
    board->cell[move.r1][move.c1] = '.';
    board->cell[move.r2][move.c2] = board->to_move;
    slow_crank(board);
    board->to_move = board->to_move == 'b' ? 'r' : 'b';
    board->moves_made++;
}

int slow_count(const SlowBoard *board, char colour)
{
    int count = 0;
    for (int r = 1; r <= 8; r++)
        for (int c = 1; c <= 8; c++)
            if (board->cell[r][c] == colour)
                count++;
    return count;
}

SlowEnding slow_ending(const SlowBoard *board)
{
    SlowMove moves[SLOW_MAX_MOVES];
    int      blue = slow_count(board, 'b'), red = slow_count(board, 'r');
    if (blue == 0 && red == 0)
        return SLOW_DRAW;
    if (red == 0)
        return SLOW_BLUE;
    if (blue == 0)
        return SLOW_RED;
    if (board->moves_made >= 250)
        return SLOW_EXHAUSTED;
    if (slow_moves(board, moves) == 0)
        return SLOW_STALEMATE;
    return SLOW_GOES_ON;
}

void slow_random_start(SlowBoard *board, SlowDraw *draw, void *context)
{
    memset(board->cell, '.', sizeof board->cell);
    board->to_move = 'b';
    board->moves_made = 0;
    for (int i = 0; i < 24; i++) {
        int r, c;
        do {
            r = 1 + draw(context, 8);
            c = 1 + draw(context, 8);
        } while (board->cell[r][c] != '.');
        board->cell[r][c] = i < 12 ? 'b' : 'r';
    }
}

SlowEnding slow_random_game(SlowBoard *board, SlowDraw *draw, void *context)
{
    SlowEnding ending;
    while ((ending = slow_ending(board)) == SLOW_GOES_ON) {
        SlowMove moves[SLOW_MAX_MOVES];
        int      n = slow_moves(board, moves);
        slow_play(board, moves[draw(context, n)]);
    }
    return ending;
}

typedef struct SlowMeasure {
    char chooser; /* whose move it was at the root */
    int  own_weight, other_weight;
    bool wins_beyond;
} SlowMeasure;

static int minimax(const SlowBoard *board, int depth, const SlowMeasure *measure)
{
    char       other = measure->chooser == 'b' ? 'r' : 'b';
    SlowEnding ending = slow_ending(board);
    if (ending != SLOW_GOES_ON && measure->wins_beyond) {
        if (ending == SLOW_BLUE || ending == SLOW_RED)
            return (ending == SLOW_BLUE) == (measure->chooser == 'b') ? 1000000 : -1000000;
        return 0;
    }
    if (depth == 0 || ending != SLOW_GOES_ON)
        return measure->own_weight * slow_count(board, measure->chooser) +
               measure->other_weight * slow_count(board, other);

    SlowMove moves[SLOW_MAX_MOVES];
    int      n = slow_moves(board, moves), best = 0;
    for (int i = 0; i < n; i++) {
        SlowBoard child = *board;
        slow_play(&child, moves[i]);
        int value = minimax(&child, depth - 1, measure);
        if (i == 0 || (board->to_move == measure->chooser ? value > best : value < best))
            best = value;
    }
    return best;
}

int slow_value(const SlowBoard *board, SlowMove move, int depth, int own_weight, int other_weight,
               bool wins_beyond)
{
    SlowMeasure measure = {board->to_move, own_weight, other_weight, wins_beyond};
    SlowBoard   child = *board;
    slow_play(&child, move);
    return minimax(&child, depth - 1, &measure);
}
