/* Fatal errors, signals, and input and output files of the command line.
 *
 * This is the only part of turf with mutable globals: the names for messages, the last signal, and
 * the temporary file to remove on exit. */
#include "cmd/console.h"

#include "base/error.h"
#include "base/utf8.h"
#include "games/cells.h"
#include "players/player.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char           *program_name = "turf", *command_name;
static volatile sig_atomic_t interrupted_by; /* the last signal, or 0 */
static char                  unfinished_file[4096];

void console_set_name(const char *command) { command_name = command; }

/* Prints one line; control characters in quoted input become '?', and long lines are cut. */
static void complain(const char *message)
{
    char line[480];
    int  length = 0;
    if (command_name)
        length = snprintf(line, sizeof line, "%s %s: %s", program_name, command_name, message);
    else
        length = snprintf(line, sizeof line, "%s: %s", program_name, message);
    if ((size_t)length >= sizeof line)
        memcpy(line + sizeof line - 4, "...", 4);
    error_flatten(line);
    fprintf(stderr, "%s\n", line);
}

void die(const char *format, ...)
{
    char    message[480];
    va_list arguments;
    fflush(stdout);
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    complain(message);
    exit(EXIT_USAGE);
}

void *or_die(void *memory)
{
    if (!memory)
        die("out of memory");
    return memory;
}

char *format_text(const char *format, ...)
{
    char   *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        die("out of memory");
    va_end(arguments);
    return text;
}

/* Has the reader of our output gone? errno may no longer say so, hence the poll. */
static bool is_pipe_closed(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO};
    return errno == EPIPE || (poll(&out, 1, 0) == 1 && (out.revents & POLLERR));
}

void console_finish(void)
{
    if (fflush(stdout) == EOF || ferror(stdout)) {
        char message[200];
        if (is_pipe_closed()) { /* as in 'turf games | head -1': not an error */
            signal(SIGPIPE, SIG_DFL);
            kill(getpid(), SIGPIPE);
            _exit(EXIT_PIPE_CLOSED);
        }
        (void)snprintf(message, sizeof message, "the output could not be written: %s",
                       errno ? strerror(errno) : "unknown error");
        complain(message);
        _exit(EXIT_USAGE); /* exit() would try to flush again */
    }
}

void write_json(json_t *json, size_t flags, FILE *out)
{
    char *text = or_die(json_dumps(or_die(json), flags));
    for (const char *at = text; *at;) {
        size_t        length = *at == '\n' ? 0 : utf8_control_length(at);
        unsigned char bytes[3] = {(unsigned char)at[0], length > 1 ? (unsigned char)at[1] : 0,
                                  length > 2 ? (unsigned char)at[2] : 0};
        if (length == 0)
            fputc(*at, out);
        else if (length == 1)
            fprintf(out, "\\u%04x", bytes[0]);
        else if (length == 2)
            fprintf(out, "\\u%04x", (bytes[0] & 0x1fu) << 6 | (bytes[1] & 0x3fu));
        else
            fprintf(out, "\\u%04x",
                    (bytes[0] & 0xfu) << 12 | (bytes[1] & 0x3fu) << 6 | (bytes[2] & 0x3fu));
        at += length ? length : 1;
    }
    fputc('\n', out);
    free(text);
    json_decref(json);
}

void print_json(json_t *json, size_t flags) { write_json(json, flags, stdout); }

bool console_has_colour(FILE *stream)
{
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(fileno(stream)) && !(no_colour && *no_colour) &&
           !(terminal && !strcmp(terminal, "dumb"));
}

DrawStyle console_draw_style(FILE *stream)
{
    struct winsize window = {0};
    bool           has_size = ioctl(fileno(stream), TIOCGWINSZ, &window) == 0;
    return (DrawStyle){.has_colour = console_has_colour(stream),
                       .n_columns = has_size ? window.ws_col : 0};
}

/* ---- signals ------------------------------------------------------------------------------ */

void console_begin(const char *program)
{
    program_name = program;
    /* A closed pipe is noticed in console_finish, when all results are stored. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file size limit is reported like a full disk */
    signal(SIGCHLD, SIG_DFL); /* the parent may have ignored it, but we wait for bots */
}

