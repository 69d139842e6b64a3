#include "report/run_view.h"

#include "base/error.h"
#include "base/stats.h"
#include "games/totals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- loading ------------------------------------------------------------------------------- */

static bool find_run(RunView *view, Store *store, int64_t id, TurfError *error)
{
    StoredRun *runs = NULL;
    size_t     n_runs = 0;
    if (id != 0)
        return runs_find(store, id, &view->run, error);
    if (!runs_read(store, &runs, &n_runs, error))
        return false;
    int64_t last = n_runs > 0 ? runs[n_runs - 1].id : 0;
    runs_free(runs, n_runs);
    return n_runs > 0
               ? runs_find(store, last, &view->run, error)
               : error_set(error, "there are no runs in '%.200s' yet; 'turf match' and 'turf tournament' make them",
                           store_path(store));
}

static bool add_up(RunView *view, Store *store, TurfError *error)
{
    size_t n = view->n_pairings;
    TurfTotals(*totals)[2] = calloc(n + 1, sizeof *totals);
    view->results = calloc(n + 1, sizeof *view->results);
    bool is_good = (totals && view->results) || error_set(error, "out of memory");
    for (size_t i = 0; is_good && i < n; i++)
        totals[i][0] = totals[i][1] = TOTALS_NONE;
    is_good = is_good && records_add_totals(store, view->run.id, totals, n, error);
    for (size_t i = 0; is_good && i < n; i++) {
        const StoredPairing *pairing = &view->pairings[i];
        if (pairing->first >= view->n_entrants || pairing->second >= view->n_entrants) {
            is_good = error_set(error, "run %lld is damaged: a pairing has no entrant", (long long)view->run.id);
            break;
        }
        view->results[i] =
            (PairingResult){.names = {view->entrants[pairing->first].name, view->entrants[pairing->second].name},
                            .totals = {totals[i][0], totals[i][1]}};
        view->n_games += totals[i][0].n_games + totals[i][1].n_games;
        view->n_planned += pairing->n_games;
    }
    free(totals);
    /* A test that was settled wants no more games. */
    if (view->run.is_finished && json_object_get(view->plan, "sprt"))
        view->n_planned = view->n_games;
    return is_good;
}

static bool count_record(void *context, const GameRecord *record)
{
    RunView *view = context;
    view->n_recorded++;
    view->n_single += !record->is_sample;
    return true;
}

static bool load(RunView *view, Store *store, int64_t id, TurfError *error)
{
    if (!find_run(view, store, id, error))
        return false;
    view->game = turf_game_find(view->run.game, error);
    view->plan = json_loads(view->run.plan, 0, NULL);
    if (!view->game || !view->plan)
        return error_set(error, "run %lld is of a game or a plan that this turf does not know",
                         (long long)view->run.id);
    if (!runs_entrants(store, view->run.id, &view->entrants, &view->n_entrants, error) ||
        !runs_pairings(store, view->run.id, &view->pairings, &view->n_pairings, error) || !add_up(view, store, error) ||
        !records_each_game(store, view->run.id, RECORDS_ALL, count_record, view, error))
        return false;
    view->standings = standings_new(view->results, view->n_pairings);
    return view->standings || error_set(error, "out of memory");
}

bool run_view_load(RunView *view, Store *store, int64_t id, TurfError *error)
{
    *view = (RunView){.run.id = id};
    if (load(view, store, id, error))
        return true;
    run_view_release(view);
    return false;
}

void run_view_release(RunView *view)
{
    standings_free(view->standings);
    free(view->results);
    free(view->pairings);
    entrants_free(view->entrants, view->n_entrants);
    json_decref(view->plan);
    stored_run_release(&view->run);
    *view = (RunView){0};
}

const char *run_view_schedule(const RunView *view)
{
    const char *schedule = json_string_value(json_object_get(view->plan, "schedule"));
    return schedule ? schedule : "unknown";
}

json_t *run_view_json(const RunView *view)
{
    return json_pack("{s:I,s:I,s:s,s:s,s:I,s:I,s:I,s:I,s:b,s:s}", "run", (json_int_t)view->run.id, "begun",
                     (json_int_t)view->run.created, "game", view->game->name, "schedule", run_view_schedule(view),
                     "seed", json_integer_value(json_object_get(view->plan, "seed")), "players",
                     (json_int_t)view->n_entrants, "games", (json_int_t)view->n_games, "planned",
                     (json_int_t)view->n_planned, "finished", (int)view->run.is_finished, "plan", view->run.plan_hash);
}

/* ---- for the charts ------------------------------------------------------------------------ */

/* Where an entrant stands, by its number. */
static size_t *places_of_entrants(const RunView *view)
{
    size_t *places = calloc(view->n_entrants + 1, sizeof *places);
    for (size_t e = 0; places && e < view->n_entrants; e++) {
        size_t place = 0;
        while (place < view->standings->n && strcmp(view->standings->list[place].name, view->entrants[e].name))
            place++;
        places[e] = place; /* the number of standings if it never had a pairing */
    }
    return places;
}

/* Adds games to the totals of a player of one side, in which "first" is that player. */
static void add_side(TurfTotals *of_player, const TurfTotals *totals, bool is_second_entrant)
{
    of_player->n_games += totals->n_games;
    for (int i = 0; i < 2; i++)
        of_player->endings[i] += totals->endings[is_second_entrant ? 1 - i : i];
}

