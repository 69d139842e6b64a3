/* AI Battleground the slow and obvious way, from the rules alone; see wol_slow.h. */
#ifndef TURF_TESTS_BG_SLOW_H
#define TURF_TESTS_BG_SLOW_H

#include <stdbool.h>

typedef struct SlowField {
    int  rows, cols;
    char cell[128][128]; /* '1', '2' or '.' */
    int  gain, capacity, distance;
    bool is_classic;       /* or by difference */
    bool is_player2_lucky; /* or collisions cancel */
    int  left[2];          /* cells that each player may still list */
    int  iteration;
} SlowField;

typedef struct SlowSpot {
    int row, col;
} SlowSpot;

typedef enum SlowLegality {
    SLOW_LEGAL,
    SLOW_TOO_MANY,
    SLOW_OUTSIDE,
    SLOW_ALIVE,
    SLOW_FAR
} SlowLegality;

/* One dead cell or not, on the board or not; players are '1' and '2'. */
SlowLegality slow_field_check_spot(const SlowField *field, char player, SlowSpot spot);
/* A whole action; `at` becomes the first spot that is wrong. */
SlowLegality slow_field_check(const SlowField *field, char player, const SlowSpot *spots,
                              int n_spots, int *at);

void slow_field_step(SlowField *field);
void slow_field_play(SlowField *field, const SlowSpot *spots1, int n_spots1, const SlowSpot *spots2,
                     int n_spots2);
int  slow_field_count(const SlowField *field, char player);

#endif
