/* Loads a run from the store, and computes the series that the charts of a report draw. */
#include "report/run_view.h"

#include "base/checked_json.h"
#include "base/error.h"
#include "base/stats.h"
#include "games/totals.h"
#include "store/run_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- loading ------------------------------------------------------------------------------- */

/* Sets the names of every pairing, and n_planned. */
static bool name_pairings(RunView *view, const Store *store, TurfError *error)
{
    view->results = calloc(view->n_pairings + 1, sizeof *view->results);
    if (!view->results)
        return error_no_memory(error);
    for (size_t i = 0; i < view->n_pairings; i++) {
        const PairingRecord *pairing = &view->pairings[i];
        if (pairing->first >= view->n_entrants || pairing->second >= view->n_entrants)
            return store_damage(store, "a pairing has no entrant", error);
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
    /* A settled SPRT plays no more games; a shard plays only its own. */
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
    SwissEvent swiss = {view->entrants, view->n_entrants, view->pairings};
    bool       is_swiss = !strcmp(run_view_schedule(view), "swiss");
    view->standings = standings_new(view->results, view->n_pairings, is_swiss ? &swiss : NULL);
    return view->standings || error_no_memory(error);
}

static bool load(RunView *view, Store *store, int64_t id, RunViewDepth depth, TurfError *error)
{
    TurfError why;
    if (!runs_find(store, id, &view->run, error))
        return false;
    bool is_listed = depth == RUN_VIEW_LIST;
    view->plan = json_read(view->run.plan, 0, &why);
    if (!view->plan && why.code == TURF_ERROR_NO_MEMORY)
        return error_no_memory(error);
    if (!view->plan)
        return store_damage(store, "a plan is not JSON", error);
    if (!runs_entrants(store, view->run.id, &view->entrants, &view->n_entrants, error) ||
        !runs_pairings(store, view->run.id, &view->pairings, &view->n_pairings, error) ||
        (!is_listed && !run_check(store, &view->run, view->entrants, view->n_entrants,
                                  view->pairings, view->n_pairings, error)))
        return false;
    view->game = turf_game_find(view->run.game, &why);
    if (!view->game && !is_listed)
        return error_invalid(error, "run %lld: %.300s", (long long)view->run.id, why.text);
    return name_pairings(view, store, error) && count_games(view, store, error) &&
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

/* ---- series for the charts ----------------------------------------------------------------- */

/* The rank of each entrant in the standings; standings->n if it has no pairing. */
static size_t *places_of_entrants(const RunView *view)
{
    size_t *places = calloc(view->n_entrants + 1, sizeof *places);
    for (size_t e = 0; places && e < view->n_entrants; e++) {
        size_t place = 0;
        while (place < view->standings->n &&
               strcmp(view->standings->list[place].name, view->entrants[e].name))
            place++;
        places[e] = place;
    }
    return places;
}

/* Adds games to a player's totals on one side, in which "first" is that player. */
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

/* Points and games of each player in each of RUN_VIEW_STEPS steps of the run. */
typedef struct Steps {
    const RunView *view;
    const size_t  *places;
    int            n_rounds;
    double        *points, *games;
} Steps;

/* Spreads the totals of some consecutive games evenly over the steps in which they were played. */
static void add_to_steps(const Steps *steps, size_t pairing, uint64_t first_game, uint64_t n_games,
                         const TurfTotals *totals)
{
    const PairingRecord *stored = &steps->view->pairings[pairing];
    bool   is_alone = steps->view->n_pairings == 1; /* an SPRT may have ended it early */
    double n_planned = (double)(is_alone ? steps->view->n_planned : stored->n_games);
    double in_pairing = (double)RUN_VIEW_STEPS / n_planned / steps->n_rounds;
    double from = (double)RUN_VIEW_STEPS * (stored->round - 1) / steps->n_rounds +
                  (double)first_game * in_pairing;
    double  to = from + (double)n_games * in_pairing;
    double  n = (double)totals->n_games, won = (double)totals->endings[TURF_WON_BY_FIRST];
    double  points = won + (double)stats_draws(totals) / 2;
    double *first_points = steps->points + steps->places[stored->first] * RUN_VIEW_STEPS;
    double *second_points = steps->points + steps->places[stored->second] * RUN_VIEW_STEPS;
    double *first_games = steps->games + steps->places[stored->first] * RUN_VIEW_STEPS;
    double *second_games = steps->games + steps->places[stored->second] * RUN_VIEW_STEPS;
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
    const Steps *steps = context;
    TurfTotals   totals = TOTALS_NONE;
    totals_add_game(&totals, game_record_ending(record), record->length);
    if (!record->is_sample && record->pairing < steps->view->n_pairings)
        add_to_steps(steps, record->pairing, record->game, 1, &totals);
    return true;
}

static bool note_batch(void *context, const BatchRecord *batch)
{
    const Steps *steps = context;
    for (int side = 0; side < 2 && batch->pairing < steps->view->n_pairings; side++)
        add_to_steps(steps, batch->pairing, batch->first_game, batch->n_games,
                     &batch->totals[side]);
    return true;
}

double *run_view_scores(const RunView *view, Store *store, TurfError *error)
{
    size_t  n = (view->standings->n + 1) * RUN_VIEW_STEPS, *places = places_of_entrants(view);
    double *points = calloc(n, sizeof *points), *games = calloc(n, sizeof *games);
    Steps   steps = {view, places, 1, points, games};
    for (size_t p = 0; p < view->n_pairings; p++)
        steps.n_rounds =
            view->pairings[p].round > steps.n_rounds ? view->pairings[p].round : steps.n_rounds;
    bool is_good = (places && points && games) || error_no_memory(error);
    is_good = is_good &&
              records_each_game(store, view->run.id, RECORDS_ALL, note_game, &steps, error) &&
              records_each_batch(store, view->run.id, note_batch, &steps, error);
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
    /* `longest` does not count exhausted games. */
    bool    has_exhausted = all->endings[TURF_EXHAUSTED] > 0;
    size_t  n = (has_exhausted ? view->game->longest_game : all->longest) + (size_t)1;
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

/* ---- SPRT ---------------------------------------------------------------------------------- */

typedef struct TestReplay {
    TestCourse *course;
    ScoreCounts scores;
    uint64_t    n_games, n_max;
    size_t      points_before; /* of the first game of the current pair */
    bool        is_paired, has_failed;
} TestReplay;

/* Evaluates the test after n_games. */
static void look(TestReplay *replay)
{
    TestCourse *course = replay->course;
    uint64_t   *looks = realloc(course->looks, (course->n + 1) * sizeof *looks);
    course->looks = looks ? looks : course->looks;
    double *llrs = realloc(course->llrs, (course->n + 1) * sizeof *llrs);
    course->llrs = llrs ? llrs : course->llrs;
    replay->has_failed |= !looks || !llrs;
    if (replay->has_failed)
        return;
    course->last = sprt_status(&course->sprt, &replay->scores);
    looks[course->n] = replay->n_games;
    llrs[course->n++] = course->last.llr;
}

/* Games come in order; the first missing one ends the series. */
static bool try_game(void *context, const GameRecord *record)
{
    static const size_t half_points[TURF_N_ENDINGS] = {2, 0, 1, 1, 1};
    TestReplay         *replay = context;
    TurfEnding          ending = game_record_ending(record);
    size_t              points = half_points[ending];
    if (record->game != replay->n_games)
        return false;
    replay->n_games++;
    if (!replay->is_paired)
        replay->scores.counts[points]++;
    else if (record->game % 2)
        replay->scores.counts[replay->points_before + points]++;
    replay->points_before = points;
    if (sprt_look(replay->n_games, replay->n_max) == replay->n_games)
        look(replay);
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
    bool       is_paired = view->pairings[0].swaps_sides;
    TestReplay replay = {.course = course,
                         .scores.n_kinds = is_paired ? SPRT_PAIR_KINDS : SPRT_GAME_KINDS,
                         .n_max = view->pairings[0].n_games,
                         .is_paired = is_paired};
    bool       is_read = true;
    if (view->n_single == view->n_games) {
        is_read = records_each_game(store, view->run.id, 0, try_game, &replay, error);
    } else { /* only totals are stored */
        for (int side = 0; side < 2; side++) {
            const TurfTotals *t = &view->results[0].totals[side];
            replay.scores.counts[0] += t->endings[TURF_WON_BY_SECOND];
            replay.scores.counts[1] += stats_draws(t);
            replay.scores.counts[2] += t->endings[TURF_WON_BY_FIRST];
        }
        replay.n_games = view->n_games;
        look(&replay);
    }
    if (is_read && !replay.has_failed)
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
