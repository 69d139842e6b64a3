#include "bots/command.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wordexp.h>

static bool is_program(const char *path)
{
    struct stat about;
    return access(path, X_OK) == 0 && stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

/* The program of a command, looked for as execvp does; NULL if there is none that can be run. */
static char *find_program(const char *name)
{
    const char *path = getenv("PATH");
    char       *found = NULL;
    if (strchr(name, '/'))
        return is_program(name) ? strdup(name) : NULL;
    for (const char *at = path ? path : "/usr/local/bin:/usr/bin:/bin"; at;) {
        size_t length = strcspn(at, ":"); /* an empty entry is the current folder */
        if (asprintf(&found, "%.*s/%s", length ? (int)length : 1, length ? at : ".", name) < 0)
            return NULL;
        if (is_program(found))
            return found;
        free(found);
        at = at[length] ? at + length + 1 : NULL;
    }
    return NULL;
}

bool command_read(const char *command, char ***words, TurfError *error)
{
    wordexp_t split;
    char      quoted[ERROR_QUOTE_BYTES];
    int       why = wordexp(command, &split, WRDE_NOCMD | WRDE_UNDEF);
    if (why == WRDE_NOSPACE) {
        wordfree(&split); /* which may have a part of the words */
        return error_no_memory(error);
    }
    if (why != 0)
        return error_invalid(error, "the command '%s' cannot be read; quote it as for a shell",
                             error_quote(quoted, command));
    char **copy = calloc(split.we_wordc + 1, sizeof *copy);
    bool   is_good = copy && split.we_wordc > 0;
    for (size_t i = 0; is_good && i < split.we_wordc; i++)
        is_good =
            (copy[i] = i ? strdup(split.we_wordv[i]) : find_program(split.we_wordv[i])) != NULL;
    const char *program = split.we_wordc > 0 ? split.we_wordv[0] : "";
    if (!is_good) {
        error_not_found(error, "there is no program '%s' to run as a bot",
                        error_quote(quoted, program));
        command_free(copy);
    } else {
        *words = copy;
    }
    wordfree(&split);
    return is_good;
}

char **command_copy(char *const *words)
{
    size_t n = 0;
    while (words[n])
        n++;
    char **copy = calloc(n + 1, sizeof *copy);
    for (size_t i = 0; copy && i < n; i++)
        if (!(copy[i] = strdup(words[i]))) {
            command_free(copy);
            return NULL;
        }
    return copy;
}

void command_free(char **words)
{
    for (char **word = words; word && *word; word++)
        free(*word);
    free(words);
}

char *command_quote(const char *const *words, size_t n_words)
{
    char  *text = NULL;
    size_t length = 0;
    FILE  *out = open_memstream(&text, &length);
    for (size_t i = 0; out && i < n_words; i++) {
        fputs(i ? " '" : "'", out);
        for (const char *at = words[i]; *at; at++)
            fputs(*at == '\'' ? "'\\''" : (const char[2]){*at, '\0'}, out);
        fputc('\'', out);
    }
    return out && fclose(out) == 0 ? text : NULL;
}
