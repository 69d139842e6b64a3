#include "cmd/bench.h"

#include "base/clock.h"
#include "base/rng.h"

#define SECONDS_EACH 0.5

double bench_rate(BenchWork *work, void *context)
{
    uint64_t done = 0, round = 0;
    (void)work(context, round++); /* warm the caches and the branch predictor */
    int64_t begin_ns = clock_ns();
    double  seconds;
    do
        done += work(context, round++);
    while ((seconds = clock_seconds_since(begin_ns)) < SECONDS_EACH);
    return (double)done / seconds;
}

void bench_add(Bench *bench, const char *what, const char *how, const char *unit, double rate)
{
    double ratio = bench->slow_rate > 0 ? rate / bench->slow_rate : 0;
    table_add(bench->table, "%s", what);
    table_add(bench->table, "%s", how);
    table_add(bench->table, rate < 0.01 ? "%.6f" : rate < 10 ? "%.3f" : "%.0f", rate);
    table_add(bench->table, "%s", unit);
    if (ratio > 0)
        table_add(bench->table, "%.1f", ratio);
    else
        table_add(bench->table, "%s", "");
    json_t *json = json_pack("{s:s,s:s,s:f,s:s}", "what", what, "how", how, "rate", rate, "unit", unit);
    json_object_set_new(json, "times_slow", ratio > 0 ? json_real(ratio) : json_null());
    json_array_append_new(bench->json, json);
}

int bench_draw(void *rng, int n) { return (int)rng_below(rng, (uint32_t)n); }

int cmd_bench(const Arguments *arguments)
{
    static const char *const titles[] = {"what", "how", "rate", "", "x slow"};
    Bench bench = {.settings = &arguments->settings, .table = table_new("llrlr", titles), .json = json_array()};
    if (!arguments->settings.is_quiet)
        fprintf(stderr, "turf bench: one core unless it says otherwise; this takes a while\n");
    bench_war_of_life(&bench);
    bench_amoeba_wars(&bench);
    bench_ai_battleground(&bench);
    bench_squirrel_war(&bench);
    if (arguments->settings.wants_json) {
        json_dumpf(bench.json, stdout, JSON_INDENT(2));
        putchar('\n');
    } else {
        table_print(bench.table, TABLE_TEXT, stdout);
    }
    json_decref(bench.json);
    table_free(bench.table);
    return EXIT_FINE;
}
