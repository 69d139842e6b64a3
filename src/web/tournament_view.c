/* Stored runs as JSON for the page, and as files to download. */
#include "web/tournament_view.h"

#include "arena/schedule.h"
#include "base/error.h"
#include "base/checked_json.h"
#include "games/totals.h"
#include "report/page.h"
#include "report/run_view.h"
#include "store/recorded_games.h"
#include "web/public_names.h"
#include "web/record.h"
#include "web/moment.h"

#include <stdlib.h>
#include <string.h>

enum { N_RECENT = 8 };

json_t *tournament_entry(const RunRecord *run, int64_t n_played, TurfError *error)
{
    Plan      plan;
    TurfError unused;
    char      id[24];
    if (!plan_from_json(&plan, run->plan, error))
        return NULL;
    json_t *players = json_array();
    for (size_t i = 0; i < plan.n_entrants; i++) {
        hide_folders(plan.entrants[i].name);
        json_add(&players, json_string(plan.entrants[i].name));
    }
    snprintf(id, sizeof id, "%lld", (long long)run->id);
    uint64_t n_total =
        schedule_check(&plan, &unused) ? schedule_n_pairings(&plan) * plan.n_games : 0;
    /* An SPRT that ended early and a shard have fewer games than the plan. */
    if (run->is_finished && n_played > 0)
        n_total = (uint64_t)n_played;
    json_t *json =
        json_pack("{s:s,s:s,s:s,s:o,s:I,s:I,s:I,s:I,s:o,s:b}", "id", id, "game", plan.game->name,
                  "schedule", schedule_name(plan.schedule), "players", players, "games",
                  (json_int_t)plan.n_games, "seed", (json_int_t)plan.seed, "n_played",
                  (json_int_t)(n_played > 0 ? n_played : 0), "n_total", (json_int_t)n_total,
                  "created_at", moment_json(run->created * 1000), "swaps_sides", plan.swaps_sides);
    plan_release(&plan);
    if (!json)
        error_no_memory(error);
    return json;
}

/* ---- the table and the standings ---------------------------------------------------------- */

static json_t *row_json(const RunView *view, size_t index)
{
    const PairingRecord *pairing = &view->pairings[index];
    TurfTotals           totals = totals_of_sides(view->results[index].totals);
    json_t              *outcomes = json_object();
    for (int ending = 0; ending < TURF_N_ENDINGS; ending++) {
        const char *name = view->game->ending_names[ending];
        uint64_t    count = ending <= TURF_WON_BY_SECOND
                                ? totals_won_by_side(view->results[index].totals, ending)
                                : totals.endings[ending];
        if (name)
            json_put(&outcomes, name, json_integer((json_int_t)count));
    }
    double mean = totals.n_games ? (double)totals.length_sum / (double)totals.n_games : 0;
    return json_pack(
        "{s:I,s:I,s:I,s:[I,I],s:I,s:o,s:[I,I],s:f}", "first", (json_int_t)pairing->first, "second",
        (json_int_t)pairing->second, "n_games", (json_int_t)totals.n_games, "wins",
        (json_int_t)totals.endings[TURF_WON_BY_FIRST],
        (json_int_t)totals.endings[TURF_WON_BY_SECOND], "draws", (json_int_t)stats_draws(&totals),
        "outcomes", outcomes, "forfeits", (json_int_t)stats_forfeits(&totals, 0),
        (json_int_t)stats_forfeits(&totals, 1), "mean_length", mean);
}

static json_t *standing_json(const RunView *view, const Standing *standing)
{
    const TurfTotals *t = &standing->totals;
    const Rating     *rating = &standing->rating;
    Estimate          score = stats_score(t);
    bool              is_rated = rating->status == RATED;
    size_t            player = 0;
    while (player < view->n_entrants && strcmp(view->entrants[player].name, standing->name))
        player++;
    uint64_t wins = t->endings[TURF_WON_BY_FIRST], losses = t->endings[TURF_WON_BY_SECOND],
             draws = stats_draws(t);
    json_t *json =
        json_pack("{s:I,s:s,s:I,s:I,s:I,s:I,s:f,s:f,s:[f,f]}", "player", (json_int_t)player, "name",
                  standing->name, "n_games", (json_int_t)t->n_games, "wins", (json_int_t)wins,
                  "losses", (json_int_t)losses, "draws", (json_int_t)draws, "points",
                  standing->points, "share", score.value, "interval", score.low, score.high);
    json_put(&json, "rating", json_real_or_null(is_rated, rating->elo.value));
    json_put(&json, "rating_interval", json_elo_interval(rating));
    json_put(&json, "forfeits", json_integer((json_int_t)stats_forfeits(t, 0)));
    if (view->standings->is_swiss) {
        json_put(&json, "buchholz", json_real(standing->buchholz));
        json_put(&json, "byes", json_integer((json_int_t)standing->n_byes));
    }
    return json;
}

static bool add_recent(void *context, const RecordedGame *game)
{
    json_t  **recent = context;
    Record    record;
    TurfError why;
    if (!record_of_game(game, &record, &why)) {
        json_keep_if(recent, (why.code == TURF_ERROR_NO_MEMORY)); /* else it is left out */
        return *recent != NULL;
    }
    json_t *json = record_summary(&record),
           *position = record.history.game->to_json(&record.history.state);
    json_put(&json, "board", json_incref(json_object_get(position, "board")));
    if (json_object_get(position, "values"))
        json_put(&json, "values", json_incref(json_object_get(position, "values")));
    json_decref(position);
    json_add(recent, json);
    record_release(&record);
    return *recent != NULL;
}

