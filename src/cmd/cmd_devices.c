/* turf devices: what can play games here, and how fast. */
#include "base/clock.h"
#include "base/cpu.h"
#include "cmd/console.h"
#include "games/streams.h"
#include "games/totals.h"
#include "games/wol_kernels.h"
#include "gpu/device.h"
#include "report/table.h"

#include <pthread.h>
#include <stdlib.h>

#define TRIAL_SECONDS 0.5

typedef struct Row {
    const char *name, *kind, *note;
    double      rate; /* 0: it failed */
} Row;

/* ---- the processor ------------------------------------------------------------------------ */

/* Random games of one thread until the time is up. */
static void *try_thread(void *context)
{
    uint64_t   *n_games = context, first = *n_games;
    RandomGames games = {.first_game = first,
                         .n_games = 1 << 12,
                         .start_streams = start_streams(1),
                         .side_streams = {side_streams(1, "random", "random", TURF_FIRST),
                                          side_streams(1, "random", "random", TURF_SECOND)}};
    TurfTotals  totals = TOTALS_NONE;
    int64_t     begin_ns = clock_ns();
    for (; clock_seconds_since(begin_ns) < TRIAL_SECONDS; games.first_game += games.n_games)
        wol_kernel_best()->play(&games, &totals);
    *n_games = totals.n_games;
    return NULL;
}

static double try_processor(int n_threads)
{
    pthread_t *threads = or_die(calloc((size_t)n_threads, sizeof *threads));
    uint64_t  *counts = or_die(calloc((size_t)n_threads, sizeof *counts)), sum = 0;
    int        n_started = 0;
    int64_t    begin_ns = clock_ns();
    for (; n_started < n_threads; n_started++) {
        counts[n_started] = (uint64_t)n_started << 40;
        if (pthread_create(&threads[n_started], NULL, try_thread, &counts[n_started]))
            break;
    }
    for (int i = 0; i < n_started; i++) {
        pthread_join(threads[i], NULL);
        sum += counts[i];
    }
    free(threads);
    free(counts);
    return (double)sum / clock_seconds_since(begin_ns);
}

/* ---- the list ----------------------------------------------------------------------------- */

static void add(Table *table, json_t *json, const Row *row)
{
    table_add(table, "%s", row->name);
    table_add(table, "%s", row->kind);
    if (row->rate > 0)
        table_add(table, "%.*f million", row->rate < 1e8 ? 2 : 0, row->rate / 1e6);
    else
        table_add(table, "%s", "");
    table_add(table, "%s", row->note);
    json_t *rate = row->rate > 0 ? json_real(row->rate) : json_null();
    json_array_append_new(json, json_pack("{s:s,s:s,s:o,s:s}", "name", row->name, "kind", row->kind,
                                          "games_per_second", rate, "note", row->note));
}

static void add_device(Table *table, json_t *json, const DeviceInfo *info)
{
    TurfError error;
    Row       row = {.name = info->name, .kind = info->is_gpu ? "gpu" : "other"};
    char      note[512];
    Device   *device = device_open(info->name, NULL, &error);
    if (device)
        row.rate = device_trial(device, TRIAL_SECONDS, &error);
    snprintf(note, sizeof note, "%u units, %.0f GiB, by %s", info->n_units,
             (double)info->memory / (1 << 30), info->driver);
    row.note = row.rate > 0 ? note : error.text;
    add(table, json, &row);
    device_close(device);
}

int cmd_devices(const Arguments *arguments)
{
    static const char *const titles[] = {"device", "kind", "games/s", ""};
    Table                   *table = or_die(table_new("llrl", titles));
    json_t                  *json = or_die(json_array());
    DeviceInfo              *devices;
    size_t                   n_devices;
    TurfError                error;
    char                     note[128];
    int                      n_threads = cpu_count();
    snprintf(note, sizeof note, "%d %s, %s", n_threads, n_threads > 1 ? "threads" : "thread",
             wol_kernel_best()->name);
    add(table, json,
        &(Row){.name = "cpu", .kind = "cpu", .rate = try_processor(n_threads), .note = note});
    bool has_devices = devices_list(&devices, &n_devices, &error);
    for (size_t i = 0; i < n_devices; i++)
        add_device(table, json, &devices[i]);
    if (arguments->settings.wants_json)
        print_json(json_incref(json), JSON_INDENT(2));
    else
        table_print(table, TABLE_TEXT, stdout);
    if (!has_devices && !arguments->settings.is_quiet)
        fprintf(stderr, "turf: %s; see docs/gpu.md\n", error.text);
    free(devices);
    json_decref(json);
    table_free(table);
    return EXIT_FINE;
}
