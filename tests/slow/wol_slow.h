/* War of Life the slow and obvious way: an array of cells, loops over neighbours, a list of moves.
 * Written from the rules alone and independent of src/games, it is what the tests compare with and
 * what the bench measures speed against. */
#ifndef TURF_TESTS_WOL_SLOW_H
#define TURF_TESTS_WOL_SLOW_H

#include <stdbool.h>
#include <stdint.h>

typedef struct SlowBoard {
    char cell[9][9]; /* 'b', 'r' or '.'; rows and columns from 1 */
    char to_move;
    int  moves_made;
} SlowBoard;

typedef struct SlowMove {
    int r1, c1, r2, c2;
} SlowMove;

enum { SLOW_MAX_MOVES = 512 };

typedef enum SlowEnding {
    SLOW_GOES_ON,
    SLOW_BLUE,
    SLOW_RED,
    SLOW_DRAW,
    SLOW_STALEMATE,
    SLOW_EXHAUSTED
} SlowEnding;

void       slow_crank(SlowBoard *board);
int        slow_moves(const SlowBoard *board, SlowMove *moves); /* by r1, c1, r2, c2 */
void       slow_play(SlowBoard *board, SlowMove move);
SlowEnding slow_ending(const SlowBoard *board);
int        slow_count(const SlowBoard *board, char colour);

/* A start with 12 and 12 pieces, and a whole random game; `next` draws 0..n-1. */
typedef int SlowDraw(void *context, int n);
void        slow_random_start(SlowBoard *board, SlowDraw *draw, void *context);
SlowEnding  slow_random_game(SlowBoard *board, SlowDraw *draw, void *context);

/* The value of a move by plain minimax with the measure own_weight * own + other_weight * other,
 * and no cut-offs at all; `depth` counts this move. */
int slow_value(const SlowBoard *board, SlowMove move, int depth, int own_weight, int other_weight,
               bool wins_beyond);

#endif
