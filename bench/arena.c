/* The arena's speed-up by more cores, and the cost of the database: the coursework's tournament on
 * one core, on all, and with a database. The three alternate and the best time of each counts, to
 * reduce the noise of other load. */
#include "arena/run_play.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { ROUNDS = 3, GAMES = 5000 };

/* A temporary database. */
typedef struct Scratch {
    char folder[32], path[64];
} Scratch;

static bool make_scratch(Scratch *scratch)
{
    strcpy(scratch->folder, "./turf-bench-XXXXXX"); /* on the same disk as turf.db would be */
    if (!mkdtemp(scratch->folder)) {
        strcpy(scratch->folder, "/tmp/turf-bench-XXXXXX");
        if (!mkdtemp(scratch->folder))
            return false;
    }
    snprintf(scratch->path, sizeof scratch->path, "%s/turf.db", scratch->folder);
    return true;
}

static void remove_scratch(Scratch *scratch)
{
    unlink(scratch->path);
    rmdir(scratch->folder);
}

typedef struct Took {
    double seconds, processor_seconds;
} Took;

static double processor_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void add_strategies(Plan *plan)
{
    const PlayerKind *kind;
    for (size_t i = 0; (kind = player_kind_at(i)); i++) {
        if (!kind->is_strategy || !player_kind_plays(kind, plan->game))
            continue;
        TurfPlayer *player = read_player(plan->game, kind->name);
        if (!plan_add_player(plan, player))
            die("out of memory");
    }
}

static Took time_tournament(int n_jobs, bool is_kept)
{
    TurfError error;
    Run       event;
    Scratch   scratch;
    Plan      plan = {.game = read_game("war-of-life"),
                      .schedule = SCHEDULE_ROUND_ROBIN,
                      .n_games = GAMES,
                      .seed = 1};
    add_strategies(&plan);
    if (!run_init(&event, &plan, true, &error))
        die("%s", error.text);
    if (is_kept && !make_scratch(&scratch))
        die("cannot create a folder here or in /tmp");
    int64_t begin_ns = clock_ns();
    double  begin_processor = processor_seconds();
    Store  *store = is_kept ? store_open(scratch.path, STORE_MAKE, &error) : NULL;
    event.n_jobs = n_jobs;
    if ((is_kept && !store) || !run_begin(&event, store, &error) ||
        !run_play(&event, &(RunHooks){0}, &error))
        die("%s", error.text);
    Took took = {clock_seconds_since(begin_ns), processor_seconds() - begin_processor};
    run_release(&event);
    store_close(store);
    if (is_kept)
        remove_scratch(&scratch);
    return took;
}

void bench_arena(Bench *bench)
{
    static const char what[] = "arena: 25 x 5,000 games of War of Life",
                      cost[] = "arena: cost of the database";
    enum { ONE_CORE, ALL_CORES, KEPT, N_WAYS };
    Took   best[N_WAYS] = {{1e9, 1e9}, {1e9, 1e9}, {1e9, 1e9}};
    int    n_jobs = cpu_count();
    double n_games = 25.0 * GAMES;
    char   how[48];
    for (int round = 0; round < ROUNDS; round++)
        for (int way = 0; way < N_WAYS; way++) {
            Took took = time_tournament(way == ONE_CORE ? 1 : n_jobs, way == KEPT);
            best[way].seconds = fmin(best[way].seconds, took.seconds);
            best[way].processor_seconds = fmin(best[way].processor_seconds, took.processor_seconds);
        }
    bench->slow_rate = 0;
    bench_add(bench, what, "one core", "games/s", n_games / best[ONE_CORE].seconds);
    snprintf(how, sizeof how, "%d cores", n_jobs);
    bench_add(bench, what, how, "games/s", n_games / best[ALL_CORES].seconds);
    snprintf(how, sizeof how, "%d cores, kept in SQLite", n_jobs);
    bench_add(bench, what, how, "games/s", n_games / best[KEPT].seconds);
    snprintf(how, sizeof how, "%d cores against one", n_jobs);
    bench_add(bench, "arena: speed-up by more cores", how, "times",
              best[ONE_CORE].seconds / best[ALL_CORES].seconds);
    bench_add(bench, cost, "of the time", "%",
              100 * (best[KEPT].seconds / best[ALL_CORES].seconds - 1));
    bench_add(bench, cost, "of the processor's time", "%",
              100 * (best[KEPT].processor_seconds / best[ALL_CORES].processor_seconds - 1));
}
