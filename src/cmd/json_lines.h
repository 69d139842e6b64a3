/* The loop of the commands that answer JSON lines with JSON lines: a line that cannot be answered
 * gives {"error":...,"line":N} in its place, and the rest is still served. */
#ifndef TURF_CMD_JSON_LINES_H
#define TURF_CMD_JSON_LINES_H

#include "games/game.h"

/* The answer to one line, a JSON null where nothing is to be said, or NULL with the error filled
 * in. */
typedef json_t *LineAnswer(const void *context, const TurfGame *game, const json_t *line,
                           TurfError *error);

/* Returns the exit status. */
int json_lines(const TurfGame *game, LineAnswer *answer, const void *context);

#endif
