/* The loop of the commands that answer JSON lines with JSON lines. A bad line is answered by
 * {"error":...,"line":N}, and the loop goes on. */
#ifndef TURF_CMD_JSON_LINES_H
#define TURF_CMD_JSON_LINES_H

#include "games/game.h"

/* Answers one line. JSON null: print nothing. NULL: the error is filled in. */
typedef json_t *LineAnswer(const void *context, const TurfGame *game, const json_t *line,
                           TurfError *error);

/* Reads standard input to its end; returns the exit status. */
int json_lines(const TurfGame *game, LineAnswer *answer, const void *context);

#endif
