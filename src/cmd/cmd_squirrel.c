/* turf squirrel: the SquirrelWar coursework, file in and files out. */
#include "cmd/squirrel_input.h"

#include "cmd/console.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Desk {
    const char *folder;
    const char *line_end;
} Desk;

static char *path_in(const Desk *desk, const char *name)
{
    char *path = NULL;
    if (asprintf(&path, "%s/%s", desk->folder, name) < 0)
        die("out of memory");
    return path;
}

/* The five rows; nothing after the last one if `is_last`, as in the course's own files. */
static void write_board(const SwState *board, const Desk *desk, bool is_last, FILE *out)
{
    for (int square = 0; square < SW_SQUARES; square++) {
        fputc(board->pieces[0] & sw_bit(square)   ? 'X'
              : board->pieces[1] & sw_bit(square) ? 'O'
                                                  : '*',
              out);
        if (square % SW_SIDE == SW_SIDE - 1 && !(is_last && square == SW_SQUARES - 1))
            fputs(desk->line_end, out);
    }
}

/* Tasks 1 to 3: one move. */
static void write_move(SquirrelTask *task, const Desk *desk)
{
    char *log_path = path_in(desk, "traverse_log.txt"),
         *state_path = path_in(desk, "next_state.txt");
    bool       has_log = task->players[0].algorithm != SW_GREEDY;
    OutputFile log = {.stream = NULL};
    if (has_log)
        log = output_open(log_path);
    int square = sw_traverse(&task->state, task->players[0].algorithm, task->players[0].depth,
                             log.stream, desk->line_end);
    if (has_log)
        output_close(&log);
    if (square >= 0)
        sw_apply(&task->state.board, square);
    OutputFile next = output_open(state_path);
    write_board(&task->state.board, desk, true, next.stream);
    output_close(&next);
    free(log_path);
    free(state_path);
}

/* Task 4: both players in turn until the board is full. */
static void write_battle(SquirrelTask *task, const Desk *desk)
{
    char      *path = path_in(desk, "trace_state.txt");
    OutputFile trace = output_open(path);
    for (int turn = 0; sw_empty(&task->state.board); turn ^= 1) {
        int square = sw_traverse(&task->state, task->players[turn].algorithm,
                                 task->players[turn].depth, NULL, desk->line_end);
        sw_apply(&task->state.board, square);
        write_board(&task->state.board, desk, !sw_empty(&task->state.board), trace.stream);
    }
    output_close(&trace);
    free(path);
}

int cmd_squirrel(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    const char     *path = arguments->words[0];
    Desk  desk = {settings->output ? settings->output : ".", settings->wants_crlf ? "\r\n" : "\n"};
    FILE *file = strcmp(path, "-") ? fopen(path, "r") : stdin;
    SquirrelTask task;
    TurfError    error;
    struct stat  about;
    if (!file)
        die("'%s' cannot be read: %s", path, strerror(errno));
    if (!squirrel_read(file, &task, &error))
        die("%s: %s", path, error.text);
    if (task.warning_line)
        fprintf(stderr,
                "turf squirrel: %s: line %d: a value is 100, and the game's go to 99; taken as it "
                "stands\n",
                path, task.warning_line);
    if (file != stdin)
        fclose(file);
    if (mkdir(desk.folder, 0777) != 0 &&
        (errno != EEXIST || stat(desk.folder, &about) != 0 || !S_ISDIR(about.st_mode)))
        die("the folder '%s' cannot be made: %s", desk.folder, strerror(errno));
    (task.task == 4 ? write_battle : write_move)(&task, &desk);
    return EXIT_FINE;
}
