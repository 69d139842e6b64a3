/* The command of a bot: splitting, looking up the program, quoting. */
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

/* The path of a program, found as execvp does; *path is NULL if there is none that can be run.
 * False when memory is short. */
static bool find_program(const char *name, char **path)
{
    const char *folders = getenv("PATH");
    *path = NULL;
    if (strchr(name, '/'))
        return !is_program(name) || (*path = strdup(name));
    for (const char *at = folders ? folders : "/usr/local/bin:/usr/bin:/bin"; at;) {
        int         length = (int)strcspn(at, ":");
        const char *next = at[length] ? at + length + 1 : NULL;
        if (length == 0) { /* an empty entry is the current folder */
            at = ".";
            length = 1;
        }
        if (asprintf(path, "%.*s/%s", length, at, name) < 0)
            return false;
        if (is_program(*path))
            return true;
        free(*path);
        *path = NULL;
        at = next;
    }
    return true;
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

/* The words with the path of the program in place of its name; NULL: see `error`. */
static char **resolve(char *const *words, TurfError *error)
{
    char       *path = NULL, **copy, quoted[ERROR_QUOTE_BYTES];
    const char *name = words[0] ? words[0] : "";
    if (!find_program(name, &path)) {
        error_no_memory(error);
        return NULL;
    }
    if (!path) {
        error_not_found(error, "there is no program '%s' to run as a bot",
                        error_quote(quoted, name));
        return NULL;
    }
    if (!(copy = command_copy(words))) {
        error_no_memory(error);
        free(path);
        return NULL;
    }
    free(copy[0]);
    copy[0] = path;
    return copy;
}

bool command_read(const char *command, char ***words, TurfError *error)
{
    wordexp_t split;
    char      quoted[ERROR_QUOTE_BYTES];
    int       why = wordexp(command, &split, WRDE_NOCMD | WRDE_UNDEF);
    if (why == WRDE_NOSPACE) {
        wordfree(&split); /* it may hold some of the words */
        return error_no_memory(error);
    }
    if (why != 0)
        return error_invalid(error, "the command '%s' cannot be read; quote it as for a shell",
                             error_quote(quoted, command));
    *words = resolve(split.we_wordv, error);
    wordfree(&split);
    return *words != NULL;
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
