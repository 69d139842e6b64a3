/* The result of a run: tables for people, or one JSON document. */
#include "cmd/outcome.h"

#include "arena/schedule.h"
#include "base/stats.h"
#include "cmd/console.h"
#include "games/totals.h"
#include "report/bracket.h"
#include "report/results.h"

#include <stdlib.h>

/* The totals of each pairing, both sides added; freed by the caller. */
static TurfTotals *sums_of(const Run *run)
{
    TurfTotals *sums = or_die(calloc(run->n_pairings + 1, sizeof *sums));
    for (size_t i = 0; i < run->n_pairings; i++)
        sums[i] = totals_of_sides(run->totals[i]);
    return sums;
}

static void add_delay(const Run *run, const Settings *settings, json_t *json)
{
    const ArenaDelay *delay = &run->delay;
    if (delay->n_turns > 0 && !settings->hides_times)
        json_object_set_new(json, "arena_delay_ms",
                            json_pack("{s:f,s:f}", "average",
                                      (double)delay->sum_ns / 1e6 / (double)delay->n_turns, "worst",
                                      (double)delay->worst_ns / 1e6));
}

static json_t *match_json(const Run *run, const ResultStyle *style)
{
    json_t *json = results_json(run->plan.game, &run->pairings[0], run->totals[0], style);
    json_object_set_new(json, "seed", json_integer((json_int_t)run->plan.seed));
    return json;
}

SwissEvent swiss_event_of(const Run *run)
{
    return (SwissEvent){run->plan.entrants, run->plan.n_entrants, run->schedule};
}

static Standings *standings_of(const Run *run, PairingResult **results)
{
    SwissEvent swiss = swiss_event_of(run);
    *results = or_die(results_by_side(run->pairings, run->totals, run->n_pairings));
    return or_die(standings_new(*results, run->n_pairings,
                                run->plan.schedule == SCHEDULE_SWISS ? &swiss : NULL));
}

static json_t *tournament_json(const Run *run, const ResultStyle *style)
{
    json_t *results = json_array();
    for (size_t i = 0; i < run->n_pairings; i++) {
        json_t *result = results_json(run->plan.game, &run->pairings[i], run->totals[i], style);
        if (schedule_has_rounds(&run->plan))
            json_object_set_new(result, "round", json_integer(run->schedule[i].round));
        json_array_append_new(results, result);
    }
    PairingResult *by_side;
    Standings     *standings = standings_of(run, &by_side);
    json_t        *json =
        json_pack("{s:s,s:I,s:o,s:o,s:o}", "game", run->plan.game->name, "seed",
                  (json_int_t)run->plan.seed, "pairings", results, "standings",
                  standings_json(standings, run->plan.game), "fit", standings_fit_json(standings));
    if (run->plan.schedule == SCHEDULE_KNOCK_OUT)
        json_object_set_new(json, "bracket", bracket_json(run));
    standings_free(standings);
    free(by_side);
    return json;
}

static void print_as_json(const Run *run, const Settings *settings, const ResultStyle *style)
{
    json_t *json =
        run->plan.schedule == SCHEDULE_MATCH ? match_json(run, style) : tournament_json(run, style);
    if (settings->wants_json_lines)
        json_object_set_new(json, "type", json_string("result"));
    if (!run_is_whole(run))
        json_object_set_new(json, "interim", json_true());
    add_delay(run, settings, json);
    print_json(json, JSON_COMPACT);
}

static void print_match(const Run *run, const ResultStyle *style)
{
    const Plan *plan = &run->plan;
    printf("%s: %s against %s, seed %llu%s", plan->game->title, turf_player_name(plan->players[0]),
           turf_player_name(plan->players[1]), (unsigned long long)plan->seed,
           plan->swaps_sides ? ", each start from both sides" : "");
    printf("%s\n\n", run_is_whole(run) ? "" : " (interim)");
    Table *table = results_match_table(plan->game, &run->pairings[0], run->totals[0], style);
    table_print(table, TABLE_TEXT, stdout);
    table_free(table);
}

static void print_tournament(const Run *run, const ResultStyle *style)
{
    const Plan *plan = &run->plan;
    TurfTotals *sums = sums_of(run);
    printf("%s, seed %llu. ", plan->game->title, (unsigned long long)plan->seed);
    if (plan->schedule == SCHEDULE_SWISS)
        printf("A Swiss event of %llu rounds, each start from both sides.\n\n",
               (unsigned long long)plan->n_rounds);
    else if (plan->schedule == SCHEDULE_KNOCK_OUT)
        printf("A knock-out, each start from both sides.\n\n");
    else if (plan->swaps_sides)
        printf("Each start from both sides.\n\n");
    else
        printf("P1 is %s%s.\n\n", plan->game->side_names[0],
               game_is_simultaneous(plan->game) ? "; both move at once" : " and moves first");
    if (plan->schedule == SCHEDULE_KNOCK_OUT) {
        bracket_print(run, stdout);
        putchar('\n');
    }
    Table *table = results_tournament_table(run->pairings, sums, run->n_pairings, style);
    table_print(table, TABLE_TEXT, stdout);
    table_free(table);
    results_print_forfeits(run->pairings, sums, run->n_pairings, stdout);
    free(sums);
    if (run->n_pairings > 1 || plan->schedule == SCHEDULE_SWISS) {
        PairingResult *by_side;
        Standings     *standings = standings_of(run, &by_side);
        printf(standings->is_swiss
                   ? "\nStandings by points, and ratings from all games together%s:\n\n"
                   : "\nRatings from all games together, and scores against the others%s:\n\n",
               run_is_whole(run) ? "" : " (interim)");
        table = standings_table(standings);
        table_print(table, TABLE_TEXT, stdout);
        table_free(table);
        putchar('\n');
        standings_print_notes(standings, plan->game, stdout);
        table = standings_cross_table(standings, by_side, run->n_pairings);
        if (table) {
            printf("\nScore in percent of each row's player against each column's:\n\n");
            table_print(table, TABLE_TEXT, stdout);
            table_free(table);
        }
        standings_free(standings);
        free(by_side);
    }
}

/* Adds the scores of a match, and its SPRT if it has one. */
static ResultStyle style_of(const Run *run, const Settings *settings, ScoreCounts *scores)
{
    ResultStyle style = {.hides_times = settings->hides_times};
    if (run->plan.schedule == SCHEDULE_MATCH && run->n_pairings > 0) {
        *scores = run_scores(run);
        style.scores = scores;
    }
    if (run->plan.has_sprt) {
        style.sprt = &run->plan.sprt;
        style.test = &run->test;
    }
    return style;
}

void outcome_print(const Run *run, const Settings *settings)
{
    ScoreCounts scores;
    ResultStyle style = style_of(run, settings, &scores);
    if (settings->wants_json || settings->wants_json_lines)
        print_as_json(run, settings, &style);
    else if (run->plan.schedule == SCHEDULE_MATCH)
        print_match(run, &style);
    else
        print_tournament(run, &style);
}

int outcome_status(const Run *run, const Settings *settings)
{
    uint64_t n_forfeits = 0;
    for (size_t i = 0; i < run->n_pairings; i++)
        for (int side = 0; side < 2; side++)
            n_forfeits +=
                stats_forfeits(&run->totals[i][side], 0) + stats_forfeits(&run->totals[i][side], 1);
    if (!run_is_whole(run))
        return EXIT_INTERRUPTED;
    return settings->is_strict && n_forfeits > 0 ? EXIT_FAULTS : EXIT_FINE;
}
