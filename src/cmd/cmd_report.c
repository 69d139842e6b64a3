/* turf report: a run as one HTML page of charts. turf runs: a list of the runs in a database. */
#include "cmd/console.h"
#include "cmd/database.h"
#include "report/page.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

int cmd_report(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    TurfError       error;
    RunView         view;
    Store          *store = database_read(settings);
    if (!run_view_load(&view, store, database_run(arguments), RUN_VIEW_ALL, &error))
        die("%s", error.text);
    OutputFile output = {.stream = stdout};
    if (settings->output)
        output = output_open(settings->output);
    bool is_good = page_write(&view, store, settings->hides_times, output.stream, &error);
    run_view_release(&view);
    store_close(store);
    if (!is_good)
        die("%s", error.text);
    if (settings->output) {
        output_close(&output);
        if (!settings->is_quiet)
            fprintf(stderr, "turf report: written to %s\n", settings->output);
    }
    return EXIT_FINE;
}

int cmd_runs(const Arguments *arguments)
{
    static const char *const titles[] = {"run",     "begun (UTC)", "game", "schedule",
                                         "players", "games",       "of",   ""};
    const Settings          *settings = &arguments->settings;
    Store                   *store = database_read(settings);
    RunRecord               *runs;
    size_t                   n_runs;
    TurfError                error;
    if (!runs_read(store, &runs, &n_runs, &error))
        die("%s", error.text);
    Table  *table = table_new("rlllrrrl", titles);
    json_t *list = json_array();
    for (size_t i = 0; i < n_runs; i++) {
        RunView   view;
        time_t    created = (time_t)runs[i].created;
        struct tm utc;
        char      date[32] = "?", notes[64];
        if (!run_view_load(&view, store, runs[i].id, RUN_VIEW_LIST, &error))
            die("%s", error.text);
        if (gmtime_r(&created, &utc))
            (void)strftime(date, sizeof date, "%Y-%m-%d %H:%M", &utc);
        table_add(table, "%lld", (long long)view.run.id);
        table_add(table, "%s", date);
        table_add(table, "%s", view.run.game);
        table_add(table, "%s", run_view_schedule(&view));
        table_add(table, "%zu", view.n_entrants);
        table_add(table, "%llu", (unsigned long long)view.n_games);
        table_add(table, "%llu", (unsigned long long)view.n_planned);
        run_view_shard(&view, notes, sizeof notes);
        if (!view.run.is_finished)
            strcat(notes, *notes ? ", unfinished" : "unfinished");
        table_add(table, "%s", notes);
        json_array_append_new(list, run_view_json(&view));
        run_view_release(&view);
    }
    if (settings->wants_json)
        print_json(json_incref(list), JSON_COMPACT);
    else if (n_runs > 0)
        table_print(table, TABLE_TEXT, stdout);
    else
        fprintf(stderr, "turf runs: there are no runs in '%s' yet\n", store_path(store));
    table_free(table);
    json_decref(list);
    runs_free(runs, n_runs);
    store_close(store);
    return EXIT_FINE;
}
