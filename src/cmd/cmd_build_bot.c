/* turf build-bot: unpacks and compiles what a team handed in. turf starts it in a sandbox
 * (league/bot_build.c), and nobody else does: it is in no list of commands.
 *
 * It reads a line with the name of the file, and then the file, from standard input, works in the
 * private /tmp of the sandbox, and writes a bundle (league/bot_bundle.h) to standard output. What
 * it does here it does among programs that a stranger wrote: they may change its files, fill the
 * disk or kill it, and the reader of the bundle must not mind. */
#include "cmd/cmd_build_bot.h"

#include "base/clock.h"
#include "base/error.h"
#include "bots/command_line.h"
#include "cmd/command.h"
#include "cmd/unpack.h"
#include "league/bot_bundle.h"
#include "league/recipes.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MAX_INPUT_BYTES = 6 << 20,
    MAX_SOURCES = MAX_BUNDLE_FILES + 1,
    COMPILE_SECONDS = 50,
    MAX_FILE_BYTES = MAX_BUNDLE_BYTES
};

static const char folder[] = "/tmp/bot";

/* ---- steps -------------------------------------------------------------------------------- */

static void tell(bool is_good, const char *step, const char *text)
{
    bundle_write(stdout, BUNDLE_STEP, is_good, step, text);
    fflush(stdout);
}

static int refuse(const char *step, const TurfError *error)
{
    tell(false, step, error->text);
    bundle_write(stdout, BUNDLE_END, false, "", "");
    return EXIT_FINE;
}

/* ---- input -------------------------------------------------------------------------------- */

typedef struct Input {
    char  *all; /* with a NUL after it */
    char  *name;
    char  *bytes;
    size_t n_bytes;
} Input;

static bool read_input(Input *input, TurfError *error)
{
    size_t n = 0;
    input->all = malloc(MAX_INPUT_BYTES + 1);
    if (!input->all)
        return error_no_memory(error);
    for (size_t more;
         n < MAX_INPUT_BYTES && (more = fread(input->all + n, 1, MAX_INPUT_BYTES - n, stdin)) > 0;)
        n += more;
    input->all[n] = '\0';
    char *newline = memchr(input->all, '\n', n);
    if (!newline)
        return error_invalid(error, "there is no file");
    *newline = '\0';
    input->name = input->all;
    input->bytes = newline + 1;
    input->n_bytes = n - (size_t)(input->bytes - input->all);
    return true;
}

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), n = strlen(end);
    return length >= n && !strcasecmp(name + length - n, end);
}

static bool is_packed(const Input *input)
{
    return is_archive(input->bytes, input->n_bytes) || ends_with(input->name, ".zip") ||
           ends_with(input->name, ".tar") || ends_with(input->name, ".gz") ||
           ends_with(input->name, ".tgz");
}

/* A single file keeps its name; a program without an extension becomes the script "run". */
static bool place_file(const Input *input, TurfError *error)
{
    const char *slash = strrchr(input->name, '/'), *name = slash ? slash + 1 : input->name;
    const char *back = strrchr(name, '\\');
    name = back ? back + 1 : name;
    bool is_program =
        input->n_bytes >= 4 && (!memcmp(input->bytes, "#!", 2) || !memcmp(input->bytes,
                                                                          "\x7f"
                                                                          "ELF",
                                                                          4));
    if (is_program && !strchr(name, '.'))
        name = "run";
    if (bundle_path_fault(name, strlen(name)))
        return error_invalid(error, "the file has a name that cannot be used; call it bot.py, "
                                    "bot.c or the like");
    return unpack_file(name, is_program, input->bytes, input->n_bytes, error);
}

/* ---- the files that are there --------------------------------------------------------------- */

typedef struct Files {
    char  *paths[MAX_SOURCES]; /* sorted */
    size_t n;
    bool   is_too_many;
} Files;

