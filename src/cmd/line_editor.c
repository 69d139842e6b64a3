/* Lines from a person. libedit edits them where standard input and output are a terminal that can
 * move its cursor; it is optional when turf is built. Otherwise lines are read as from a file. */
#include "cmd/line_editor.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef TURF_HAS_LIBEDIT
#include <editline/readline.h>

static bool can_edit(const LineReader *reader)
{
    const char *terminal = getenv("TERM");
    return reader->stream == stdin && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && terminal &&
           *terminal && strcmp(terminal, "dumb") != 0;
}

static char *edit(LineReader *reader, const char *prompt)
{
    free(reader->line);
    reader->line = readline(prompt);
    reader->room = 0;
    if (!reader->line)
        return NULL;
    reader->number++;
    if (*reader->line)
        add_history(reader->line);
    return reader->line;
}
#endif

char *line_ask(LineReader *reader, const char *prompt)
{
#ifdef TURF_HAS_LIBEDIT
    if (can_edit(reader)) {
        console_finish();
        return edit(reader, prompt);
    }
#endif
    fputs(prompt, stdout);
    console_finish();
    return line_next(reader);
}
