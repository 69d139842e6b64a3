/* Amoeba Wars the slow and obvious way, from the rules alone; see wol_slow.h. */
#ifndef TURF_TESTS_AW_SLOW_H
#define TURF_TESTS_AW_SLOW_H

#include <stdbool.h>

typedef struct SlowDish {
    int  size;
    char cell[26][26]; /* 'O', 'X', '#' or '.'; row 0 at the top */
    char to_move;
    int  moves_left;
    int  killed[2]; /* by O, by X */
} SlowDish;

typedef struct SlowCell {
    int row, column;
} SlowCell;

void slow_dish_start(SlowDish *dish, int size);
int  slow_dish_moves(const SlowDish *dish, SlowCell *moves); /* top row first, left to right */
void slow_dish_play(SlowDish *dish, SlowCell cell);
int  slow_dish_score(const SlowDish *dish, char player);

#endif