/* Lists the regular files below a folder; links and everything else are not seen. */
static void list_files(Files *files, const char *path, int depth)
{
    DIR           *entries = depth <= MAX_BUNDLE_DEPTH ? opendir(*path ? path : ".") : NULL;
    struct dirent *entry;
    while (entries && (entry = readdir(entries)) && !files->is_too_many) {
        char        below[2 * MAX_BUNDLE_PATH];
        struct stat about;
        int length = snprintf(below, sizeof below, "%s%s%s", path, *path ? "/" : "", entry->d_name);
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") || length < 0 ||
            length > MAX_BUNDLE_PATH || lstat(below, &about) != 0)
            continue;
        if (S_ISDIR(about.st_mode)) {
            list_files(files, below, depth + 1);
        } else if (S_ISREG(about.st_mode) && !bundle_path_fault(below, (size_t)length)) {
            files->is_too_many = files->n == MAX_SOURCES;
            if (!files->is_too_many && (files->paths[files->n] = strdup(below)))
                files->n++;
        }
    }
    if (entries)
        closedir(entries);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list_all(Files *files)
{
    for (size_t i = 0; i < files->n; i++)
        free(files->paths[i]);
    *files = (Files){.n = 0};
    list_files(files, "", 1);
    qsort(files->paths, files->n, sizeof *files->paths, by_name);
}

/* Many archives hold one folder, with everything in it. */
static void enter_only_folder(void)
{
    DIR           *entries = opendir(".");
    struct dirent *entry;
    char           only[256] = "";
    int            n = 0;
    while (entries && (entry = readdir(entries)))
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) {
            (void)snprintf(only, sizeof only, "%s", entry->d_name);
            n++;
        }
    if (entries)
        closedir(entries);
    struct stat about;
    if (n == 1 && lstat(only, &about) == 0 && S_ISDIR(about.st_mode))
        (void)!chdir(only);
}

/* ---- compiling ------------------------------------------------------------------------------ */

/* In the child. */
static void exec_compiler(char *const *words, int output)
{
    setpgid(0, 0);
    (void)setrlimit(RLIMIT_FSIZE, &(struct rlimit){MAX_FILE_BYTES, MAX_FILE_BYTES});
    (void)setrlimit(RLIMIT_CPU, &(struct rlimit){COMPILE_SECONDS, COMPILE_SECONDS + 1});
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    execv(words[0], words);
    dprintf(STDERR_FILENO, "%s cannot be run: %s\n", words[0], strerror(errno));
    _exit(127);
}

/* Reads what a compiler says until it closes its output or the time is over, and keeps the first
 * part of it. False: the time is over. */
static bool read_output(int output, char text[MAX_BUNDLE_TEXT + 1])
{
    static const char cut[] = "\n... and more\n";
    int64_t           end_ns = clock_ns() + COMPILE_SECONDS * INT64_C(1000000000);
    size_t            n_text = 0, room = MAX_BUNDLE_TEXT - sizeof cut;
    bool              is_cut = false;
    text[0] = '\0';
    for (int64_t left_ns; (left_ns = end_ns - clock_ns()) > 0;) {
        char          piece[4096];
        struct pollfd waiting = {.fd = output, .events = POLLIN};
        if (poll(&waiting, 1, (int)(left_ns / 1000000) + 1) <= 0)
            continue;
        ssize_t n = read(output, piece, sizeof piece);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return true;
        size_t n_kept = (size_t)n < room - n_text ? (size_t)n : room - n_text;
        memcpy(text + n_text, piece, n_kept);
        n_text += n_kept;
        text[n_text] = '\0';
        if (n_kept < (size_t)n && !is_cut)
            (void)strcpy(text + n_text, cut);
        is_cut = is_cut || n_kept < (size_t)n;
    }
    return false;
}