/* Handles SIGINT, SIGTERM and, unless under nohup, SIGHUP. */
static void on_every_end(void (*handler)(int))
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction before;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (numbers[i] != SIGHUP ||
            (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN))
            sigaction(numbers[i], &(struct sigaction){.sa_handler = handler}, NULL);
}

static void remove_unfinished(void)
{
    if (*unfinished_file)
        unlink(unfinished_file);
}

static void on_interrupt(int signal_number)
{
    if (interrupted_by == signal_number) {
        remove_unfinished();
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    interrupted_by = signal_number;
}

void console_catch_interrupt(void) { on_every_end(on_interrupt); }

void console_let_interrupt(void) { on_every_end(SIG_DFL); }

bool console_is_interrupted(void) { return interrupted_by != 0; }

static void remove_unfinished_and_leave(int signal_number)
{
    (void)signal_number;
    remove_unfinished();
    _exit(EXIT_INTERRUPTED);
}

/* Makes sure that the temporary file is removed however the program ends. */
static void remove_on_exit(const char *temporary)
{
    static bool      is_installed;
    struct sigaction now;
    (void)snprintf(unfinished_file, sizeof unfinished_file, "%s", temporary);
    if (is_installed)
        return;
    is_installed = true;
    atexit(remove_unfinished);
    if (sigaction(SIGTERM, NULL, &now) == 0 &&
        now.sa_handler != on_interrupt) /* which removes the file itself */
        on_every_end(remove_unfinished_and_leave);
}

/* ---- input -------------------------------------------------------------------------------- */

const TurfGame *read_game(const char *name)
{
    TurfError       error;
    const TurfGame *game = turf_game_find(name, &error);
    if (!game)
        die("%s", error.text);
    return game;
}

TurfPlayer *read_player(const TurfGame *game, const char *spec)
{
    TurfError error;
    if (!strcmp(spec, "human"))
        die("human players are for 'turf play %s' only", game->name);
    TurfPlayer *player = turf_player_open(game, spec, &error);
    if (!player)
        die("%s", error.text);
    return player;
}

/* A NUL byte would end the text early: replaces it by a character that no parser accepts. */
static void replace_nuls(char *text, size_t length)
{
    for (char *at = text; (at = memchr(at, '\0', (size_t)(text + length - at)));)
        *at = '\1';
}

/* The length of a UTF-8 byte order mark at the beginning, or 0. */
static size_t bom_length(const char *text) { return strncmp(text, "\xef\xbb\xbf", 3) ? 0 : 3; }

char *read_file(const char *path)
{
    enum { MAX_BYTES = 1 << 20 };
    errno = 0;
    FILE *file = strcmp(path, "-") ? fopen(path, "re") : stdin;
    char *text = file ? malloc(MAX_BYTES + 1) : NULL;
    if (!text)
        die("the file '%s' cannot be read: %s", path, strerror(errno));
    size_t length = fread(text, 1, MAX_BYTES, file);
    if (ferror(file) || length == MAX_BYTES) {
        const char *why = ferror(file) ? strerror(errno) : "it is larger than 1 MiB";
        free(text);
        die("the file '%s' cannot be read: %s", path, why);
    }
    text[length] = '\0';
    replace_nuls(text, length);
    size_t n_bom = bom_length(text);
    memmove(text, text + n_bom, length + 1 - n_bom);
    if (file != stdin)
        fclose(file);
    return text;
}

/* Does this look like a position rather than a file name? */
static bool is_written_out(const TurfGame *game, const char *start)
{
    if (strpbrk(start, "\n [{,"))
        return true;
    while (*start &&
           (strchr(".#*/x0123456789", *start) || game_owner(game, (char)tolower(*start)) >= 0 ||
            game_owner(game, (char)toupper(*start)) >= 0))
        start++;
    return !*start;
}

static char *start_of_size(const TurfGame *game, const Settings *settings)
{
    if (!game->sizes)
        die("%s has one board size only; remove --size", game->name);
    if (settings->start)
        die("give --size or --start, not both");
    char     *start = format_text("%ux%u", (unsigned)settings->size, (unsigned)settings->size);
    TurfError error;
    TurfState state;
    TurfRng   rng = turf_rng(0);
    if (!game_start(game, start, &rng, &state, &error))
        die("%s", error.text);
    return start;
}

char *read_start(const TurfGame *game, const Settings *settings)
{
    const char *start = settings->start;
    if (settings->size)
        return start_of_size(game, settings);
    TurfError   error;
    TurfState   state;
    TurfRng     rng = turf_rng(0);
    struct stat about;
    if (!start)
        return NULL;
    if (game_start(game, start, &rng, &state, &error))
        return or_die(strdup(start));
    bool is_file = !strcmp(start, "-") || stat(start, &about) == 0;
    bool is_path = strpbrk(start, "./") && !is_written_out(game, start);
    if (!is_file && !is_path)
        die("%s", error.text);
    char *text = read_file(start);
    if (!game_parse(game, text, &state, &error))
        die("%s: %s", start, error.text);
    return text;
}

/* Does the file begin with SQLite's magic string? */
static bool begins_as_database(const char *path)
{
    static const char mark[16] = "SQLite format 3"; /* with its NUL */
    char              head[sizeof mark];
    FILE             *file = fopen(path, "re");
    bool              is_one =
        file && fread(head, sizeof head, 1, file) == 1 && !memcmp(head, mark, sizeof mark);
    if (file)
        fclose(file);
    return is_one;
}

bool is_of_database(const char *path)
{
    static const char *const besides[] = {"", "-wal", "-shm", "-journal"};
    char                     name[PATH_MAX];
    size_t                   length = strlen(path);
    struct stat              about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode) || length >= sizeof name)
        return false;
    for (size_t i = 0; i < sizeof besides / sizeof besides[0]; i++) {
        size_t n_less = strlen(besides[i]);
        if (length <= n_less || strcmp(path + length - n_less, besides[i]) != 0)
            continue;
        (void)snprintf(name, sizeof name, "%.*s", (int)(length - n_less), path);
        if (begins_as_database(name))
            return true;
    }
    return false;
}

