/* Amoeba Wars and its family the slow and obvious way, from the rules alone; see wol_slow.h. */
#ifndef TURF_TESTS_AW_SLOW_H
#define TURF_TESTS_AW_SLOW_H

#include <stdbool.h>

typedef struct SlowDish {
    int  rows, columns;
    char cell[26][26]; /* 'O', 'X' or '.'; killed: '#', with chains 'o' (by O) or 'x' (by X);
                          row 0 at the top */
    char to_move;
    int  moves_left;
    int  killed[2]; /* by O, by X */
    int  steps;     /* moves a turn */
    bool has_chains, is_stuck_lost;
} SlowDish;

typedef struct SlowCell {
    int row, column;
} SlowCell;

/* The default rules; change `steps`, `moves_left`, `has_chains` and `is_stuck_lost` for others. */
void slow_dish_start(SlowDish *dish, int rows, int columns);
int  slow_dish_moves(const SlowDish *dish, SlowCell *moves); /* top row first, left to right */
void slow_dish_play(SlowDish *dish, SlowCell cell);
int  slow_dish_score(const SlowDish *dish, char player);
/* The winner, 'O' or 'X', of a position without a move; '-' for a tie. */
char slow_dish_winner(const SlowDish *dish);

#endif
