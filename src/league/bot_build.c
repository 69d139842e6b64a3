/* Building bots: starting the builder in its sandbox, feeding it, and writing what it hands out.
 *
 * Invariant: files are written only below the new folder, by names that the reader of the bundle
 * has checked, each made new; so nothing outside of it can change, whatever the builder says. */
#include "league/bot_build.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/utf8.h"
#include "base/whole_io.h"
#include "bots/process.h"
#include "bots/sandbox.h"
#include "league/bot_bundle.h"
#include "league/recipes.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BUILD_SECONDS = 90, /* the compiler has less, so that the builder can say what it said */
    BUILD_MIB = 1024,
    BUILD_PROCESSES = 128,
    POLL_MS = 100,
    PIECE_BYTES = 64 << 10
};

/* ---- folders ------------------------------------------------------------------------------ */

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about;
    (void)kind;
    (void)place;
    return remove(path);
}

bool bot_folder_remove(const char *folder)
{
    enum { MAX_OPEN_FOLDERS = 20 };
    struct stat about;
    if (lstat(folder, &about) != 0)
        return errno == ENOENT;
    return nftw(folder, remove_entry, MAX_OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS) == 0;
}

void bot_clean_text(char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\0')
            text[i] = '?';
    utf8_replace_invalid(text, length);
    for (char *at = text; *at; at++) {
        size_t n = *at == '\n' || *at == '\t' ? 0 : utf8_control_length(at);
        if (n > 0)
            memset(at, '?', n);
    }
}

/* ---- writing what comes out ----------------------------------------------------------------- */

typedef struct Building {
    const BotBuildTerms *terms;
    int                  folder; /* an open descriptor */
    int                  file;   /* the one that is being written; -1: none */
    const Recipe        *recipe;
    BuiltBot            *built;
    bool                 has_begun, has_main, is_over;
    bool                 has_step[STEP_CHECK];
} Building;

static bool cannot_write(TurfError *error)
{
    return error_system(error, errno, "the files of a bot cannot be written: %s", strerror(errno));
}

/* A file in the place of a folder, or the same file twice: only a bot that tampers does that. */
static bool make_parents(const Building *building, const char *path, TurfError *error)
{
    char parent[MAX_BUNDLE_PATH + 1];
    for (const char *slash = path; (slash = strchr(slash, '/')); slash++) {
        (void)snprintf(parent, sizeof parent, "%.*s", (int)(slash - path), path);
        if (mkdirat(building->folder, parent, 0755) == 0) /* whatever the umask is */
            (void)fchmodat(building->folder, parent, 0755, 0);
        else if (errno != EEXIST)
            return cannot_write(error);
    }
    return true;
}

static bool begin_file(void *context, const BundleRecord *record, TurfError *error)
{
    Building *building = context;
    if (!building->recipe)
        return error_invalid(error, "what the builder wrote cannot be read: a file comes too soon");
    if (!make_parents(building, record->name, error))
        return false;
    building->file =
        openat(building->folder, record->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
               record->flag ? 0755 : 0644);
    if (building->file < 0 && (errno == EEXIST || errno == ENOTDIR))
        return error_invalid(error, "what the builder wrote cannot be read: a file comes twice");
    if (building->file < 0 || fchmod(building->file, record->flag ? 0755 : 0644) != 0)
        return cannot_write(error);
    building->has_main = building->has_main || !strcmp(record->name, building->built->main);
    return true;
}

static bool file_bytes(void *context, const char *bytes, size_t n_bytes, TurfError *error)
{
    Building *building = context;
    return write_whole(building->file, bytes, n_bytes) || cannot_write(error);
}

static bool end_file(void *context, TurfError *error)
{
    Building *building = context;
    int       file = building->file;
    building->file = -1;
    return close(file) == 0 || cannot_write(error);
}

static void refuse(BuiltBot *built, const char *step, const char *why)
{
    char line[400];
    (void)snprintf(line, sizeof line, "%.*s", (int)strcspn(why, "\n"), why);
    utf8_make_printable(line);
    if (*built->sentence)
        return;
    if (!strcmp(step, "build"))
        (void)snprintf(built->sentence, sizeof built->sentence, "it cannot be built: %s", line);
    else
        (void)snprintf(built->sentence, sizeof built->sentence, "%s", line);
}

static bool take_step(Building *building, const BundleRecord *record, const char *said,
                      TurfError *error)
{
    SubmissionStep step = strcmp(record->name, "unpack") ? STEP_BUILD : STEP_UNPACK;
    char           text[MAX_BUNDLE_TEXT + 1];
    if (building->has_step[step]) /* each is written to the database */
        return error_invalid(error, "what the builder wrote cannot be read: a step comes twice");
    building->has_step[step] = true;
    (void)strcpy(text, said);
    bot_clean_text(text, strlen(text));
    if (!record->flag)
        refuse(building->built, record->name, *text ? text : "the compiler ended with an error");
    if (building->terms->step_done)
        building->terms->step_done(building->terms->context, step, record->flag, text);
    return true;
}

