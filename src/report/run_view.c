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
    RunRecord *runs = NULL;
    size_t     n_runs = 0;
    if (id != 0)
        return runs_find(store, id, &view->run, error);
    if (!runs_read(store, &runs, &n_runs, error))
        return false;
    int64_t last = n_runs > 0 ? runs[n_runs - 1].id : 0;
    runs_free(runs, n_runs);
    return n_runs > 0 ? runs_find(store, last, &view->run, error)
                      : error_invalid(error,
                                      "there are no runs in '%.200s' yet; 'turf match' and 'turf "
                                      "tournament' make them",
                                      store_path(store));
}

/* Who met whom, and how many games there are to be. */
static bool name_pairings(RunView *view, TurfError *error)
{
    view->results = calloc(view->n_pairings + 1, sizeof *view->results);
    if (!view->results)
        return error_no_memory(error);
    for (size_t i = 0; i < view->n_pairings; i++) {
        const PairingRecord *pairing = &view->pairings[i];
        if (pairing->first >= view->n_entrants || pairing->second >= view->n_entrants)
            return error_invalid(error, "run %lld is damaged: a pairing has no entrant",
                                 (long long)view->run.id);
        view->results[i] = (PairingResult){
            .names = {view->entrants[pairing->first].name, view->entrants[pairing->second].name},
            .totals = {TOTALS_NONE, TOTALS_NONE}};
        view->n_planned += pairing->n_games;
    }
    return true;
}

static bool count_games(RunView *view, Store *store, TurfError *error)
{
    RecordCounts counts;
    if (!records_count(store, view->run.id, &counts, error))
        return false;
    view->n_recorded = counts.n_recorded;
    view->n_single = counts.n_single;
    view->n_games = counts.n_single + counts.n_in_batches;
    /* A test that was settled wants no more games, and a shard none of the others'. */
    if (view->run.is_finished && (json_object_get(view->plan, "sprt") || view->run.n_shards > 1))
        view->n_planned = view->n_games;
    return true;
}

static bool add_up(RunView *view, Store *store, TurfError *error)
{
    TurfTotals(*totals)[2] = calloc(view->n_pairings + 1, sizeof *totals);
    if (!totals)
        return error_no_memory(error);
    for (size_t i = 0; i < view->n_pairings; i++)
        totals[i][0] = totals[i][1] = TOTALS_NONE;
    bool is_good = records_add_totals(store, view->run.id, totals, view->n_pairings, error);
    for (size_t i = 0; is_good && i < view->n_pairings; i++)
        memcpy(view->results[i].totals, totals[i], sizeof totals[i]);
    free(totals);
    if (!is_good)
        return false;
    view->standings = standings_new(view->results, view->n_pairings);
    return view->standings || error_no_memory(error);
}

static bool load(RunView *view, Store *store, int64_t id, RunViewDepth depth, TurfError *error)
{
    if (!find_run(view, store, id, error))
        return false;
    view->game = turf_game_find(view->run.game, error);
    view->plan = json_loads(view->run.plan, 0, NULL);
    if ((!view->game && depth != RUN_VIEW_LIST) || !view->plan)
        return error_invalid(error, "run %lld is of a game or a plan that this turf does not know",
                             (long long)view->run.id);
    return runs_entrants(store, view->run.id, &view->entrants, &view->n_entrants, error) &&
           runs_pairings(store, view->run.id, &view->pairings, &view->n_pairings, error) &&
           name_pairings(view, error) && count_games(view, store, error) &&
           (depth != RUN_VIEW_ALL || add_up(view, store, error));
}

bool run_view_load(RunView *view, Store *store, int64_t id, RunViewDepth depth, TurfError *error)
{
    *view = (RunView){.run.id = id};
    if (load(view, store, id, depth, error))
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
    run_record_release(&view->run);
    *view = (RunView){0};
}

const char *run_view_schedule(const RunView *view)
{
    const char *schedule = json_string_value(json_object_get(view->plan, "schedule"));
    return schedule ? schedule : "unknown";
}

void run_view_shard(const RunView *view, char *text, size_t room)
{
    *text = '\0';
    if (view->run.n_shards > 1)
        (void)snprintf(text, room, "shard %d of %d", view->run.shard, view->run.n_shards);
}

json_t *run_view_json(const RunView *view)
{
    return json_pack("{s:I,s:I,s:s,s:s,s:I,s:I,s:I,s:I,s:b,s:i,s:i,s:s}", "run",
                     (json_int_t)view->run.id, "begun", (json_int_t)view->run.created, "game",
                     view->run.game, "schedule", run_view_schedule(view), "seed",
                     json_integer_value(json_object_get(view->plan, "seed")), "players",
                     (json_int_t)view->n_entrants, "games", (json_int_t)view->n_games, "planned",
                     (json_int_t)view->n_planned, "finished", (int)view->run.is_finished, "shard",
                     view->run.shard, "shards", view->run.n_shards, "plan", view->run.plan_hash);
}

/* ---- for the charts ------------------------------------------------------------------------ */