/* The entry with table and standings. */
static json_t *view_json(const RunView *view, TurfError *error)
{
    json_t *json = tournament_entry(&view->run, (int64_t)view->n_games, error);
    if (!json)
        return NULL;
    json_t *table = json_array(), *standings = json_array();
    for (size_t i = 0; i < view->n_pairings; i++)
        json_add(&table, row_json(view, i));
    for (size_t i = 0; i < view->standings->n; i++)
        json_add(&standings, standing_json(view, &view->standings->list[i]));
    json_put(&json, "table", table);
    json_put(&json, "standings", standings);
    if (!json)
        error_no_memory(error);
    return json;
}

json_t *tournament_view(Store *store, int64_t run, bool *is_finished, TurfError *error)
{
    RunView view;
    if (!run_view_load(&view, store, run, RUN_VIEW_ALL, error))
        return NULL;
    hide_folders_of_run(&view);
    json_t            *json = view_json(&view, error), *recent = json_array();
    RecordedGameFilter filter = {.run = run, .limit = N_RECENT};
    bool is_read = json && recorded_games_each(store, &filter, add_recent, &recent, error);
    if (is_read) {
        json_put(&json, "recent", recent);
        if (!json)
            error_no_memory(error);
    } else {
        json_decref(json);
        json_decref(recent);
        json = NULL;
    }
    *is_finished = view.run.is_finished;
    run_view_release(&view);
    return json;
}

/* ---- files -------------------------------------------------------------------------------- */

static void write_csv(const RunView *view, FILE *out)
{
    fputs("first,second,games,first wins,second wins,draws,first forfeits,second forfeits,mean "
          "length\r\n",
          out);
    for (size_t i = 0; i < view->n_pairings; i++) {
        TurfTotals t = totals_of_sides(view->results[i].totals);
        table_write_csv_cell(view->results[i].names[0], out);
        fputc(',', out);
        table_write_csv_cell(view->results[i].names[1], out);
        fprintf(out, ",%llu,%llu,%llu,%llu,%llu,%llu,%.4f\r\n", (unsigned long long)t.n_games,
                (unsigned long long)t.endings[TURF_WON_BY_FIRST],
                (unsigned long long)t.endings[TURF_WON_BY_SECOND],
                (unsigned long long)stats_draws(&t), (unsigned long long)stats_forfeits(&t, 0),
                (unsigned long long)stats_forfeits(&t, 1),
                t.n_games ? (double)t.length_sum / (double)t.n_games : 0.0);
    }
}

static void write_markdown(const RunView *view, FILE *out)
{
    static const char *const titles[] = {"first",      "second",      "games",
                                         "first wins", "second wins", "draws"};
    Table *standings = standings_table(view->standings), *table = table_new("llrrrr", titles);
    for (size_t i = 0; i < view->n_pairings; i++) {
        TurfTotals t = totals_of_sides(view->results[i].totals);
        table_add(table, "%s", view->results[i].names[0]);
        table_add(table, "%s", view->results[i].names[1]);
        table_add(table, "%llu", (unsigned long long)t.n_games);
        table_add(table, "%llu", (unsigned long long)t.endings[TURF_WON_BY_FIRST]);
        table_add(table, "%llu", (unsigned long long)t.endings[TURF_WON_BY_SECOND]);
        table_add(table, "%llu", (unsigned long long)stats_draws(&t));
    }
    fprintf(out, "# %s, run %lld\n\n", view->game->title, (long long)view->run.id);
    table_print(standings, TABLE_MARKDOWN, out);
    fputc('\n', out);
    table_print(table, TABLE_MARKDOWN, out);
    table_free(standings);
    table_free(table);
}

static bool write_json(const RunView *view, FILE *out, TurfError *error)
{
    json_t *json = view_json(view, error);
    if (!json)
        return false;
    char *text = json_checked_text(json, JSON_INDENT(2));
    bool  is_good = text && fputs(text, out) >= 0;
    free(text);
    json_decref(json);
    return is_good || error_no_memory(error);
}

char *tournament_export(Store *store, int64_t run, ExportFormat format, TurfError *error)
{
    RunView view;
    char   *text = NULL;
    size_t  length;
    if (!run_view_load(&view, store, run, RUN_VIEW_ALL, error))
        return NULL;
    hide_folders_of_run(&view);
    FILE *out = open_memstream(&text, &length);
    bool  is_good = out || error_no_memory(error);
    switch (is_good ? format : N_EXPORTS) {
    case EXPORT_JSON: is_good = write_json(&view, out, error); break;
    case EXPORT_CSV: write_csv(&view, out); break;
    case EXPORT_MARKDOWN: write_markdown(&view, out); break;
    case EXPORT_HTML: is_good = page_write(&view, store, false, out, error); break;
    case N_EXPORTS: break;
    }
    bool is_written = out && !ferror(out);
    if (out && (fclose(out) || !is_written || !text) && is_good)
        is_good = error_no_memory(error);
    run_view_release(&view);
    if (is_good)
        return text;
    free(text);
    return NULL;
}