static bool take_record(void *context, const BundleRecord *record, const char *text,
                        TurfError *error)
{
    Building *building = context;
    BuiltBot *built = building->built;
    switch (record->kind) {
    case BUNDLE_HELLO: building->has_begun = true; return true;
    case BUNDLE_STEP: return take_step(building, record, text, error);
    case BUNDLE_RECIPE:
        if (building->recipe || !(building->recipe = recipe_named(record->name)) ||
            strlen(text) >= sizeof built->main)
            return error_invalid(error, "what the builder wrote cannot be read: a strange recipe");
        (void)strcpy(built->main, text);
        return true;
    case BUNDLE_END: building->is_over = true; return true;
    default: return false;
    }
}

/* ---- the builder ---------------------------------------------------------------------------- */

/* What is fed to it: the name in a line, and the file. */
typedef struct Feed {
    const char *parts[3];
    size_t      n_bytes[3];
    int         at;
} Feed;

/* Writes as much as fits; closes the pipe when there is no more. */
static void feed(Process *process, Feed *input)
{
    while (process->to >= 0 && input->at < 3) {
        ssize_t n = process_write(process, input->parts[input->at], input->n_bytes[input->at]);
        if (n < 0 && errno == EAGAIN)
            return;
        if (n < 0) /* it has gone */
            break;
        input->parts[input->at] += n;
        input->n_bytes[input->at] -= (size_t)n;
        input->at += input->n_bytes[input->at] == 0;
    }
    if (process->to >= 0)
        close(process->to);
    process->to = -1;
}

/* The last line of its standard error, which is small. */
static void note_errors(Process *process, char line[200])
{
    char    piece[200];
    ssize_t n = read(process->errors, piece, sizeof piece - 1);
    if (n <= 0) {
        if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
            close(process->errors);
            process->errors = -1;
        }
        return;
    }
    if (*line)
        return;
    piece[n] = '\0';
    (void)snprintf(line, 200, "%.*s", (int)strcspn(piece, "\n"), piece);
    utf8_make_printable(line);
}

typedef enum BuilderEnd { BUILDER_DONE, BUILDER_GONE, BUILDER_LATE, BUILDER_STOPPED } BuilderEnd;

/* Reads a piece; false after the last one, or when it is malformed. */
static bool read_piece(Process *process, BundleReader *reader, char *piece, TurfError *error)
{
    ssize_t n = read(process->from, piece, PIECE_BYTES);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    return n > 0 && bundle_read(reader, piece, (size_t)n, error);
}

/* Feeds the builder and reads its bundle, until its end or the deadline. The error's code is
 * TURF_OK unless the bundle was malformed or could not be written. */
static BuilderEnd talk(Process *process, Feed *input, BundleReader *reader, char *piece,
                       const BotBuildTerms *terms, char last_line[200], TurfError *error)
{
    int64_t end_ns = clock_ns() + BUILD_SECONDS * INT64_C(1000000000);
    while (!reader->is_complete) {
        struct pollfd fds[3] = {{.fd = process->from, .events = POLLIN},
                                {.fd = process->errors, .events = POLLIN},
                                {.fd = process->to, .events = POLLOUT}};
        if (terms->stop && atomic_load(terms->stop))
            return BUILDER_STOPPED;
        if (clock_ns() >= end_ns)
            return BUILDER_LATE;
        if (poll(fds, 3, POLL_MS) <= 0)
            continue;
        if (fds[2].revents)
            feed(process, input);
        if (fds[1].revents)
            note_errors(process, last_line);
        if (fds[0].revents && !read_piece(process, reader, piece, error))
            return BUILDER_GONE;
    }
    return BUILDER_DONE;
}

static bool start_builder(Process *process, const BotBuildTerms *terms, TurfError *error)
{
    static const char *const environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin",
                                              "HOME=/tmp",
                                              "TMPDIR=/tmp",
                                              "LANG=C.UTF-8",
                                              "TURF_BUILDS_BOT=1",
                                              NULL};
    char *const              words[] = {(char *)(uintptr_t)terms->turf, "build-bot", NULL};
    Sandbox                  sandbox;
    SandboxTerms             inside = {
                    .folder = "/usr", .max_processes = BUILD_PROCESSES, .max_mib = BUILD_MIB};
    if (!sandbox_wrap(&sandbox, words, &inside, error))
        return false;
    ProcessTerms outside = {.max_mib = BUILD_MIB,
                            .max_processes = BUILD_PROCESSES,
                            .max_cpu_seconds = BUILD_SECONDS,
                            .is_wrapped = true,
                            .inherited = sandbox.filter,
                            .environment = environment};
    bool         is_good = process_start(process, sandbox.words, &outside, error);
    sandbox_release(&sandbox);
    return is_good;
}

