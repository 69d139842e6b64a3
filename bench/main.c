/* turf-bench: its parts and options, and how rates are measured. */
#include "bench.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "cmd/console.h"

#include <getopt.h>
#include <stdlib.h>
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
    int n_decimals = rate < 10 ? 3 : 0;
    if (rate >= 0 && rate < 0.01)
        n_decimals = 6;
    table_add(bench->table, "%.*f", n_decimals, rate);
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
    {"batch", bench_batches},
    {"search", bench_searches},
    {"arena", bench_arena},
    {"bots", bench_bots},
    {"serve", bench_serve},
    {"device", bench_device}, /* only if it is asked for */
};

enum { N_PARTS = sizeof parts / sizeof parts[0] };

static void print_help(void)
{
    fputs("turf-bench [PART] [OPTIONS]\n"
          "  measures the speed of rules, searches, arena, bots and server\n"
          "\n"
          "Parts:\n"
          "  war-of-life, amoeba-wars, ai-battleground, squirrel-war\n"
          "            the rules, compared with the slow steppers of the tests\n"
          "  batch     steps of games side by side\n"
          "  search    nodes per second\n"
          "  arena     speed-up by more cores, and the cost of the database\n"
          "  bots      the arena's overhead per turn\n"
          "  serve     the server under load\n"
          "  device    games on a graphics card; only if named\n"
          "\n"
          "Options:\n"
          "      --device NAME  the device to measure (the first GPU)\n"
          "      --signature  print only the node counts, which change if a search changes\n"
          "      --json       print the result as JSON\n"
          "  -q, --quiet      print no messages\n"
          "  -h, --help       print this text\n",
          stdout);
}

typedef struct Options {
    size_t      part; /* N_PARTS: all of them */
    bool        wants_signature, wants_json, is_quiet, is_null_bot;
    const char *device;
} Options;

static size_t find_part(const char *name)
{
    const char     *names[N_PARTS];
    char            quoted[ERROR_QUOTE_BYTES];
    const TurfGame *game = turf_game_find(name, NULL);
    for (size_t i = 0; i < N_PARTS; i++)
        names[i] = parts[i].name;
    bool is_short = game && !strcmp(name, game->short_name);
    int  found = name_find(is_short ? game->name : name, names, N_PARTS);
    if (found < 0)
        die("unknown part '%s'; choose a game, batch, search, arena, bots, serve or device, or "
            "none for all",
            error_quote(quoted, name));
    return (size_t)found;
}

static Options read_options(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"device", required_argument, NULL, 'd'}, {"signature", no_argument, NULL, 's'},
        {"json", no_argument, NULL, 'j'},         {"quiet", no_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'},         {0},
    };
    Options options = {.part = N_PARTS};
    char    quoted[ERROR_QUOTE_BYTES];
    opterr = 0;
    for (int code; (code = getopt_long(argc, argv, "qh", long_options, NULL)) != -1;) {
        switch (code) {
        case 'd': options.device = optarg; break;
        case 's': options.wants_signature = true; break;
        case 'j': options.wants_json = true; break;
        case 'q': options.is_quiet = true; break;
        case 'h':
            print_help();
            console_finish();
            exit(EXIT_FINE);
        default: die("unknown option '%s'; see --help", error_quote(quoted, argv[optind - 1]));
        }
    }
    if (argc - optind > 1)
        die("too many arguments; type: turf-bench [PART]");
    if (optind < argc && !strcmp(argv[optind], BENCH_NULL_BOT))
        options.is_null_bot = true;
    else if (optind < argc)
        options.part = find_part(argv[optind]);
    return options;
}

static void run_parts(const Options *options)
{
    static const char *const titles[] = {"what", "how", "rate", "", "x slow"};
    Table                   *table = table_new("llrlr", titles);
    Bench bench = {.table = table, .json = json_array(), .device = options->device};
    if (!options->is_quiet)
        fprintf(stderr,
                "turf-bench: single-threaded unless stated otherwise; this takes a while\n");
    for (size_t i = 0; i < N_PARTS; i++)
        if (options->part == i || (options->part == N_PARTS && parts[i].run != bench_device))
            parts[i].run(&bench);
    if (options->wants_json)
        print_json(json_incref(bench.json), JSON_INDENT(2));
    else
        table_print(bench.table, TABLE_TEXT, stdout);
    json_decref(bench.json);
    table_free(bench.table);
}

int main(int argc, char **argv)
{
    console_begin("turf-bench");
    Options options = read_options(argc, argv);
    if (options.is_null_bot)
        return bench_null_bot();
    if (options.wants_signature)
        bench_signature(options.wants_json);
    else
        run_parts(&options);
    console_finish();
    return EXIT_FINE;
}
