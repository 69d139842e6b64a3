/* turf solve: the exact value of a SquirrelWar position, with the bounds as they close. */
#include "base/error.h"
#include "cmd/console.h"
#include "games/squirrel_war.h"
#include "report/results.h"
#include "search/squirrel_solver.h"

#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A number of bytes with k, M or G after it. */
static size_t read_size(const char *text)
{
    char              *end = NULL, quoted[ERROR_QUOTE_BYTES];
    unsigned long long size = strtoull(text, &end, 10);
    const char        *units = "kMG", *unit = *end ? strchr(units, *end == 'K'   ? 'k'
                                                                   : *end == 'm' ? 'M'
                                                                   : *end == 'g' ? 'G'
                                                                                 : *end)
                                                   : NULL;
    if (unit && *unit)
        for (const char *at = units; at <= unit && size < (UINT64_C(1) << 50); at++)
            size <<= 10;
    if (!isdigit((unsigned char)text[0]) || (*end && (!unit || (end[1] && strcmp(end + 1, "iB")))) || size < 1024 ||
        size > (UINT64_C(1) << 40))
        die("--hash wants a size from 1k to 1024G, like 512M or 4G, not '%s'", error_quote(quoted, text));
    return (size_t)size;
}

typedef struct Watch {
    char letter; /* who is to move */
    bool is_shown;
} Watch;

static void show_bounds(void *context, const SwProgress *progress)
{
    const Watch *watch = context;
    if (watch->is_shown)
        fprintf(stderr, "turf solve: for %c between %d and %d; %.1f million nodes, %.1f s\n", watch->letter,
                progress->lower, progress->upper, (double)progress->nodes / 1e6, progress->seconds);
}

/* Ctrl-C is a flag of the signal's; the solver wants an atomic one. */
typedef struct Bell {
    atomic_bool stop, is_done;
} Bell;

static void *listen(void *argument)
{
    Bell           *bell = argument;
    struct timespec nap = {.tv_nsec = 20000000};
    while (!atomic_load(&bell->is_done) && !atomic_load(&bell->stop)) {
        if (console_is_interrupted())
            atomic_store(&bell->stop, true);
        nanosleep(&nap, NULL);
    }
    return NULL;
}

static json_t *line_json(const SwSolution *solution)
{
    json_t *line = json_array();
    for (int i = 0; i < solution->n_line; i++)
        json_array_append_new(line, squirrel_war.move_to_json(NULL, (TurfMove)solution->line[i]));
    return line;
}

static void print_solution(const SwSolution *solution, char mover, bool wants_json)
{
    json_t *line = line_json(solution);
    char    time[32];
    if (wants_json) {
        json_t *json = json_pack("{s:b,s:i,s:i,s:o?,s:I,s:f}", "exact", (int)solution->exact, "lower", solution->lower,
                                 "upper", solution->upper, "line", line, "nodes", (json_int_t)solution->nodes,
                                 "seconds", solution->seconds);
        json_object_set_new(json, "value", solution->exact ? json_integer(solution->lower) : json_null());
        json_dumpf(json, stdout, JSON_COMPACT);
        putchar('\n');
        json_decref(json);
        return;
    }
    if (solution->exact)
        printf("value %d for %c\n", solution->lower, mover);
    else
        printf("value between %d and %d for %c\n", solution->lower, solution->upper, mover);
    if (solution->n_line > 0)
        printf("best line");
    for (size_t i = 0; i < json_array_size(line); i++)
        printf(" %s", json_string_value(json_array_get(line, i)));
    results_format_seconds(solution->seconds, time);
    printf("%s%llu nodes, %s\n", solution->n_line > 0 ? "\n" : "", (unsigned long long)solution->nodes, time);
    json_decref(line);
}

static SwPosition read_position(const Arguments *arguments)
{
    Settings   settings = arguments->settings;
    SwPosition position;
    TurfError  error;
    TurfRng    rng = turf_rng(settings.seed);
    if (arguments->n_words > 1)
        settings.start = arguments->words[1];
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
    char       mover = position.board.to_move ? 'O' : 'X';
    long       n_processors = sysconf(_SC_NPROCESSORS_ONLN);
    int        n_threads = settings->n_jobs ? (int)settings->n_jobs : n_processors > 0 ? (int)n_processors : 1;
    size_t     hash_bytes = settings->hash ? read_size(settings->hash) : (size_t)256 << 20;
    SwSolver  *solver = sw_solver_new(hash_bytes, n_threads);
    if (!solver)
        die("there is no memory for a table of %s; give a smaller --hash", settings->hash ? settings->hash : "256M");

    Watch          watch = {mover, !settings->is_quiet && !settings->wants_json};
    Bell           bell = {.stop = false};
    SwSolveOptions options = {.stop = &bell.stop, .progress = show_bounds, .context = &watch};
    SwSolution     solution;
    pthread_t      listener;
    console_catch_interrupt();
    bool is_listening = pthread_create(&listener, NULL, listen, &bell) == 0;
    sw_solver_solve(solver, &position.values, &position.board, &options, &solution);
    atomic_store(&bell.is_done, true);
    if (is_listening)
        pthread_join(listener, NULL);
    print_solution(&solution, mover, settings->wants_json);
    sw_solver_free(solver);
    return solution.exact ? EXIT_FINE : EXIT_INTERRUPTED;
}
