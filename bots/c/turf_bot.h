/* clang-format off */
/* turf's bot protocol for C17: you write a function that answers a question, turf_play does the
 * rest.
 *
 *     #include "turf_bot.h"
 *     static void choose(const char *question)
 *     {
 *         turf_move(json_first(json_get(question, "moves")));
 *     }
 *     int main(void) { return turf_play(choose); }
 *
 * A question is a JSON object, described in docs/protocol.md. It is not parsed into a tree: a value
 * is a pointer to its beginning in the line, valid until the next question. Strings keep their
 * quotes and escapes; turf's boards have no escapes, so row[1 + col] is a cell of a row. */
/* clang-format on */
#ifndef TURF_BOT_H
#define TURF_BOT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* turf shows the end of standard error when a bot fails. */
static inline void turf_fail(const char *why)
{
    fprintf(stderr, "turf_bot: %s\n", why);
    exit(EXIT_FAILURE);
}

static inline const char *json_skip_space(const char *at) { return at + strspn(at, " \t\r\n"); }

/* The end of the value that begins here. */
static inline const char *json_end(const char *at)
{
    int depth = 0;
    if (*at != '"' && *at != '[' && *at != '{') { /* a number, true, false or null */
        size_t length = strcspn(at, ",:]} \t\r\n");
        if (length == 0)
            turf_fail("a value is missing in the question");
        return at + length;
    }
    do {
        if (*at == '"')
            for (at++; *at != '\0' && *at != '"'; at++)
                if (*at == '\\' && at[1] != '\0')
                    at++; /* the next character is escaped, and does not end the string */
        if (*at == '\0')
            turf_fail("the question breaks off");
        depth += (*at == '[' || *at == '{') - (*at == ']' || *at == '}');
        at++;
    } while (depth > 0);
    return at;
}

/* The first value of an array (or the first key of an object), or NULL. */
static inline const char *json_first(const char *array)
{
    const char *at = array && (*array == '[' || *array == '{') ? json_skip_space(array + 1) : "]";
    return *at == ']' || *at == '}' ? NULL : at;
}

/* The value after this one in the same array, or NULL. */
static inline const char *json_next(const char *value)
{
    const char *at = json_skip_space(json_end(value));
    return *at == ',' ? json_skip_space(at + 1) : NULL;
}

/* The value of an array at an index from 0, or NULL. */
static inline const char *json_at(const char *array, int index)
{
    const char *value = index < 0 ? NULL : json_first(array);
    while (value && index-- > 0)
        value = json_next(value);
    return value;
}

/* The value of a key, or NULL. */
static inline const char *json_get(const char *object, const char *key)
{
    size_t length = strlen(key);
    for (const char *name = json_first(object), *value; name; name = json_next(value)) {
        value = json_skip_space(json_end(name));
        if (*name != '"' || *value != ':')
            turf_fail("a key is missing in the question");
        value = json_skip_space(value + 1);
        if (strncmp(name + 1, key, length) == 0 && name[1 + length] == '"')
            return value;
    }
    return NULL;
}

static inline int json_int(const char *number)
{
    return number ? (int)strtol(number, NULL, 10) : 0;
}

/* In War of Life, Amoeba Wars and SquirrelWar: one of the question's moves. */
static inline void turf_move(const char *move)
{
    if (!move)
        turf_fail("there is no move to answer with");
    printf("{\"move\":%.*s}\n", (int)(json_end(move) - move), move);
}

/* In AI Battleground: the cells to colonise, each a row and a column from 0. */
static inline void turf_cells(int n_cells, int cells[][2])
{
    printf("{\"cells\":[");
    for (int i = 0; i < n_cells; i++)
        printf("%s[%d,%d]", i > 0 ? "," : "", cells[i][0], cells[i][1]);
    printf("]}\n");
}

/* Reads a line of any length into a growing buffer; 0 at the end of the input. */
static inline int turf_read_line(char **line, size_t *capacity)
{
    size_t length = 0;
    do {
        if (*capacity - length < 2) {
            *capacity = *capacity > 0 ? 2 * *capacity : 4096;
            *line = realloc(*line, *capacity);
            if (!*line)
                turf_fail("out of memory");
        }
        if (!fgets(*line + length, (int)(*capacity - length), stdin))
            return length > 0;
        length += strlen(*line + length);
    } while (length > 0 && (*line)[length - 1] != '\n');
    return 1;
}

/* Answers questions until the input ends. */
static inline int turf_play(void (*choose)(const char *question))
{
    char  *line = NULL;
    size_t capacity = 0;
    while (turf_read_line(&line, &capacity)) {
        const char *question = json_skip_space(line), *error = json_get(question, "error");
        if (*question != '{')
            turf_fail("the question is not a JSON object");
        if (error) { /* turf says why we lost */
            fprintf(stderr, "turf: %.*s\n", (int)(json_end(error) - error), error);
            break;
        }
        if (json_get(question, "new_game")) /* a message of --reuse, not a question */
            continue;
        choose(question);
        fflush(stdout); /* turf waits for the answer */
    }
    free(line);
    return 0;
}

#endif
