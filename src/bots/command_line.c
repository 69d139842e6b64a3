/* The command of a bot: splitting, looking up the program, quoting. */
#include "bots/command_line.h"

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

/* ---- the files of a command ----------------------------------------------------------------- */

/* An absolute path for a name; false if there is no such file. A path through ".." is resolved but
 * for its last component, since the sandbox does not have the folders on the way. */
static bool to_path(const char *name, const char *folder, char path[PATH_MAX])
{
    char        joined[PATH_MAX], parent[PATH_MAX];
    struct stat about;
    while (!strncmp(name, "./", 2))
        name += 2;
    int length = *name == '/' ? snprintf(joined, sizeof joined, "%s", name)
                              : snprintf(joined, sizeof joined, "%s/%s", folder, name);
    if (!*name || length < 0 || (size_t)length >= sizeof joined || lstat(joined, &about) != 0)
        return false;
    if (!strstr(joined, "/.")) {
        (void)strcpy(path, joined);
        return true;
    }
    char *last = strrchr(joined, '/') + 1;
    if (!*last || !strcmp(last, ".") || !strcmp(last, ".."))
        return realpath(joined, path) != NULL;
    char base[PATH_MAX];
    (void)strcpy(base, last);
    last[-1] = '\0';
    if (!realpath(*joined ? joined : "/", parent))
        return false;
    length = snprintf(path, PATH_MAX, "%s/%s", strcmp(parent, "/") ? parent : "", base);
    return length > 0 && length < PATH_MAX;
}

void command_each_path(char *const *words, const char *folder, PathVisitor *visit, void *context)
{
    char path[PATH_MAX], part[PATH_MAX];
    for (size_t i = 0; words[i]; i++) {
        if (to_path(words[i], folder, path))
            visit(context, path, i == 0);
        for (const char *at = words[i]; i > 0 && strpbrk(words[i], ":=") && *at;) {
            size_t length = strcspn(at, ":=");
            (void)snprintf(part, sizeof part, "%.*s", (int)length, at);
            if (to_path(part, folder, path))
                visit(context, path, false);
            at += length;
            at += *at != '\0';
        }
    }
}

bool command_has_prefix(const char *program, char prefix[PATH_MAX])
{
    char        mark[PATH_MAX + 16];
    const char *bin = strstr(program, "/bin/");
    for (const char *next; bin && (next = strstr(bin + 1, "/bin/"));)
        bin = next;
    if (!bin || bin == program || strchr(bin + 5, '/'))
        return false;
    (void)snprintf(prefix, PATH_MAX, "%.*s", (int)(bin - program), program);
    (void)snprintf(mark, sizeof mark, "%s/pyvenv.cfg", prefix);
    if (access(mark, F_OK) == 0)
        return true;
    (void)snprintf(mark, sizeof mark, "%s/lib", prefix);
    return access(mark, F_OK) == 0;
}
