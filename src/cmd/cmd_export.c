/* turf export: games, standings, pairings or runs as CSV, JSON lines or Markdown. Every row is a
 * JSON object first, so that the three formats agree. */
#include "base/error.h"
#include "cmd/console.h"
#include "cmd/database.h"
#include "report/run_view.h"
#include "store/record_json.h"

#include <stdlib.h>
#include <string.h>

typedef enum Format { AS_JSONL, AS_CSV, AS_MARKDOWN } Format;
typedef enum What { WHAT_GAMES, WHAT_STANDINGS, WHAT_PAIRINGS, WHAT_RUNS, N_WHATS } What;

/* The output: rows are written as they come, but for Markdown. */
typedef struct Sheet {
    FILE  *out;
    Format format;
    Table *table; /* of Markdown, which is written at the end, when the widths are known */
    bool   has_head;
} Sheet;

static Format read_format(const Settings *settings)
{
    static const char *const names[] = {"jsonl", "csv", "md", "markdown", "json"};
    static const Format      formats[] = {AS_JSONL, AS_CSV, AS_MARKDOWN, AS_MARKDOWN, AS_JSONL};
    const char              *dot = settings->output ? strrchr(settings->output, '.') : NULL;
    const char              *wanted = settings->format;
    char                     quoted[ERROR_QUOTE_BYTES];
    if (!wanted)
        wanted = dot ? dot + 1 : "jsonl";
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (!strcmp(wanted, names[i]))
            return formats[i];
    if (settings->format)
        die("--format must be csv, jsonl or md, not '%s'", error_quote(quoted, wanted));
    return AS_JSONL;
}

static What read_what(const Settings *settings)
{
    static const char *const names[N_WHATS] = {"games", "standings", "pairings", "runs"};
    char                     quoted[ERROR_QUOTE_BYTES];
    int found = settings->what ? name_find(settings->what, names, N_WHATS) : WHAT_GAMES;
    if (found < 0)
        die("--what must be games, standings, pairings or runs, not '%s'",
            error_quote(quoted, settings->what));
    return (What)found;
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* A value as a cell: strings as they are, null empty, the rest as JSON. The caller frees it. */
static char *cell_of(const json_t *value)
{
    if (json_is_null(value))
        return strdup("");
    if (json_is_string(value))
        return strdup(json_string_value(value));
    return json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(10));
}

static void write_head(Sheet *sheet, json_t *row)
{
    const char *titles[64];
    char        alignment[65];
    size_t      n = 0;
    const char *key;
    json_t     *value;
    json_object_foreach(row, key, value)
    {
        if (sheet->format == AS_CSV)
            fprintf(sheet->out, "%s%s", n ? "," : "", key);
        alignment[n] = json_is_number(value) ? 'r' : 'l';
        if (n < 63)
            titles[n++] = key;
    }
    alignment[n] = '\0';
    if (sheet->format == AS_CSV)
        fputs("\r\n", sheet->out);
    else
        sheet->table = table_new(alignment, titles);
    sheet->has_head = true;
}

/* Writes a row and releases it. */
static void add_row(Sheet *sheet, json_t *row)
{
    or_die(row);
    if (sheet->format == AS_JSONL) {
        write_json(row, JSON_COMPACT | JSON_REAL_PRECISION(10), sheet->out);
        return;
    }
    if (!sheet->has_head)
        write_head(sheet, row);
    const char *key, *comma = "";
    json_t     *value;
    json_object_foreach(row, key, value)
    {
        char *text = or_die(cell_of(value));
        if (sheet->format == AS_CSV) {
            fputs(comma, sheet->out);
            table_write_csv_cell(text, sheet->out);
        } else {
            table_add(sheet->table, "%s", text);
        }
        comma = ",";
        free(text);
    }
    if (sheet->format == AS_CSV)
        fputs("\r\n", sheet->out);
    json_decref(row);
}

/* ---- tables -------------------------------------------------------------------------------- */

typedef struct GameExport {
    Sheet         *sheet;
    const RunView *view;
    bool           hides_times;
} GameExport;

static bool export_game(void *context, const GameRecord *record)
{
    GameExport *export = context;
    if (record->pairing >= export->view->n_pairings)
        return true;
    json_t *row =
        record_to_json(record, export->view->game, export->view->results[record->pairing].names);
    if (row && export->hides_times) {
        json_object_del(row, "seconds");
        json_object_del(row, "times");
    }
    /* Markdown is for people: leave the long columns out. */
    if (row && export->sheet->format == AS_MARKDOWN) {
        static const char *const too_long[] = {"start",      "moves",       "times",
                                               "last_words", "explanation", "sample"};
        for (size_t i = 0; i < sizeof too_long / sizeof too_long[0]; i++)
            json_object_del(row, too_long[i]);
    }
    add_row(export->sheet, row);
    return true;
}

static void export_games(Sheet *sheet, const RunView *view, Store *store, const Settings *settings)
{
    TurfError error;
    GameExport export = {sheet, view, settings->hides_times};
    if (!records_each_game(store, view->run.id, RECORDS_ALL, export_game, &export, &error))
        die("%s", error.text);
    if (view->n_recorded < view->n_games && !settings->is_quiet)
        fprintf(
            stderr,
            "turf export: only %llu of %llu games were recorded; --what pairings has the totals "
            "of all\n",
            (unsigned long long)view->n_recorded, (unsigned long long)view->n_games);
}

/* Replaces an object of counts by one column for each kind of draw (with `game`) or each reason of
 * a forfeit (without). */
