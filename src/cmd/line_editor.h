/* Asking a person for a line: with editing and history at a terminal, else plainly. */
#ifndef TURF_CMD_LINE_EDITOR_H
#define TURF_CMD_LINE_EDITOR_H

#include "cmd/console.h"

/* Shows the prompt and returns the next line, which is valid until the next call; NULL at the end
 * of the input. */
char *line_ask(LineReader *reader, const char *prompt);

#endif
