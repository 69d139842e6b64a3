#include "cmd/json_lines.h"

#include "base/error.h"
#include "cmd/console.h"

#include <string.h>
#include <unistd.h>

int json_lines(const TurfGame *game, LineAnswer *answer, const void *context)
{
    LineReader reader = {.stream = stdin};
    int        status = EXIT_FINE;
    bool       is_talk = isatty(STDIN_FILENO); /* a person or a program that waits for each answer */
    for (char *line; (line = line_next(&reader));) {
        if (line[strspn(line, " \t")] == '\0')
            continue;
        TurfError    error;
        json_error_t where;
        json_t      *json = json_loads(line, JSON_REJECT_DUPLICATES, &where), *out = NULL;
        if (json)
            out = answer(context, game, json, &error);
        else
            error_set(&error, "this is not JSON: %s", where.text);
        if (!out) {
            status = EXIT_USAGE;
            out = json_pack("{s:s,s:i}", "error", error.text, "line", reader.number);
        }
        if (out)
            json_dumpf(out, stdout, JSON_COMPACT);
        putchar('\n');
        json_decref(out);
        json_decref(json);
        if (is_talk || ferror(stdout))
            console_finish();
    }
    return status;
}