static void spread_counts(json_t *row, const json_t *counts, const char *key, const TurfGame *game)
{
    int n_kinds = game ? TURF_N_ENDINGS : TURF_N_FORFEITS;
    for (int kind = game ? TURF_DRAWN : 0; kind < n_kinds; kind++) {
        const char *name = game ? game->ending_names[kind] : turf_forfeit_name((TurfForfeit)kind);
        char        title[64];
        if (!name)
            continue;
        (void)snprintf(title, sizeof title, "%s_%s", key, name);
        json_object_set_new(row, title,
                            json_integer(json_integer_value(json_object_get(counts, name))));
    }
    json_object_del(row, key);
}

/* One row for each player, with intervals and counts as columns of their own. */
static void export_standings(Sheet *sheet, const RunView *view)
{
    json_t *list = standings_json(view->standings, view->game), *standing;
    size_t  i;
    json_array_foreach(list, i, standing)
    {
        json_t *row =
            json_pack("{s:I,s:I}", "run", (json_int_t)view->run.id, "rank", (json_int_t)i + 1);
        json_t *score = json_object_get(standing, "interval"),
               *elo = json_object_get(standing, "elo_interval");
        json_object_update(row, standing);
        json_object_del(row, "interval");
        json_object_del(row, "elo_interval");
        spread_counts(row, json_object_get(standing, "draws"), "draws", view->game);
        spread_counts(row, json_object_get(standing, "forfeits"), "forfeits", NULL);
        json_object_set(row, "score_low", json_array_get(score, 0));
        json_object_set(row, "score_high", json_array_get(score, 1));
        json_object_set(row, "elo_low", json_array_get(elo, 0));
        json_object_set(row, "elo_high", json_array_get(elo, 1));
        add_row(sheet, row);
    }
    json_decref(list);
}

static void export_pairings(Sheet *sheet, const RunView *view, const Settings *settings)
{
    for (size_t p = 0; p < view->n_pairings; p++)
        for (int is_swapped = 0; is_swapped < 2; is_swapped++) {
            const TurfTotals *t = &view->results[p].totals[is_swapped];
            if (t->n_games == 0 && (is_swapped || !view->pairings[p].n_games))
                continue;
            json_t *row = json_pack(
                "{s:I,s:I,s:I,s:s,s:s,s:I,s:I,s:I}", "run", (json_int_t)view->run.id, "pairing",
                (json_int_t)p + 1, "round", (json_int_t)view->pairings[p].round, "first",
                view->results[p].names[is_swapped], "second", view->results[p].names[!is_swapped],
                "games", (json_int_t)t->n_games, "won_by_first", (json_int_t)t->endings[is_swapped],
                "won_by_second", (json_int_t)t->endings[!is_swapped]);
            for (int ending = TURF_DRAWN; ending < TURF_N_ENDINGS; ending++)
                if (view->game->ending_names[ending])
                    json_object_set_new(row, view->game->ending_names[ending],
                                        json_integer((json_int_t)t->endings[ending]));
            json_object_set_new(row, "forfeits_of_first",
                                json_integer((json_int_t)stats_forfeits(t, is_swapped)));
            json_object_set_new(row, "forfeits_of_second",
                                json_integer((json_int_t)stats_forfeits(t, !is_swapped)));
            json_object_set_new(row, "shortest",
                                t->n_games ? json_integer(t->shortest) : json_null());
            json_object_set_new(row, "longest",
                                t->n_games ? json_integer(t->longest) : json_null());
            json_object_set_new(row, "length_sum", json_integer((json_int_t)t->length_sum));
            if (!settings->hides_times)
                json_object_set_new(row, "seconds", json_real(t->seconds));
            add_row(sheet, row);
        }
}

static void export_runs(Sheet *sheet, Store *store)
{
    TurfError  error;
    RunRecord *runs;
    size_t     n_runs;
    if (!runs_read(store, &runs, &n_runs, &error))
        die("%s", error.text);
    for (size_t i = 0; i < n_runs; i++) {
        RunView view;
        if (!run_view_load(&view, store, runs[i].id, RUN_VIEW_LIST, &error))
            die("%s", error.text);
        add_row(sheet, run_view_json(&view));
        run_view_release(&view);
    }
    runs_free(runs, n_runs);
}

int cmd_export(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    TurfError       error;
    RunView         view = {0};
    Sheet           sheet = {.out = stdout, .format = read_format(settings)};
    What            what = read_what(settings);
    int64_t         run = database_run(arguments);
    Store          *store = database_read(settings);
    if (what != WHAT_RUNS &&
        !run_view_load(&view, store, run, what == WHAT_GAMES ? RUN_VIEW_HEAD : RUN_VIEW_ALL,
                       &error))
        die("%s", error.text);
    OutputFile output = {.stream = NULL};
    if (settings->output) {
        output = output_open(settings->output);
        sheet.out = output.stream;
    }
    switch (what) {
    case WHAT_GAMES: export_games(&sheet, &view, store, settings); break;
    case WHAT_STANDINGS: export_standings(&sheet, &view); break;
    case WHAT_PAIRINGS: export_pairings(&sheet, &view, settings); break;
    default: export_runs(&sheet, store);
    }
    if (sheet.table)
        table_print(sheet.table, TABLE_MARKDOWN, sheet.out);
    table_free(sheet.table);
    if (settings->output)
        output_close(&output);
    if (what != WHAT_RUNS)
        run_view_release(&view);
    store_close(store);
    return EXIT_FINE;
}