/* Runs a compiler; false: it failed, and `text` says why. */
static bool run_compiler(char *const *words, char text[MAX_BUNDLE_TEXT + 1])
{
    int pipe_ends[2], status = -1;
    if (pipe2(pipe_ends, O_CLOEXEC) != 0)
        return false;
    pid_t pid = fork();
    if (pid == 0)
        exec_compiler(words, pipe_ends[1]);
    close(pipe_ends[1]);
    bool is_in_time = pid > 0 && read_output(pipe_ends[0], text);
    if (pid > 0 && !is_in_time)
        kill(-pid, SIGKILL);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (pid > 0)
        kill(-pid, SIGKILL); /* what it left running */
    close(pipe_ends[0]);
    size_t length = strlen(text);
    if (pid > 0 && !is_in_time)
        (void)snprintf(text + length, MAX_BUNDLE_TEXT - length, "%sit took more than %d seconds",
                       length ? "\n" : "", COMPILE_SECONDS);
    else if (WIFSIGNALED(status))
        (void)snprintf(text + length, MAX_BUNDLE_TEXT - length, "%sit was killed by signal %d",
                       length ? "\n" : "", WTERMSIG(status));
    return is_in_time && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- Java's main class ----------------------------------------------------------------------- */

static char *read_text(const char *path)
{
    enum { MAX_SOURCE = 1 << 20 };
    int     file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    char   *text = file >= 0 ? malloc(MAX_SOURCE + 1) : NULL;
    ssize_t n = text ? read(file, text, MAX_SOURCE) : -1;
    if (text)
        text[n > 0 ? n : 0] = '\0';
    if (file >= 0)
        close(file);
    return text;
}

/* The class of a source file, with its package: "a.b.Main". */
static void name_class(const char *path, char name[MAX_BUNDLE_PATH + 1])
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    char       *text = read_text(path);
    const char *at = text ? strstr(text, "package ") : NULL;
    bool        is_first = at && (at == text || at[-1] == '\n');
    int         n = 0;
    if (is_first) {
        at += strlen("package ");
        n = (int)strcspn(at, "; \t\r\n");
    }
    (void)snprintf(name, MAX_BUNDLE_PATH + 1, "%.*s%s%.*s", n < 100 ? n : 100, n ? at : "",
                   n ? "." : "", (int)strcspn(base, "."), base);
    free(text);
}

/* The class to start: that of the file with a main program. */
static bool find_class(const Files *files, const char *main_file, char name[MAX_BUNDLE_PATH + 1],
                       TurfError *error)
{
    for (size_t i = 0; i < files->n && !main_file; i++) {
        char *text = ends_with(files->paths[i], ".java") ? read_text(files->paths[i]) : NULL;
        if (text && strstr(text, "static void main"))
            main_file = files->paths[i];
        free(text);
    }
    if (!main_file)
        return error_invalid(error, "no Java file has a main program: public static void main");
    name_class(main_file, name);
    return true;
}

/* ---- output --------------------------------------------------------------------------------- */

/* Writes one file. What others change meanwhile does not matter: it has the length that was said.
 */
static void emit_file(const char *path, bool is_run)
{
    static const char zeros[4096];
    char              piece[64 << 10];
    struct stat       about;
    int               file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0 || fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) {
        if (file >= 0)
            close(file);
        return;
    }
    size_t left = (size_t)about.st_size;
    bundle_write_head(stdout, BUNDLE_FILE, is_run || (about.st_mode & 0111), path, left);
    while (left > 0) {
        ssize_t n = read(file, piece, left < sizeof piece ? left : sizeof piece);
        if (n > 0) {
            fwrite(piece, 1, (size_t)n, stdout);
        } else {
            n = (ssize_t)(left < sizeof zeros ? left : sizeof zeros);
            fwrite(zeros, 1, (size_t)n, stdout);
        }
        left -= (size_t)n;
    }
    close(file);
}

