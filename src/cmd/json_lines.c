/* JSON lines in, JSON lines out; output is flushed whenever the input has run dry, so that a caller
 * can wait for each answer. */
#include "cmd/json_lines.h"

#include "base/error.h"
#include "base/checked_json.h"
#include "cmd/console.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

static json_t *error_json(const TurfError *error, int line)
{
    return json_pack("{s:o,s:i}", "error", json_sentence(error->text), "line", line);
}

static bool has_more_to_read(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&input, 1, 0) == 1;
}

int json_lines(const TurfGame *game, LineAnswer *answer, const void *context)
{
    LineReader reader = {.stream = stdin};
    int        status = EXIT_FINE;
    for (char *line; (line = line_next(&reader));) {
        if (line[strspn(line, " \t")] == '\0')
            continue;
        TurfError    error;
        json_error_t where;
        json_t      *json = json_loads(line, JSON_REJECT_DUPLICATES, &where), *out = NULL;
        if (json)
            out = answer(context, game, json, &error);
        else
            error_invalid(&error, "not JSON: %s", where.text);
        if (!out) {
            status = EXIT_USAGE;
            out = error_json(&error, reader.number);
        }
        if (!json_is_null(out))
            print_json(out, JSON_COMPACT);
        json_decref(json);
        if (!has_more_to_read() || ferror(stdout))
            console_finish();
    }
    if (ferror(stdin))
        die("the input cannot be read: %s", strerror(errno));
    return status;
}