OutputFile output_open(const char *path)
{
    char        quoted[ERROR_QUOTE_BYTES];
    struct stat about;
    if (is_of_database(path))
        die("'%s' is a database and would be overwritten; choose another output file",
            error_quote(quoted, path));
    OutputFile output = {.path = path};
    bool       is_plain = stat(path, &about) != 0 || S_ISREG(about.st_mode);
    if (is_plain)
        output.temporary = format_text("%s.%ld.new", path, (long)getpid());
    output.stream = fopen(is_plain ? output.temporary : path, "we");
    if (!output.stream)
        die("'%s' cannot be written: %s", path, strerror(errno));
    if (is_plain)
        remove_on_exit(output.temporary);
    return output;
}

void output_close(OutputFile *output)
{
    errno = 0;
    bool is_bad = fflush(output->stream) == EOF || ferror(output->stream);
    int  why = errno;
    if (fclose(output->stream) == EOF && !is_bad) {
        is_bad = true;
        why = errno;
    }
    if (!is_bad && output->temporary && rename(output->temporary, output->path) != 0) {
        is_bad = true;
        why = errno;
    }
    if (is_bad)
        die("'%s' could not be written: %s", output->path, why ? strerror(why) : "unknown error");
    unfinished_file[0] = '\0';
    free(output->temporary);
}

char *line_next(LineReader *reader)
{
    ssize_t length = getline(&reader->line, &reader->room, reader->stream);
    if (length < 0) {
        free(reader->line);
        reader->line = NULL;
        reader->room = 0;
        return NULL;
    }
    reader->number++;
    replace_nuls(reader->line, (size_t)length);
    while (length > 0 && (reader->line[length - 1] == '\n' || reader->line[length - 1] == '\r'))
        reader->line[--length] = '\0';
    return reader->line + (reader->number == 1 ? bom_length(reader->line) : 0);
}