/* Why the builder did not come to its end. */
static bool explain(const Building *building, BuilderEnd end, LimitBreach breach,
                    const char *last_line, const TurfError *malformed, TurfError *error)
{
    BuiltBot *built = building->built;
    if (end == BUILDER_STOPPED)
        return error_set(error, TURF_ERROR_INTERRUPTED, "stopped while a bot was built");
    if (!building->has_begun)
        return error_io(error, "the sandbox in which bots are built does not work: %s", last_line);
    if (breach == TOO_MUCH_MEMORY)
        (void)snprintf(built->sentence, sizeof built->sentence,
                       "it cannot be built: that took more than %d MiB of memory", BUILD_MIB);
    else if (breach == TOO_MANY_PROCESSES)
        (void)snprintf(built->sentence, sizeof built->sentence,
                       "it cannot be built: that took more than %d processes", BUILD_PROCESSES);
    else if (end == BUILDER_LATE || breach == TOO_MUCH_CPU)
        (void)snprintf(built->sentence, sizeof built->sentence,
                       "it cannot be built: that took more than %d seconds", BUILD_SECONDS);
    else if (malformed->code == TURF_ERROR_INVALID)
        refuse(built, "build", malformed->text);
    else
        refuse(built, "build", *last_line ? last_line : "the compiler ended the builder");
    return true;
}

/* Judges what came out. */
static bool conclude(Building *building, TurfError *error)
{
    BuiltBot *built = building->built;
    if (*built->sentence)
        return true;
    bool is_java = building->recipe && !strcmp(building->recipe->name, "java");
    if (!building->recipe || (!building->has_main && !is_java)) {
        refuse(built, "build", "there is no program afterwards");
        return true;
    }
    built->command = recipe_command(building->recipe, built->main, error);
    if (!built->command && error->code == TURF_ERROR_NO_MEMORY)
        return false;
    if (!built->command)
        refuse(built, "build", error->text);
    built->is_good = built->command != NULL;
    return true;
}

/* With an open folder. */
static bool build_into(Building *building, const char *file_name, const void *bytes, size_t n_bytes,
                       TurfError *error)
{
    Process       process;
    char          last_line[200] = "";
    BundleVisitor visitor = {take_record, begin_file, file_bytes, end_file, building};
    BundleReader *reader = calloc(1, sizeof *reader);
    char         *piece = malloc(PIECE_BYTES);
    Feed          input = {{file_name, "\n", bytes}, {strlen(file_name), 1, n_bytes}, 0};
    TurfError     why = {.code = TURF_OK};
    bool          is_good = reader && piece;
    if (!is_good)
        error_no_memory(error);
    is_good = is_good && start_builder(&process, building->terms, error);
    if (is_good) {
        reader->visitor = &visitor;
        BuilderEnd end = talk(&process, &input, reader, piece, building->terms, last_line, &why);
        process.answer = PROCESS_TIMED_OUT; /* it is not waited for */
        process_stop(&process);
        free(process.error_text);
        if (building->file >= 0)
            close(building->file);
        if (why.code != TURF_OK && why.code != TURF_ERROR_INVALID)
            is_good = error_set(error, why.code, "%s", why.text);
        else if (end != BUILDER_DONE)
            is_good = explain(building, end, process.breach, last_line, &why, error);
        else
            is_good = conclude(building, error);
    }
    free(reader);
    free(piece);
    return is_good;
}

bool bot_build(const BotBuildTerms *terms, const char *file_name, const void *bytes, size_t n_bytes,
               const char *folder, BuiltBot *built, TurfError *error)
{
    Building building = {.terms = terms, .file = -1, .built = built};
    *built = (BuiltBot){0};
    if (!sandbox_works())
        return error_not_found(error,
                               "bots are built and checked in a sandbox only, and bubblewrap "
                               "is not installed here, or not permitted");
    if (!bot_folder_remove(folder) || mkdir(folder, 0755) != 0)
        return error_system(error, errno, "the folder '%s' cannot be made: %s", folder,
                            strerror(errno));
    building.folder = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    bool is_good = building.folder >= 0 || cannot_write(error);
    is_good = is_good && build_into(&building, file_name, bytes, n_bytes, error);
    if (is_good && built->is_good)
        is_good = (fchmod(building.folder, 0755) == 0 && syncfs(building.folder) == 0) ||
                  cannot_write(error);
    if (building.folder >= 0)
        close(building.folder);
    if (is_good && built->is_good)
        return true;
    bot_folder_remove(folder);
    if (!is_good)
        built_bot_release(built);
    return is_good;
}

void built_bot_release(BuiltBot *built)
{
    free(built->command);
    *built = (BuiltBot){0};
}
