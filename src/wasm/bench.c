/* bench/search.c as a module: the searches' signature and their speed, for tests and
 * tests/wasm/speed.mjs. What it prints is text of JSON. */
#include "bench.h"

#include "base/clock.h"

#include <stdarg.h>
#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(name)))

void die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    abort();
}

void print_json(json_t *json, size_t flags)
{
    (void)flags;
    char *text = json_dumps(json, JSON_COMPACT);
    puts(text ? text : "null");
    (void)fflush(stdout);
    free(text);
    json_decref(json);
}

double bench_rate(BenchWork *work, void *context)
{
    enum { MS = 500 };
    uint64_t done = 0, round = 0;
    (void)work(context, round++);
    int64_t begin_ns = clock_ns(), ns;
    do
        done += work(context, round++);
    while ((ns = clock_ns() - begin_ns) < MS * INT64_C(1000000));
    return (double)done * 1e9 / (double)ns;
}

void bench_add(Bench *bench, const char *what, const char *how, const char *unit, double rate)
{
    json_array_append_new(bench->json, json_pack("{s:s,s:s,s:s,s:f}", "what", what, "how", how,
                                                 "unit", unit, "rate", rate));
}

EXPORT("signature") void signature(void) { bench_signature(true); }

EXPORT("rates") void rates(void)
{
    Bench bench = {.json = json_array()};
    bench_searches(&bench);
    print_json(bench.json, 0);
}
