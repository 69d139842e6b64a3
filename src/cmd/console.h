/* What commands share: leaving with an error, reading input, writing output, the terminal. */
#ifndef TURF_CMD_CONSOLE_H
#define TURF_CMD_CONSOLE_H

#include "cmd/command.h"

/* One line on standard error and out, with EXIT_USAGE. */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Before anything else: the name of the program, for messages, and which signals are heeded. */
void console_begin(const char *program);
/* The name of the command, for messages. */
void console_set_name(const char *command);

/* Standard output arrived where it should, or die; in silence if its reader has had enough. */
void console_finish(void);

bool console_has_colour(FILE *stream);

/* A line of standard output, or several; takes the JSON, which is NULL when memory was short. */
void print_json(json_t *json, size_t flags);

/* Ctrl-C and its like set a flag from now on; the second of a kind ends the program at once. */
void console_catch_interrupt(void);
bool console_is_interrupted(void);
/* It ends the program at once again. */
void console_let_interrupt(void);

const TurfGame *read_game(const char *name);
TurfPlayer     *read_player(const TurfGame *game, const char *spec);
/* The whole of a small text file, or of standard input for "-". Freed by the caller. */
char *read_file(const char *path);
/* What --start and --size mean: the name of a start, a board written out, a file that holds one, or
 * a size. The result is checked; it is freed by the caller, and NULL stands for the usual start. */
char *read_start(const TurfGame *game, const Settings *settings);

/* A file that appears whole under its name or not at all: what was there stays until the end. One
 * is open at a time. */
typedef struct OutputFile {
    FILE       *stream;
    const char *path;
    char       *temporary; /* NULL when written in place, as to a device */
} OutputFile;

OutputFile output_open(const char *path);
/* Would writing to this file destroy a database: is it one, or what SQLite keeps beside one? Not to
 * be asked about a database that stays open, since looking into it undoes SQLite's locks. */
bool is_of_database(const char *path);
void output_close(OutputFile *output);

/* Lines of any length from a stream. NULL at the end; the line stays valid until the next call. */
typedef struct LineReader {
    FILE  *stream;
    char  *line;
    size_t room;
    int    number; /* of the line last read, from 1 */
} LineReader;

char *line_next(LineReader *reader);

#endif
