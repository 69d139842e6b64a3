/* turf solve: exact answers. Each game has a file solve_GAME.c; here is what they share: the
 * position, the size of the table, Ctrl-C and the status line (the threads are in solve.h). */
#include "cmd/solve.h"

#include "base/clock.h"
#include "base/cpu.h"
#include "base/error.h"

#include <ctype.h>
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

size_t solve_hash_bytes(const Settings *settings)
{
    return settings->hash ? read_size(settings->hash) : (size_t)256 << 20;
}

_Noreturn void solve_no_memory(const Settings *settings)
{
    die("out of memory for a table of %s; use a smaller --hash",
        settings->hash ? settings->hash : "256M");
}

int solve_threads(const Settings *settings)
{
    return settings->n_jobs ? (int)settings->n_jobs : cpu_count();
}

void solve_read_position(const TurfGame *game, const Arguments *arguments, void *state)
{
    Settings  settings = arguments->settings;
    TurfError error;
    TurfRng   rng = turf_rng(settings.seed);
    if (arguments->n_words > 1) {
        if (settings.start)
            die("give a position or --start, not both");
        settings.start = arguments->words[1];
    }
    char *start = read_start(game, &settings);
    if (!game_start(game, start, &rng, state, &error))
        die("%s", error.text);
    free(start);
}

/* ---- Ctrl-C and the status line ------------------------------------------------------------ */

void solve_watch_show(const SolveWatch *watch)
{
    if (!watch->is_shown)
        return;
    if (watch->is_terminal)
        fputs("\r\033[K", stderr);
    fputs("turf solve: ", stderr);
    watch->show(watch->context, stderr);
    fprintf(stderr, "%.1f s", clock_seconds_since(watch->begin_ns));
    if (!watch->is_terminal)
        fputc('\n', stderr);
}

static void *watch_solver(void *argument)
{
    SolveWatch     *watch = argument;
    struct timespec nap = {.tv_nsec = 20000000};
    for (int turn = 1; !atomic_load(&watch->is_done) && !atomic_load(&watch->stop); turn++) {
        if (console_is_interrupted())
            atomic_store(&watch->stop, true);
        if (turn % 50 == 0 && watch->is_terminal)
            solve_watch_show(watch);
        nanosleep(&nap, NULL);
    }
    return NULL;
}

void solve_watch_begin(SolveWatch *watch, const Settings *settings)
{
    watch->is_shown = !settings->is_quiet && !settings->wants_json;
    watch->is_terminal = watch->is_shown && isatty(STDERR_FILENO);
    watch->begin_ns = clock_ns();
    console_catch_interrupt();
    watch->is_watched = pthread_create(&watch->thread, NULL, watch_solver, watch) == 0;
}

void solve_watch_end(SolveWatch *watch)
{
    atomic_store(&watch->is_done, true);
    if (watch->is_watched)
        pthread_join(watch->thread, NULL);
    if (watch->is_terminal)
        fputs("\r\033[K", stderr);
}

/* ---- the command --------------------------------------------------------------------------- */

int cmd_solve(const Arguments *arguments)
{
    const TurfGame *game = read_game(arguments->words[0]);
    const Settings *settings = &arguments->settings;
    if (settings->n_moves && game != &war_of_life)
        die("--moves is for war-of-life; %s is solved to its end", game->name);
    if (game == &squirrel_war)
        return solve_squirrel_war(arguments);
    if (game == &amoeba_wars)
        return solve_amoeba_wars(arguments);
    if (game == &war_of_life)
        return solve_war_of_life(arguments);
    die("%s cannot be solved; those that can: squirrel-war, amoeba-wars, war-of-life", game->name);
}