static int emit(const Recipe *recipe, const char *main, Files *files)
{
    bundle_write(stdout, BUNDLE_RECIPE, true, recipe->name, main);
    list_all(files);
    for (size_t i = 0; i < files->n; i++)
        emit_file(files->paths[i], !recipe->program && !strcmp(files->paths[i], main));
    bundle_write(stdout, BUNDLE_END, true, "", "");
    return EXIT_FINE;
}

/* ---- the command ---------------------------------------------------------------------------- */

static bool make_folder(TurfError *error)
{
    umask(022);
    if (mkdir(folder, 0755) == 0 && chdir(folder) == 0)
        return true;
    return error_system(error, errno, "the folder of the bot cannot be made: %s", strerror(errno));
}

/* A script "build" beside "run" compiles what it likes. */
static char **script_compiler(const Recipe *recipe, const Files *files, TurfError *error)
{
    error->code = TURF_OK;
    for (size_t i = 0; i < files->n; i++)
        if (!strcmp(recipe->name, "run") && !strcmp(files->paths[i], "build"))
            return command_copy((char *[]){"/bin/sh", "./build", NULL});
    return NULL;
}

static bool build(const Recipe *recipe, const Files *files, const char *main_file, TurfError *error)
{
    static char text[MAX_BUNDLE_TEXT + 1];
    char **words = recipe->compiler ? recipe_compiler(recipe, (const char *const *)files->paths,
                                                      files->n, main_file, error)
                                    : script_compiler(recipe, files, error);
    if (!words && error->code != TURF_OK)
        return false;
    if (!words) {
        tell(true, "build", "Nothing has to be compiled.");
        return true;
    }
    bool is_good = run_compiler(words, text);
    command_free(words);
    tell(is_good, "build", text);
    if (!is_good)
        bundle_write(stdout, BUNDLE_END, false, "", "");
    return is_good;
}

static int work(const Input *input, Files *files)
{
    TurfError     error = {0};
    char          main[MAX_BUNDLE_PATH + 1], text[200];
    const char   *main_file = NULL;
    const Recipe *recipe = NULL;
    bool          is_good = make_folder(&error);
    if (is_good)
        is_good = is_packed(input) ? unpack(input->bytes, input->n_bytes, &error)
                                   : place_file(input, &error);
    if (is_good) {
        enter_only_folder();
        list_all(files);
        recipe = recipe_choose((const char *const *)files->paths, files->n, &main_file, &error);
    }
    if (!recipe)
        return refuse("unpack", &error);
    (void)snprintf(text, sizeof text, "%zu file%s: %s%s%.100s.", files->n, files->n == 1 ? "" : "s",
                   recipe->language, main_file ? ", " : "", main_file ? main_file : "");
    tell(true, "unpack", text);
    bool is_built = !recipe->program && recipe->compiler;
    (void)snprintf(main, sizeof main, "%s", is_built || !main_file ? recipe_output : main_file);
    if (!strcmp(recipe->name, "java") && !find_class(files, main_file, main, &error))
        return refuse("build", &error);
    error.code = TURF_OK;
    if (!build(recipe, files, main_file, &error))
        return error.code == TURF_OK ? EXIT_FINE : refuse("build", &error);
    return emit(recipe, main, files);
}

int cmd_build_bot(void)
{
    static Input input;
    static Files files;
    TurfError    error;
    if (!getenv("TURF_BUILDS_BOT")) {
        fputs("turf: build-bot is started by turf alone; type: turf league submit\n", stderr);
        return EXIT_USAGE;
    }
    (void)setlocale(LC_CTYPE, "C.UTF-8"); /* names in archives */
    (void)nice(10);
    (void)prctl(PR_SET_DUMPABLE, 0); /* what it starts must not write to its output */
    bundle_write(stdout, BUNDLE_HELLO, true, "", "");
    if (!read_input(&input, &error))
        return EXIT_USAGE;
    int status = work(&input, &files);
    return fflush(stdout) == 0 ? status : EXIT_USAGE;
}
