/* SquirrelWar the slow and obvious way, from the rules alone; see wol_slow.h. */
#ifndef TURF_TESTS_SW_SLOW_H
#define TURF_TESTS_SW_SLOW_H

#include <stdbool.h>

typedef struct SlowNuts {
    int  side; /* 2 to 8; rows and columns from it on are not used */
    int  value[8][8];
    char owner[8][8]; /* 'X', 'O' or '*' */
    char to_move;
} SlowNuts;

bool slow_nuts_is_free(const SlowNuts *nuts, int row, int column);
bool slow_nuts_is_full(const SlowNuts *nuts);
void slow_nuts_play(SlowNuts *nuts, int row, int column);
int  slow_nuts_total(const SlowNuts *nuts, char player);

/* The value of perfect play by trying everything: the mover's final total minus the other's. */
int slow_nuts_solve(const SlowNuts *nuts);

#endif
