/* A run out of the store, added up for whoever wants to look at it: pages, exports, lists. */
#ifndef TURF_REPORT_RUN_VIEW_H
#define TURF_REPORT_RUN_VIEW_H

#include "base/sprt.h"
#include "report/charts.h"
#include "report/standings.h"
#include "store/records.h"
#include "store/runs.h"

enum { RUN_VIEW_STEPS = 60 };

typedef struct RunView {
    RunRecord       run;
    const TurfGame *game;
    json_t         *plan;
    EntrantRecord  *entrants;
    size_t          n_entrants;
    PairingRecord  *pairings;
    PairingResult  *results; /* one for each pairing */
    size_t          n_pairings;
    Standings      *standings;
    /* So far planned: a Swiss event does not know its later rounds, and a shard until its end only
     * those of all. */
    uint64_t n_games, n_planned;
    uint64_t n_recorded; /* games that were kept move by move */
    uint64_t n_single;   /* those of them that do not count in the sums of a chunk as well */
} RunView;

/* The head is everything but results and standings, and costs little. In a list, `game` is NULL for
 * a run of a game that this turf does not know. */
typedef enum RunViewDepth { RUN_VIEW_LIST, RUN_VIEW_HEAD, RUN_VIEW_ALL } RunViewDepth;

/* An id of 0 is the last run. */
bool run_view_load(RunView *view, Store *store, int64_t id, RunViewDepth depth, TurfError *error);
void run_view_release(RunView *view);

/* "round-robin", from the plan. */
const char *run_view_schedule(const RunView *view);

/* "shard 1 of 4", or nothing if it is the whole run. */
void run_view_shard(const RunView *view, char *text, size_t room);

/* The run in a line: its number, what it is, and how far it has come. */
json_t *run_view_json(const RunView *view);

/* What the charts need, in the order of the standings; all freed by the caller with free, NULL when
 * memory is short. */
SideScores *run_view_sides(const RunView *view);
/* For each player and each of RUN_VIEW_STEPS steps, as chart_scores wants it. */
double *run_view_scores(const RunView *view, Store *store, TurfError *error);
/* Where the test of a match stood at each look, so far as its games were kept one by one or there
 * is but one look. */
typedef struct TestCourse {
    Sprt       sprt;
    SprtStatus last;
    uint64_t  *looks; /* games */
    double    *llrs;
    size_t     n;
} TestCourse;

/* False if the run has no test, and with an error in `error` if it has one that cannot be told of.
 */
bool run_view_has_test(const RunView *view);
bool run_view_test(const RunView *view, Store *store, TestCourse *course, TurfError *error);
void test_course_release(TestCourse *course);
/* How many recorded games had each length, `n_lengths` of them. */
uint64_t *run_view_lengths(const RunView *view, Store *store, size_t *n_lengths, TurfError *error);

#endif
