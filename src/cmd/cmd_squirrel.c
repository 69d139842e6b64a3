/* turf squirrel: reads an input file of the SquirrelWar coursework and writes the output files it
 * prescribes, to the byte. */
#include "cmd/squirrel_input.h"

#include "cmd/console.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Output {
    const char *folder;
    const char *line_end;
} Output;

static char *path_in(const Output *output, const char *name)
{
    return format_text("%s/%s", output->folder, name);
}

/* Writes the five rows. The course's files have no newline after the last row of the last board
 * (`is_last`). */
static void write_board(const SwState *board, const Output *output, bool is_last, FILE *out)
{
    for (int square = 0; square < SW_SQUARES; square++) {
        char piece = '*';
        if (board->pieces[0] & sw_bit(square))
            piece = 'X';
        else if (board->pieces[1] & sw_bit(square))
            piece = 'O';
        fputc(piece, out);
        if (square % SW_SIDE == SW_SIDE - 1 && !(is_last && square == SW_SQUARES - 1))
            fputs(output->line_end, out);
    }
}

/* Tasks 1 to 3: one move. */
static void write_move(SquirrelTask *task, const Output *output)
{
    char *log_path = path_in(output, "traverse_log.txt"),
         *state_path = path_in(output, "next_state.txt");
    bool       has_log = task->players[0].algorithm != SW_GREEDY;
    OutputFile log = {.stream = NULL};
    if (has_log)
        log = output_open(log_path);
    int square = sw_traverse(&task->state, task->players[0].algorithm, task->players[0].depth,
                             log.stream, output->line_end);
    if (has_log)
        output_close(&log);
    if (square >= 0)
        sw_apply(&task->state.board, square);
    OutputFile next = output_open(state_path);
    write_board(&task->state.board, output, true, next.stream);
    output_close(&next);
    free(log_path);
    free(state_path);
}

/* Task 4: the two players alternate until the board is full. */
static void write_battle(SquirrelTask *task, const Output *output)
{
    char      *path = path_in(output, "trace_state.txt");
    OutputFile trace = output_open(path);
    for (int turn = 0; sw_empty(&task->state.board); turn ^= 1) {
        int square = sw_traverse(&task->state, task->players[turn].algorithm,
                                 task->players[turn].depth, NULL, output->line_end);
        sw_apply(&task->state.board, square);
        write_board(&task->state.board, output, !sw_empty(&task->state.board), trace.stream);
    }
    output_close(&trace);
    free(path);
}

int cmd_squirrel(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    const char     *path = arguments->words[0];
    Output          output = {".", "\n"};
    if (settings->output)
        output.folder = settings->output;
    if (settings->wants_crlf)
        output.line_end = "\r\n";
    FILE        *file = strcmp(path, "-") ? fopen(path, "r") : stdin;
    SquirrelTask task;
    TurfError    error;
    struct stat  about;
    if (!file)
        die("'%s' cannot be read: %s", path, strerror(errno));
    if (!squirrel_read(file, &task, &error))
        die("%s: %s", path, error.text);
    if (task.warning_line)
        fprintf(stderr,
                "turf squirrel: %s: line %d: warning: a value is 100 (maximum 99); used as given\n",
                path, task.warning_line);
    if (file != stdin)
        fclose(file);
    if (mkdir(output.folder, 0777) != 0 &&
        (errno != EEXIST || stat(output.folder, &about) != 0 || !S_ISDIR(about.st_mode)))
        die("the folder '%s' cannot be created: %s", output.folder, strerror(errno));
    if (task.task == 4)
        write_battle(&task, &output);
    else
        write_move(&task, &output);
    return EXIT_FINE;
}