/* Where an entrant stands, by its number. */
static size_t *places_of_entrants(const RunView *view)
{
    size_t *places = calloc(view->n_entrants + 1, sizeof *places);
    for (size_t e = 0; places && e < view->n_entrants; e++) {
        size_t place = 0;
        while (place < view->standings->n &&
               strcmp(view->standings->list[place].name, view->entrants[e].name))
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
        for (int is_swapped = 0;
             is_swapped < 2 && view->pairings[p].first != view->pairings[p].second; is_swapped++)
            for (int entrant = 0; entrant < 2; entrant++)
                add_side(
                    &sides[places[entrant ? view->pairings[p].second : view->pairings[p].first]]
                          [entrant ^ is_swapped],
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
static void note(const Course *course, size_t pairing, uint64_t first_game, uint64_t n_games,
                 const TurfTotals *totals)
{
    const PairingRecord *stored = &course->view->pairings[pairing];
    bool   is_alone = course->view->n_pairings == 1; /* and a test may have ended it early */
    double n_planned = (double)(is_alone ? course->view->n_planned : stored->n_games);
    double in_pairing = (double)RUN_VIEW_STEPS / n_planned / course->n_rounds;
    double from = (double)RUN_VIEW_STEPS * (stored->round - 1) / course->n_rounds +
                  (double)first_game * in_pairing;
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

static bool note_batch(void *context, const BatchRecord *batch)
{
    const Course *course = context;
    for (int side = 0; side < 2 && batch->pairing < course->view->n_pairings; side++)
        note(course, batch->pairing, batch->first_game, batch->n_games, &batch->totals[side]);
    return true;
}

double *run_view_scores(const RunView *view, Store *store, TurfError *error)
{
    size_t  n = (view->standings->n + 1) * RUN_VIEW_STEPS, *places = places_of_entrants(view);
    double *points = calloc(n, sizeof *points), *games = calloc(n, sizeof *games);
    Course  course = {view, places, 1, points, games};
    for (size_t p = 0; p < view->n_pairings; p++)
        course.n_rounds =
            view->pairings[p].round > course.n_rounds ? view->pairings[p].round : course.n_rounds;
    bool is_good =
        places && points && games
            ? records_each_game(store, view->run.id, RECORDS_ALL, note_game, &course, error) &&
                  records_each_batch(store, view->run.id, note_batch, &course, error)
            : error_no_memory(error);
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
    size_t n =
        (all->endings[TURF_EXHAUSTED] > 0 ? view->game->longest_game : all->longest) + (size_t)1;
    Lengths lengths = {calloc(n, sizeof *lengths.counts), n};
    if (!lengths.counts)
        error_no_memory(error);
    else if (records_each_game(store, view->run.id, RECORDS_ALL, count_length, &lengths, error)) {
        while (lengths.n > 0 && lengths.counts[lengths.n - 1] == 0)
            lengths.n--;
        *n_lengths = lengths.n;
        return lengths.counts;
    }
    free(lengths.counts);
    return NULL;
}

/* ---- the test ------------------------------------------------------------------------------ */

typedef struct Trial {
    TestCourse *course;
    ScoreCounts scores;
    uint64_t    n_games, n_max;
    size_t      points_before; /* of the pair that is half played */
    bool        is_paired, has_failed;
} Trial;

static void look(Trial *trial)
{
    TestCourse *course = trial->course;
    uint64_t   *looks = realloc(course->looks, (course->n + 1) * sizeof *looks);
    course->looks = looks ? looks : course->looks;
    double *llrs = realloc(course->llrs, (course->n + 1) * sizeof *llrs);
    course->llrs = llrs ? llrs : course->llrs;
    trial->has_failed |= !looks || !llrs;
    if (trial->has_failed)
        return;
    course->last = sprt_status(&course->sprt, &trial->scores);
    looks[course->n] = trial->n_games;
    llrs[course->n++] = course->last.llr;
}

/* Games come in their order. One that is missing ends what can be told. */
static bool try_game(void *context, const GameRecord *record)
{
    Trial     *trial = context;
    TurfEnding ending = game_record_ending(record);
    size_t     points = ending == TURF_WON_BY_FIRST ? 2 : ending == TURF_WON_BY_SECOND ? 0 : 1;
    if (record->game != trial->n_games)
        return false;
    trial->n_games++;
    if (!trial->is_paired)
        trial->scores.counts[points]++;
    else if (record->game % 2)
        trial->scores.counts[trial->points_before + points]++;
    trial->points_before = points;
    if (sprt_look(trial->n_games, trial->n_max) == trial->n_games)
        look(trial);
    return true;
}

bool run_view_has_test(const RunView *view)
{
    return json_is_string(json_object_get(view->plan, "sprt")) && view->n_pairings == 1;
}

bool run_view_test(const RunView *view, Store *store, TestCourse *course, TurfError *error)
{
    *course = (TestCourse){.n = 0};
    if (!sprt_parse(json_string_value(json_object_get(view->plan, "sprt")), &course->sprt, error))
        return false;
    bool  is_paired = view->pairings[0].swaps_sides;
    Trial trial = {.course = course,
                   .scores.n_kinds = is_paired ? SPRT_PAIR_KINDS : SPRT_GAME_KINDS,
                   .n_max = view->pairings[0].n_games,
                   .is_paired = is_paired};
    bool  is_read = true;
    if (view->n_single == view->n_games) {
        is_read = records_each_game(store, view->run.id, 0, try_game, &trial, error);
    } else { /* only the sums are known */
        for (int side = 0; side < 2; side++) {
            const TurfTotals *t = &view->results[0].totals[side];
            trial.scores.counts[0] += t->endings[TURF_WON_BY_SECOND];
            trial.scores.counts[1] += stats_draws(t);
            trial.scores.counts[2] += t->endings[TURF_WON_BY_FIRST];
        }
        trial.n_games = view->n_games;
        look(&trial);
    }
    if (is_read && !trial.has_failed)
        return true;
    test_course_release(course);
    return is_read ? error_no_memory(error) : false;
}

void test_course_release(TestCourse *course)
{
    free(course->looks);
    free(course->llrs);
    *course = (TestCourse){.n = 0};
}
