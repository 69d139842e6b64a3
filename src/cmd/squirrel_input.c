/* Parser of the SquirrelWar coursework's input files: task, players, values, board, line by line.
 */
#include "cmd/squirrel_input.h"

#include "base/error.h"
#include "cmd/console.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The next line, trimmed; NULL with an error at the end of the file. */
static char *next_line(LineReader *reader, const char *what, TurfError *error)
{
    char *line = line_next(reader);
    if (!line && ferror(reader->stream)) {
        error_system(error, errno, "it cannot be read: %s", strerror(errno));
        return NULL;
    }
    if (!line) {
        error_invalid(error, "the file ends after line %d; expected %s", reader->number, what);
        return NULL;
    }
    line += strspn(line, " \t");
    for (size_t length = strlen(line); length > 0 && isspace((unsigned char)line[length - 1]);)
        line[--length] = '\0';
    return line;
}

static bool read_number(LineReader *reader, const char *what, long min, long max, int *number,
                        TurfError *error)
{
    char *line = next_line(reader, what, error), *end = NULL, quoted[ERROR_QUOTE_BYTES];
    if (!line)
        return false;
    long value = strtol(line, &end, 10);
    if (!isdigit((unsigned char)*line) || *end || value < min || value > max)
        return error_invalid(error, "line %d: %s must be an integer from %ld to %ld, not '%s'",
                             reader->number, what, min, max, error_quote(quoted, line));
    *number = (int)value;
    return true;
}

static bool read_side(LineReader *reader, const char *what, TurfSide *side, TurfError *error)
{
    char *line = next_line(reader, what, error), quoted[ERROR_QUOTE_BYTES];
    if (!line)
        return false;
    if (strcmp(line, "X") && strcmp(line, "O"))
        return error_invalid(error, "line %d: %s must be X or O, not '%s'", reader->number, what,
                             error_quote(quoted, line));
    *side = line[0] == 'O' ? TURF_SECOND : TURF_FIRST;
    return true;
}

/* One of the course's public cases has a value of 100 although the maximum is 99: accepted with a
 * warning. */
enum { COURSE_MAX_VALUE = SW_MAX_VALUE + 1 };

static bool read_values(LineReader *reader, SwPosition *state, int *warning_line, TurfError *error)
{
    for (int row = 0; row < SW_SIDE; row++) {
        char *line = next_line(reader, "a row of five values", error), quoted[ERROR_QUOTE_BYTES];
        if (!line)
            return false;
        int n = 0;
        for (char *at = line, *end; *(at += strspn(at, " \t")); at = end) {
            long value = strtol(at, &end, 10);
            if (n == SW_SIDE || !isdigit((unsigned char)*at) ||
                (*end && !isspace((unsigned char)*end)))
                return error_invalid(error,
                                     "line %d: a row must be five values from 1 to 99, not '%s'",
                                     reader->number, error_quote(quoted, line));
            if (value == COURSE_MAX_VALUE)
                *warning_line = reader->number;
            if (value < 1 || value > COURSE_MAX_VALUE)
                return error_invalid(error, "line %d: value %d must be from 1 to 99, not %ld",
                                     reader->number, n + 1, value);
            state->values.of[SW_SIDE * row + n++] = (uint8_t)value;
        }
        if (n != SW_SIDE)
            return error_invalid(error, "line %d: %d values; a row has five", reader->number, n);
    }
    return true;
}

static bool read_board(LineReader *reader, SwPosition *state, TurfError *error)
{
    for (int row = 0; row < SW_SIDE; row++) {
        char *line = next_line(reader, "a row of five squares X, O and *", error);
        if (!line)
            return false;
        if (strlen(line) != SW_SIDE)
            return error_invalid(error, "line %d: %zu squares; a row has five", reader->number,
                                 strlen(line));
        for (int column = 0; column < SW_SIDE; column++) {
            char cell = line[column];
            if (cell == 'X' || cell == 'O')
                state->board.pieces[cell == 'O'] |= sw_bit(SW_SIDE * row + column);
            else if (cell != '*')
                return error_invalid(error, "line %d: square %d must be X, O or *, not '%c'",
                                     reader->number, column + 1,
                                     isprint((unsigned char)cell) ? cell : '?');
        }
    }
    return true;
}

static bool read_players(LineReader *reader, SquirrelTask *task, TurfError *error)
{
    int algorithm = task->task;
    for (int i = 0; i < (task->task == 4 ? 2 : 1); i++) {
        if (!read_side(reader, i ? "the second player" : "the player", &task->players[i].side,
                       error))
            return false;
        if (i == 1 && task->players[1].side == task->players[0].side)
            return error_invalid(error, "line %d: the second player must be %c", reader->number,
                                 task->players[0].side ? 'X' : 'O');
        if (task->task == 4 &&
            !read_number(reader, "the algorithm (1 greedy, 2 minimax, 3 alpha-beta)", 1, 3,
                         &algorithm, error))
            return false;
        task->players[i].algorithm = (SwAlgorithm)algorithm;
        if (!read_number(reader, "the cut-off depth", 1, SW_SQUARES, &task->players[i].depth,
                         error))
            return false;
    }
    return true;
}

bool squirrel_read(FILE *file, SquirrelTask *task, TurfError *error)
{
    LineReader reader = {.stream = file};
    memset(task, 0, sizeof *task);
    bool is_good = read_number(&reader, "the task (1 greedy, 2 minimax, 3 alpha-beta, 4 battle)", 1,
                               4, &task->task, error) &&
                   read_players(&reader, task, error) &&
                   read_values(&reader, &task->state, &task->warning_line, error) &&
                   read_board(&reader, &task->state, error);
    for (char *line; is_good && (line = line_next(&reader));)
        if (line[strspn(line, " \t")])
            is_good =
                error_invalid(error, "line %d: unexpected text after the board", reader.number);
    task->state.board.to_move = task->players[0].side;
    free(reader.line);
    return is_good;
}
