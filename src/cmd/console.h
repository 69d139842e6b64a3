/* What the commands share: fatal errors, signals, input and output files, the terminal. */
#ifndef TURF_CMD_CONSOLE_H
#define TURF_CMD_CONSOLE_H

#include "cmd/command.h"
#include "games/game.h"

/* Prints one line to standard error and exits with EXIT_USAGE. */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The memory, or dies if there is none: for what malloc, strdup and the like return. */
void *or_die(void *memory);
/* Like asprintf. */
char *format_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* To be called first: sets the program's name for messages, and the signal handling. */
void console_begin(const char *program);
/* Sets the command's name for messages. */
void console_set_name(const char *command);

/* Flushes standard output. Dies if it could not be written, silently if the reader closed the
 * pipe. */
void console_finish(void);

bool console_has_colour(FILE *stream);
/* Colours, and the width of the window if the stream is a terminal. */
DrawStyle console_draw_style(FILE *stream);

/* Writes JSON and a newline, and releases it. Control characters that jansson would write as they
 * are become escapes, which mean the same. Dies if it is NULL (out of memory). */
void write_json(json_t *json, size_t flags, FILE *out);
void print_json(json_t *json, size_t flags);

/* From now on SIGINT, SIGTERM and SIGHUP set a flag; the second of a kind ends the program. */
void console_catch_interrupt(void);
bool console_is_interrupted(void);
/* Restores the default: an interrupt ends the program at once. */
void console_let_interrupt(void);

const TurfGame *read_game(const char *name);
TurfPlayer     *read_player(const TurfGame *game, const char *spec);
/* Reads a text file of up to 1 MiB, or standard input for "-". The caller frees the text. */
char *read_file(const char *path);
/* The start position given by --start (a name, a position as text, or a file that holds one) or
 * --size, checked. NULL is the default start. The caller frees it. */
char *read_start(const TurfGame *game, const Settings *settings);

/* A file written atomically: to a temporary name, renamed on success. One can be open at a time. */
typedef struct OutputFile {
    FILE       *stream;
    const char *path;
    char       *temporary; /* NULL: written in place, as for a device */
} OutputFile;

OutputFile output_open(const char *path);
/* Is this file an SQLite database or one of its journals? Must not be called for a database that
 * this process has open: closing the file would drop SQLite's locks. */
bool is_of_database(const char *path);
void output_close(OutputFile *output);

/* Reads lines of any length. A line is valid until the next call; NULL at the end. */
typedef struct LineReader {
    FILE  *stream;
    char  *line;
    size_t room;
    int    number; /* of the line last read, from 1 */
} LineReader;

char *line_next(LineReader *reader);

#endif
