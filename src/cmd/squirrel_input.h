/* The input files of the SquirrelWar coursework. */
#ifndef TURF_CMD_SQUIRREL_INPUT_H
#define TURF_CMD_SQUIRREL_INPUT_H

#include "search/squirrel_traverse.h"

/* Tasks 1 to 3: one move of players[0]. Task 4: a battle, players[0] moving first. */
typedef struct SquirrelTask {
    int task;
    struct {
        TurfSide    side;
        SwAlgorithm algorithm;
        int         depth;
    } players[2];
    SwPosition state;
    int warning_line; /* the last line with a value of 100, one above the maximum; 0 if there is
                         none */
} SquirrelTask;

/* Reads a file to its end; error texts name the line. */
bool squirrel_read(FILE *file, SquirrelTask *task, TurfError *error);

#endif
