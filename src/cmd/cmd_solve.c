/* turf solve: the exact value of a SquirrelWar position; shows the bounds while they close.
 *
 * Threads: the main thread solves; a watcher thread passes Ctrl-C on to the solver and refreshes
 * the status line. They share the atomics of Watch. */
#include "base/clock.h"
#include "base/cpu.h"
#include "base/error.h"
#include "cmd/console.h"
#include "games/squirrel_war.h"
#include "report/results.h"
#include "search/squirrel_solver.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Parses a size in bytes with an optional unit k, M or G. */
static size_t read_size(const char *text)
{
    static const struct {
        const char *unit;
        int         shift;
    } units[] = {{"", 0}, {"k", 10}, {"kiB", 10}, {"M", 20}, {"MiB", 20}, {"G", 30}, {"GiB", 30}};
    const uint64_t max = UINT64_C(1) << 40;
    char          *end = NULL, quoted[ERROR_QUOTE_BYTES];
    uint64_t       number = strtoull(text, &end, 10), size = 0;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (!strcasecmp(end, units[i].unit) && number <= max >> units[i].shift)
            size = number << units[i].shift;
    if (!isdigit((unsigned char)text[0]) || size < 1024)
        die("--hash must be a size from 1k to 1024G, like 512M or 4G, not '%s'",
            error_quote(quoted, text));
    return (size_t)size;
}

/* The bounds so far, and the flags between solver and watcher. */
typedef struct Watch {
    char        mover;
    bool        is_shown, is_terminal;
    int64_t     begin_ns;
    atomic_int  lower, upper;
    atomic_bool stop, is_done;
} Watch;

static void show(const Watch *watch, const char *nodes)
{
    if (!watch->is_shown)
        return;
    if (watch->is_terminal)
        fputs("\r\033[K", stderr);
    fprintf(stderr, "turf solve: for %c between %d and %d; %s%.1f s", watch->mover,
            atomic_load(&watch->lower), atomic_load(&watch->upper), nodes,
            clock_seconds_since(watch->begin_ns));
    if (!watch->is_terminal)
        fputc('\n', stderr);
}

static void note_bounds(void *context, const SwProgress *progress)
{
    Watch *watch = context;
    char   nodes[48];
    atomic_store(&watch->lower, progress->lower);
    atomic_store(&watch->upper, progress->upper);
    snprintf(nodes, sizeof nodes, "%.1f million nodes, ", (double)progress->nodes / 1e6);
    show(watch, nodes);
}

/* The watcher thread: sets the stop flag on Ctrl-C, updates the time on a terminal every second. */
static void *watch_solver(void *argument)
{
    Watch          *watch = argument;
    struct timespec nap = {.tv_nsec = 20000000};
    for (int turn = 1; !atomic_load(&watch->is_done) && !atomic_load(&watch->stop); turn++) {
        if (console_is_interrupted())
            atomic_store(&watch->stop, true);
        if (turn % 50 == 0 && watch->is_terminal)
            show(watch, "");
        nanosleep(&nap, NULL);
    }
    return NULL;
}

static json_t *line_json(const SwSolution *solution)
{
    json_t *line = json_array();
    for (int i = 0; i < solution->pv_length; i++)
        json_array_append_new(line, squirrel_war.move_to_json(NULL, (TurfMove)solution->pv[i]));
    return line;
}

static void print_solution(const SwSolution *solution, char mover, bool wants_json)
{
    json_t *line = line_json(solution);
    char    time[32];
    if (wants_json) {
        json_t *json =
            json_pack("{s:b,s:i,s:i,s:o?,s:I,s:f}", "exact", (int)solution->exact, "lower",
                      solution->lower, "upper", solution->upper, "line", line, "nodes",
                      (json_int_t)solution->nodes, "seconds", solution->seconds);
        json_object_set_new(json, "value",
                            solution->exact ? json_integer(solution->lower) : json_null());
        print_json(json, JSON_COMPACT);
        return;
    }
    if (solution->exact)
        printf("value %d for %c\n", solution->lower, mover);
    else
        printf("value between %d and %d for %c\n", solution->lower, solution->upper, mover);
    if (solution->pv_length > 0)
        printf("best line");
    for (size_t i = 0; i < json_array_size(line); i++)
        printf(" %s", json_string_value(json_array_get(line, i)));
    results_format_seconds(solution->seconds, time);
    printf("%s%llu nodes, %s\n", solution->pv_length > 0 ? "\n" : "",
           (unsigned long long)solution->nodes, time);
    json_decref(line);
}

static SwPosition read_position(const Arguments *arguments)
{
    Settings   settings = arguments->settings;
    SwPosition position;
    TurfError  error;
    TurfRng    rng = turf_rng(settings.seed);
    if (arguments->n_words > 1) {
        const char *path = arguments->words[1];
        if (settings.start)
            die("give a file or --start, not both");
        if (strcmp(path, "-") && access(path, R_OK) != 0)
            die("the file '%s' cannot be read: %s", path, strerror(errno));
        settings.start = path;
    }
    char *start = read_start(&squirrel_war, &settings);
    if (!game_start(&squirrel_war, start, &rng, &position, &error))
        die("%s", error.text);
    free(start);
    return position;
}

int cmd_solve(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    if (read_game(arguments->words[0]) != &squirrel_war)
        die("only squirrel-war can be solved; type: turf solve squirrel-war [FILE]");
    SwPosition position = read_position(arguments);
    int        n_threads = settings->n_jobs ? (int)settings->n_jobs : cpu_count();
    size_t     hash_bytes = settings->hash ? read_size(settings->hash) : (size_t)256 << 20;
    SwSolver  *solver = sw_solver_new(hash_bytes, n_threads);
    if (!solver)
        die("out of memory for a table of %s; use a smaller --hash",
            settings->hash ? settings->hash : "256M");

    int            total = sw_sum(&position.values, SW_ALL);
    Watch          watch = {.mover = position.board.to_move ? 'O' : 'X',
                            .is_shown = !settings->is_quiet && !settings->wants_json,
                            .begin_ns = clock_ns(),
                            .lower = -total,
                            .upper = total};
    SwSolveOptions options = {.stop = &watch.stop, .progress = note_bounds, .context = &watch};
    SwSolution     solution;
    pthread_t      watcher;
    watch.is_terminal = watch.is_shown && isatty(STDERR_FILENO);
    console_catch_interrupt();
    bool is_watched = pthread_create(&watcher, NULL, watch_solver, &watch) == 0;
    sw_solver_solve(solver, &position.values, &position.board, &options, &solution);
    atomic_store(&watch.is_done, true);
    if (is_watched)
        pthread_join(watcher, NULL);
    if (watch.is_terminal)
        fputs("\r\033[K", stderr);
    print_solution(&solution, watch.mover, settings->wants_json);
    sw_solver_free(solver);
    return solution.exact ? EXIT_FINE : EXIT_INTERRUPTED;
}
