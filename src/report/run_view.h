/* A stored run with its totals and standings, for pages, exports and lists. */
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
    uint64_t        n_games;   /* played so far */
    uint64_t        n_planned; /* in a Swiss tournament of the rounds drawn so far; of all shards */
    uint64_t        n_recorded; /* games with their moves */
    uint64_t        n_single;   /* games that count by their own record, not in a batch */
} RunView;

/* RUN_VIEW_HEAD leaves out results and standings, and is cheap. RUN_VIEW_LIST also accepts runs of
 * a game that this version does not know: `game` is NULL then. */
typedef enum RunViewDepth { RUN_VIEW_LIST, RUN_VIEW_HEAD, RUN_VIEW_ALL } RunViewDepth;

/* An id of 0 is the last run. */
bool run_view_load(RunView *view, Store *store, int64_t id, RunViewDepth depth, TurfError *error);
void run_view_release(RunView *view);

/* "round-robin", from the plan. */
const char *run_view_schedule(const RunView *view);

/* "shard 1 of 4", or "" for a whole run. */
void run_view_shard(const RunView *view, char *text, size_t room);

/* A summary: number, game, schedule, seed, games played and planned, shard. */
json_t *run_view_json(const RunView *view);

/* Series for the charts, in the order of the standings. Free them with free; NULL when out of
 * memory. */
SideScores *run_view_sides(const RunView *view);
/* RUN_VIEW_STEPS numbers for each player, as chart_scores takes them. */
double *run_view_scores(const RunView *view, Store *store, TurfError *error);
/* The log-likelihood ratio of an SPRT at each look; if only totals are stored, at the last one. */
typedef struct TestCourse {
    Sprt       sprt;
    SprtStatus last;
    uint64_t  *looks; /* games */
    double    *llrs;
    size_t     n;
} TestCourse;

bool run_view_has_test(const RunView *view);
bool run_view_test(const RunView *view, Store *store, TestCourse *course, TurfError *error);
void test_course_release(TestCourse *course);
/* The number of recorded games of each length, from 0 to n_lengths - 1 moves. */
uint64_t *run_view_lengths(const RunView *view, Store *store, size_t *n_lengths, TurfError *error);

#endif
