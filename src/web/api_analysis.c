/* Analyses of finished games, judgements of any position, and puzzles. All run in the pool of
 * /api/choose, so that clients take turns, and a part of the CPU time is charged to the client.
 *
 * An analysis grows on the record in the cache, under its analysis_lock. A request adds as many
 * plies as fit into a slice of time and answers with those the client has not seen; whoever asks
 * for the same game continues the same analysis. */
#include "web/api.h"

#include "base/checked_json.h"
#include "base/clock.h"
#include "base/error.h"
#include "live/analysis_view.h"
#include "live/puzzles.h"

#include <stdlib.h>

enum { SLICE_MS = 400, CHARGED_PART = 4 };

/* A request while it is worked on. */
typedef struct Job {
    Request   *request;
    TimeLimit *limit;
    int64_t    from;         /* of an analysis: the first ply wanted */
    int64_t    seed, number; /* of a puzzle */
    /* Of a judgement, and of a puzzle the game: */
    const TurfGame *game;
    TurfState       state;
    bool            has_move;
    TurfMove        move;
} Job;

static const AnalystLimits default_limits = {.nodes = ANALYST_DEFAULT_NODES};

/* Runs a job in the pool; `run` answers and frees it. */
static void run_later(Request *request, const Job *model, void (*run)(void *))
{
    Job *job = malloc(sizeof *job);
    if (!job) {
        respond_no_memory(request);
        return;
    }
    *job = *model;
    job->request = request;
    respond_later(request);
    PoolJob in_pool = {.run = run, .context = job, .client = request->client};
    if (pool_add(request->server->choices, &in_pool))
        return;
    free(job);
    respond_error(request, MHD_HTTP_SERVICE_UNAVAILABLE, "full",
                  "too many are thinking already; ask again soon");
    respond_header(request, MHD_HTTP_HEADER_RETRY_AFTER, "2");
    response_is_ready(request);
}

static int64_t begin(Job *job)
{
    job->limit = time_limit_begin(&job->request->server->time_limits,
                                  clock_ns() + MAX_THINK_MS * INT64_C(1000000));
    return clock_worked_ns();
}

/* Charges the client, and lets the response go. */
static void finish(Job *job, int64_t begun_ns)
{
    Request *request = job->request;
    double   ms = (double)(clock_worked_ns() - begun_ns) / 1e6;
    time_limit_end(&request->server->time_limits, job->limit);
    quota_charge(&request->server->quota, &request->client, COST_CPU_MS, ms / CHARGED_PART);
    free(job);
    response_is_ready(request);
}

static void respond_late(Request *request)
{
    respond_error(request, MHD_HTTP_SERVICE_UNAVAILABLE, "full", "that takes more than %d s",
                  MAX_THINK_MS / 1000);
}

/* ---- a finished game ---------------------------------------------------------------------- */

/* Continues the analysis for a slice of time, unless there is something to show already. The lock
 * is held. */
static bool grow(CachedRecord *found, const Job *job, TurfError *error)
{
    Analysis *analysis = &found->analysis;
    int64_t   until_ns = clock_ns() + SLICE_MS * INT64_C(1000000);
    if (!found->has_analysis &&
        !analysis_init(analysis, &found->record.history, &default_limits, error))
        return false;
    found->has_analysis = true;
    if (analysis_is_done(analysis) || analysis_n_verdicts(analysis) > (size_t)job->from)
        return true;
    Analyst *analyst = analyst_new(found->record.history.game, &default_limits, error);
    if (!analyst)
        return false;
    do {
        if (!analysis_step(analysis, analyst, &job->limit->is_up))
            break;
    } while (!analysis_is_done(analysis) && clock_ns() < until_ns);
    analyst_free(analyst);
    return true;
}

static json_t *analysis_view(const CachedRecord *found, int64_t from)
{
    const Analysis *analysis = &found->analysis;
    const TurfGame *game = analysis->history.game;
    bool            is_done = analysis_is_done(analysis);
    json_t         *plies = json_array();
    for (size_t ply = (size_t)from; ply < analysis_n_verdicts(analysis); ply++)
        json_add(&plies, analysis_ply_json(analysis, ply));
    json_t *json = json_pack("{s:s,s:s,s:I,s:I,s:o,s:b}", "id", found->record.id, "game",
                             game->name, "n_plies", (json_int_t)analysis->n_plies, "from",
                             (json_int_t)from, "plies", plies, "is_done", is_done);
    json_put(&json, "summary", is_done ? analysis_summary_json(analysis) : json_null());
    json_put(&json, "end",
             is_done ? judgement_json(game, &analysis->history.state,
                                      &analysis->positions[analysis->n_plies])
                     : json_null());
    return json;
}

