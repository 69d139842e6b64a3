#include "cmd/bench.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "cmd/console.h"

#include <string.h>
#include <time.h>

#define SECONDS_EACH 0.5

static double cpu_seconds(void) { return (double)clock_worked_ns() / 1e9; }

double bench_rate(BenchWork *work, void *context)
{
    uint64_t done = 0, round = 0;
    (void)work(context, round++); /* warm the caches and the branch predictor */
    double begin = cpu_seconds(), seconds;
    do
        done += work(context, round++);
    while ((seconds = cpu_seconds() - begin) < SECONDS_EACH);
    return (double)done / seconds;
}

void bench_add(Bench *bench, const char *what, const char *how, const char *unit, double rate)
{
    double ratio = bench->slow_rate > 0 ? rate / bench->slow_rate : 0;
    table_add(bench->table, "%s", what);
    table_add(bench->table, "%s", how);
    table_add(bench->table, rate >= 0 && rate < 0.01 ? "%.6f" : rate < 10 ? "%.3f" : "%.0f", rate);
    table_add(bench->table, "%s", unit);
    if (ratio > 0)
        table_add(bench->table, "%.1f", ratio);
    else
        table_add(bench->table, "%s", "");
    json_t *json =
        json_pack("{s:s,s:s,s:f,s:s}", "what", what, "how", how, "rate", rate, "unit", unit);
    json_object_set_new(json, "times_slow", ratio > 0 ? json_real(ratio) : json_null());
    json_array_append_new(bench->json, json);
}

int bench_draw(void *rng, int n) { return (int)rng_below(rng, (uint32_t)n); }

static const struct {
    const char *name;
    void (*run)(Bench *bench);
} parts[] = {
    {"war-of-life", bench_war_of_life},
    {"amoeba-wars", bench_amoeba_wars},
    {"ai-battleground", bench_ai_battleground},
    {"squirrel-war", bench_squirrel_war},
    {"search", bench_searches},
    {"arena", bench_arena},
    {"bots", bench_bots},
    {"serve", bench_serve},
};

enum { N_PARTS = sizeof parts / sizeof parts[0] };

const char *bench_part_at(size_t index) { return index < N_PARTS ? parts[index].name : NULL; }

/* Which part is meant; N_PARTS stands for all of them. */
static size_t read_part(const Arguments *arguments)
{
    const char *names[N_PARTS];
    char        quoted[ERROR_QUOTE_BYTES];
    for (size_t i = 0; i < N_PARTS; i++)
        names[i] = parts[i].name;
    if (arguments->n_words == 0)
        return N_PARTS;
    const TurfGame *game = turf_game_find(arguments->words[0], NULL);
    bool            is_short = game && !strcmp(arguments->words[0], game->short_name);
    int             found = name_find(is_short ? game->name : arguments->words[0], names, N_PARTS);
    if (found < 0)
        die("there is no part '%s' of the bench; leave it out, or name a game, search, arena, bots "
            "or serve",
            error_quote(quoted, arguments->words[0]));
    return (size_t)found;
}

int cmd_bench(const Arguments *arguments)
{
    if (arguments->n_words == 1 && !strcmp(arguments->words[0], BENCH_NULL_BOT))
        return bench_null_bot();
    size_t part = read_part(arguments);
    if (arguments->settings.wants_signature) {
        bench_signature(&arguments->settings);
        return EXIT_FINE;
    }

    static const char *const titles[] = {"what", "how", "rate", "", "x slow"};
    Bench                    bench = {.settings = &arguments->settings,
                                      .table = table_new("llrlr", titles),
                                      .json = json_array()};
    if (!arguments->settings.is_quiet)
        fprintf(stderr, "turf bench: one core unless it says otherwise; this takes a while\n");
    for (size_t i = 0; i < N_PARTS; i++)
        if (part == N_PARTS || part == i)
            parts[i].run(&bench);
    if (arguments->settings.wants_json)
        print_json(json_incref(bench.json), JSON_INDENT(2));
    else
        table_print(bench.table, TABLE_TEXT, stdout);
    json_decref(bench.json);
    table_free(bench.table);
    return EXIT_FINE;
}