SideScores *run_view_sides(const RunView *view)
{
    size_t n = view->standings->n, *places = places_of_entrants(view);
    TurfTotals(*sides)[2] = calloc(n + 1, sizeof *sides);
    SideScores *scores = calloc(n + 1, sizeof *scores);
    bool        is_good = places && sides && scores;
    for (size_t p = 0; is_good && p < view->n_pairings; p++)
        for (int is_swapped = 0; is_swapped < 2 && view->pairings[p].first != view->pairings[p].second; is_swapped++)
            for (int entrant = 0; entrant < 2; entrant++)
                add_side(
                    &sides[places[entrant ? view->pairings[p].second : view->pairings[p].first]][entrant ^ is_swapped],
                    &view->results[p].totals[is_swapped], entrant == 1);
    for (size_t i = 0; is_good && i < n; i++)
        scores[i] = (SideScores){.first = stats_score(&sides[i][0]),
                                 .second = stats_score(&sides[i][1]),
                                 .has_first = sides[i][0].n_games > 0,
                                 .has_second = sides[i][1].n_games > 0};
    free(places);
    free(sides);
    if (is_good)
        return scores;
    free(scores);
    return NULL;
}

/* Points and games of each player in each step of the run. */
typedef struct Course {
    const RunView *view;
    const size_t  *places;
    int            n_rounds;
    double        *points, *games;
} Course;

/* Games so many from `first_game` on, as if what they came to had come evenly. */
static void note(const Course *course, size_t pairing, uint64_t first_game, uint64_t n_games, const TurfTotals *totals)
{
    const StoredPairing *stored = &course->view->pairings[pairing];
    double               in_pairing = (double)RUN_VIEW_STEPS / (double)stored->n_games / course->n_rounds;
    double  from = (double)RUN_VIEW_STEPS * (stored->round - 1) / course->n_rounds + (double)first_game * in_pairing;
    double  to = from + (double)n_games * in_pairing;
    double  n = (double)totals->n_games, won = (double)totals->endings[TURF_WON_BY_FIRST];
    double  points = won + (double)stats_draws(totals) / 2;
    double *first_points = course->points + course->places[stored->first] * RUN_VIEW_STEPS;
    double *second_points = course->points + course->places[stored->second] * RUN_VIEW_STEPS;
    double *first_games = course->games + course->places[stored->first] * RUN_VIEW_STEPS;
    double *second_games = course->games + course->places[stored->second] * RUN_VIEW_STEPS;
    if (stored->first == stored->second)
        return;
    for (int step = (int)fmax(0, from); step < RUN_VIEW_STEPS && step < to; step++) {
        double share = (fmin(to, step + 1) - fmax(from, step)) / (to - from);
        first_points[step] += share * points;
        first_games[step] += share * n;
        second_points[step] += share * (n - points);
        second_games[step] += share * n;
    }
}

static bool note_game(void *context, const GameRecord *record)
{
    const Course *course = context;
    TurfTotals    totals = TOTALS_NONE;
    totals_add_game(&totals, game_record_ending(record), record->length);
    if (!record->is_sample && record->pairing < course->view->n_pairings)
        note(course, record->pairing, record->game, 1, &totals);
    return true;
}

static bool note_chunk(void *context, const ChunkRecord *chunk)
{
    const Course *course = context;
    for (int side = 0; side < 2 && chunk->pairing < course->view->n_pairings; side++)
        note(course, chunk->pairing, chunk->first_game, chunk->n_games, &chunk->totals[side]);
    return true;
}

double *run_view_scores(const RunView *view, Store *store, TurfError *error)
{
    size_t  n = (view->standings->n + 1) * RUN_VIEW_STEPS, *places = places_of_entrants(view);
    double *points = calloc(n, sizeof *points), *games = calloc(n, sizeof *games);
    Course  course = {view, places, 1, points, games};
    for (size_t p = 0; p < view->n_pairings; p++)
        course.n_rounds = view->pairings[p].round > course.n_rounds ? view->pairings[p].round : course.n_rounds;
    bool is_good = places && points && games
                       ? records_each_game(store, view->run.id, RECORDS_ALL, note_game, &course, error) &&
                             records_each_chunk(store, view->run.id, note_chunk, &course, error)
                       : error_set(error, "out of memory");
    for (size_t i = 0; is_good && i < n; i += RUN_VIEW_STEPS) {
        double points_so_far = 0, games_so_far = 0;
        for (size_t s = i; s < i + RUN_VIEW_STEPS; s++) {
            points_so_far += points[s];
            games_so_far += games[s];
            points[s] = games_so_far > 1e-9 ? points_so_far / games_so_far : -1;
        }
    }
    free(places);
    free(games);
    if (is_good)
        return points;
    free(points);
    return NULL;
}

typedef struct Lengths {
    uint64_t *counts;
    size_t    n;
} Lengths;

static bool count_length(void *context, const GameRecord *record)
{
    Lengths *lengths = context;
    if (record->length < lengths->n)
        lengths->counts[record->length]++;
    return true;
}

uint64_t *run_view_lengths(const RunView *view, Store *store, size_t *n_lengths, TurfError *error)
{
    const TurfTotals *all = &view->standings->all;
    /* Exhausted games are longer than the longest that counts as such. */
    size_t  n = (all->endings[TURF_EXHAUSTED] > 0 ? view->game->longest_game : all->longest) + (size_t)1;
    Lengths lengths = {calloc(n, sizeof *lengths.counts), n};
    if (!lengths.counts)
        error_set(error, "out of memory");
    else if (records_each_game(store, view->run.id, RECORDS_ALL, count_length, &lengths, error)) {
        while (lengths.n > 0 && lengths.counts[lengths.n - 1] == 0)
            lengths.n--;
        *n_lengths = lengths.n;
        return lengths.counts;
    }
    free(lengths.counts);
    return NULL;
}