static void analyse(void *context)
{
    Job          *job = context;
    Request      *request = job->request;
    int64_t       begun_ns = begin(job);
    TurfError     error;
    CachedRecord *found = find_record(request);
    if (found) {
        pthread_mutex_lock(&found->analysis_lock);
        if (!grow(found, job, &error))
            respond_turf_error(request, &error);
        else if (atomic_load(&job->limit->is_up))
            respond_late(request);
        else
            respond_json(request, MHD_HTTP_OK, analysis_view(found, job->from));
        pthread_mutex_unlock(&found->analysis_lock);
        cached_record_release(found);
    }
    finish(job, begun_ns);
}

void api_analysis(Request *request)
{
    Job job = {.from = 0};
    if (request_number(request, "from", 0, INT32_MAX, &job.from))
        run_later(request, &job, analyse);
}

/* ---- any position ------------------------------------------------------------------------- */

/* NULL: out of memory or time. */
static json_t *judge(const Job *job, Analyst *analyst)
{
    const TurfGame    *game = job->game;
    const atomic_bool *stop = &job->limit->is_up;
    const TurfMove    *move = job->has_move ? &job->move : NULL;
    Judgement          before, after;
    Verdict            verdict;
    TurfState          child = job->state;
    if (!analyst_judge(analyst, &job->state, move, &default_limits, stop, &before))
        return NULL;
    json_t *json = json_pack("{s:s}", "game", game->name);
    if (!job->has_move) {
        json_put(&json, "judgement", judgement_json(game, &job->state, &before));
        return json;
    }
    game->apply(&child, job->move);
    if (!analyst_judge(analyst, &child, NULL, &default_limits, stop, &after) ||
        !verdict_of_move(analyst, &job->state, &default_limits, stop, &before, &after, &verdict)) {
        json_decref(json);
        return NULL;
    }
    json_put(&json, "judgement", judgement_json(game, &child, &after));
    json_put(&json, "verdict",
             verdict_json(game, &job->state, job->move, &before, &after, &verdict));
    return json;
}

static void evaluate(void *context)
{
    Job      *job = context;
    Request  *request = job->request;
    int64_t   begun_ns = begin(job);
    TurfError error;
    Analyst  *analyst = analyst_new(job->game, &default_limits, &error);
    if (!analyst) {
        respond_turf_error(request, &error);
    } else {
        json_t *json = judge(job, analyst);
        if (!json && atomic_load(&job->limit->is_up))
            respond_late(request);
        else
            respond_json(request, MHD_HTTP_OK, json);
        analyst_free(analyst);
    }
    finish(job, begun_ns);
}

void api_evaluate(Request *request)
{
    const char *name;
    json_t     *position, *move = NULL;
    Job         job = {.from = 0};
    TurfError   error;
    TurfEnding  ending;
    if (!request_read(request, "{s:s,s:o,s?:o}", "game", &name, "position", &position, "move",
                      &move) ||
        !(job.game = read_game_name(request, name)) ||
        !read_position(request, job.game, position, &job.state))
        return;
    job.has_move = move && !json_is_null(move);
    if (!analyst_knows(job.game, &error) ||
        (job.has_move && !job.game->move_from_json(&job.state, move, &job.move, &error))) {
        respond_turf_error(request, &error);
        return;
    }
    bool is_over = job.game->is_over(&job.state, &ending);
    if (job.has_move && is_over)
        error_invalid(&error, "the game is over");
    if (job.has_move && (is_over || !job.game->is_legal(&job.state, job.move, &error)))
        respond_error(request, MHD_HTTP_UNPROCESSABLE_CONTENT, "illegal-move", "%s", error.text);
    else
        run_later(request, &job, evaluate);
}

/* ---- puzzles ------------------------------------------------------------------------------ */

static void make_puzzle(void *context)
{
    Job         *job = context;
    Request     *request = job->request;
    int64_t      begun_ns = begin(job);
    Puzzle       puzzle;
    TurfError    error;
    PuzzleMaker *maker = puzzle_maker_new(job->game, &error);
    if (maker && puzzle_make(maker, (uint64_t)job->seed, (uint64_t)job->number, &job->limit->is_up,
                             &puzzle, &error))
        respond_json(request, MHD_HTTP_OK, puzzle_json(&puzzle));
    else if (error.code == TURF_ERROR_INTERRUPTED)
        respond_late(request);
    else
        respond_turf_error(request, &error);
    puzzle_maker_free(maker);
    finish(job, begun_ns);
}

void api_puzzle(Request *request)
{
    Job       job = {.seed = 1};
    TurfError error;
    if (!request_number(request, "seed", 0, INT64_MAX, &job.seed) ||
        !request_number(request, "number", 0, INT64_MAX, &job.number) ||
        !(job.game = read_game_name(request, request->parts[0])))
        return;
    if (analyst_knows(job.game, &error))
        run_later(request, &job, make_puzzle);
    else
        respond_turf_error(request, &error);
}
