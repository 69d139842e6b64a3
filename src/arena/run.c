#include "arena/run.h"

#include "arena/schedule.h"
#include "arena/match_scores.h"
#include "base/error.h"
#include "games/totals.h"
#include "store/records.h"

#include <stdlib.h>
#include <string.h>

/* Somebody who bears a name and is not there. */
static TurfMove choose_nothing(void *context, const TurfGame *game, const TurfState *state,
                               TurfRng *rng)
{
    (void)context;
    (void)game;
    (void)state;
    (void)rng;
    return 0;
}

static TurfPlayer *open_player(const Run *run, size_t entrant, bool will_play, TurfError *error)
{
    const Plan *plan = &run->plan;
    return will_play ? plan_open_player(plan, entrant, run->players, error)
                     : turf_player_custom(plan->game, plan->entrants[entrant].name, choose_nothing,
                                          NULL, error);
}

bool run_init(Run *run, Plan *plan, bool will_play, TurfError *error)
{
    *run = (Run){.plan = *plan, .shard = 1, .n_shards = 1};
    *plan = (Plan){0};
    run->players = calloc(run->plan.n_entrants + 1, sizeof(TurfPlayer *));
    size_t n_max = schedule_check(&run->plan, error) ? schedule_n_pairings(&run->plan) : 0;
    if (n_max == 0) {
        run_release(run);
        return false;
    }
    run->schedule = calloc(n_max, sizeof *run->schedule);
    run->pairings = calloc(n_max, sizeof *run->pairings);
    run->totals = calloc(n_max, sizeof *run->totals);
    bool is_good =
        (run->players && run->schedule && run->pairings && run->totals) || error_no_memory(error);
    for (size_t i = 0; i < run->plan.n_entrants && is_good; i++)
        is_good = (run->players[i] = open_player(run, i, will_play, error)) != NULL;
    if (!is_good)
        run_release(run);
    return is_good;
}

void run_release(Run *run)
{
    for (size_t i = 0; run->players && i < run->plan.n_entrants; i++)
        turf_player_free(run->players[i]);
    free(run->players);
    free(run->schedule);
    free(run->pairings);
    free(run->totals);
    free(run->points);
    game_set_release(&run->played);
    plan_release(&run->plan);
    *run = (Run){0};
}

/* ---- the test ----------------------------------------------------------------------------- */

/* Between looks the test says nothing new: games may be missing in the middle. */
static void look_at_test(Run *run)
{
    uint64_t    n_played = run_n_played(run);
    ScoreCounts scores = match_scores(run);
    run->test = sprt_standing(&run->plan.sprt, &scores);
    if (sprt_look(n_played, run->plan.n_games) != n_played)
        run->test.state = SPRT_GOES_ON;
}

/* Can the games of this plan be taken in pairs? */
static bool plan_is_paired(const Plan *plan)
{
    return plan->schedule == SCHEDULE_MATCH && plan->swaps_sides;
}

/* ---- the store ---------------------------------------------------------------------------- */

/* The next pairings, from the schedule or from the store. */
static void append_pairings(Run *run, const PairingRecord *pairings, size_t n_pairings)
{
    for (size_t i = 0; i < n_pairings; i++) {
        size_t at = run->n_pairings++;
        run->schedule[at] = pairings[i];
        run->pairings[at] = (TurfPairing){
            .players = {run->players[pairings[i].first], run->players[pairings[i].second]},
            .n_games = pairings[i].n_games,
            .swap_sides = pairings[i].swaps_sides};
        run->totals[at][0] = run->totals[at][1] = TOTALS_NONE;
    }
}

/* Decides on the pairings of a round, unless the store has them already. */
static bool prepare_round(Run *run, uint64_t round, TurfError *error)
{
    size_t         n_before = run->n_pairings;
    PairingRecord *next = NULL;
    if (n_before > 0 && (uint64_t)run->schedule[n_before - 1].round >= round)
        return true;
    next = calloc(schedule_n_pairings(&run->plan), sizeof *next);
    size_t n =
        next ? schedule_round(&run->plan, round, run->schedule, run->totals, n_before, next) : 0;
    bool is_good = n > 0 || error_no_memory(error);
    if (is_good && run->store)
        is_good = runs_add_pairings(run->store, run->run_id, n_before, next, n, error);
    if (is_good)
        append_pairings(run, next, n);
    free(next);
    return is_good;
}

/* The run, and its first pairings, in one go. */
static bool write_run(Run *run, RunRecord *record, TurfError *error)
{
    Store *store = run->store;
    if (!store_begin(store, error))
        return false;
    bool is_good = runs_add(store, record, run->plan.entrants, run->plan.n_entrants, error);
    run->run_id = record->id;
    is_good = is_good && prepare_round(run, 1, error);
    if (is_good)
        return store_commit(store, error);
    store_undo(store);
    return false;
}

bool run_begin(Run *run, Store *store, TurfError *error)
{
    char      hash[17], *json = plan_to_json(&run->plan);
    RunRecord record = {.game = (char *)(uintptr_t)run->plan.game->name,
                        .plan = json,
                        .plan_hash = hash,
                        .version = (char *)(uintptr_t)TURF_VERSION,
                        .shard = run->shard,
                        .n_shards = run->n_shards};
    if (!json)
        return error_no_memory(error);
    plan_hash(json, hash);
    run->store = store;
    bool is_good = write_run(run, &record, error) && store_lock_run(store, record.id, error);
    free(json);
    return is_good;
}

static bool read_pairings(Run *run, TurfError *error)
{
    PairingRecord *pairings;
    size_t         n_pairings;
    if (!runs_pairings(run->store, run->run_id, &pairings, &n_pairings, error))
        return false;
    bool is_good = n_pairings <= schedule_n_pairings(&run->plan);
    for (size_t i = 0; i < n_pairings; i++)
        is_good &=
            pairings[i].first < run->plan.n_entrants && pairings[i].second < run->plan.n_entrants;
    if (is_good)
        append_pairings(run, pairings, n_pairings);
    else
        error_invalid(error, "the pairings of run %lld do not fit its plan",
                      (long long)run->run_id);
    free(pairings);
    return is_good;
}

static bool note_game(void *context, const GameRecord *record)
{
    return match_scores_note(context, record);
}

bool run_resume(Run *run, Store *store, const RunRecord *record, bool will_play, TurfError *error)
{
    Plan plan;
    if (!plan_from_json(&plan, record->plan, error) || !run_init(run, &plan, will_play, error))
        return false;
    run->store = store;
    run->run_id = record->id;
    run->shard = record->shard;
    run->n_shards = record->n_shards;
    bool is_good =
        (!will_play || store_lock_run(store, record->id, error)) && read_pairings(run, error) &&
        records_add_totals(store, record->id, run->totals, run->n_pairings, error) &&
        records_played(store, record->id, &run->played, error) &&
        (plan_is_paired(&run->plan) ? records_each_game(store, record->id, 0, note_game, run, error)
                                    : true);
    if (is_good && run->plan.has_sprt)
        look_at_test(run);
    run->n_before = run_n_played(run);
    if (!is_good)
        run_release(run);
    return is_good;
}

/* ---- keeping ------------------------------------------------------------------------------ */

typedef struct Writer {
    Run            *run;
    const RunHooks *hooks;
} Writer;

static bool keep_part(Run *run, const BatchResult *result, TurfError *error)
{
    BatchRecord batch = {result->games.pairing,
                         result->games.first,
                         result->games.n,
                         {result->totals[0], result->totals[1]}};
    for (size_t i = 0; i < result->n_logged; i++)
        if (!records_add_game(run->store, run->run_id, &result->logged[i].record, error))
            return false;
    return result->is_single || records_add_batch(run->store, run->run_id, &batch, error);
}

static int by_games(const void *left, const void *right)
{
    const GameRange *a = &(*(BatchResult *const *)left)->games,
                    *b = &(*(BatchResult *const *)right)->games;
    if (a->pairing != b->pairing)
        return a->pairing < b->pairing ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

/* Parts that follow each other are kept as one, since each row has its price. */
static bool keep_parts(Run *run, BatchResult *const *results, size_t n_results, TurfError *error)
{
    BatchResult **sorted = malloc(n_results * sizeof(BatchResult *));
    bool          is_good = sorted || error_no_memory(error);
    for (size_t i = 0; i < n_results && is_good; i++)
        sorted[i] = results[i];
    if (is_good)
        qsort(sorted, n_results, sizeof(BatchResult *), by_games);
    for (size_t i = 0, next; i < n_results && is_good; i = next) {
        BatchResult joined = *sorted[i];
        for (next = i + 1; next < n_results && !joined.is_single; next++) {
            const BatchResult *more = sorted[next];
            if (more->n_logged > 0 || more->games.pairing != joined.games.pairing ||
                more->games.first != joined.games.first + joined.games.n)
                break;
            joined.games.n += more->games.n;
            for (int side = 0; side < 2; side++)
                totals_add(&joined.totals[side], &more->totals[side]);
        }
        is_good = keep_part(run, &joined, error);
    }
    free(sorted);
    return is_good;
}

static bool keep(void *context, BatchResult *const *results, size_t n_results, TurfError *error)
{
    Writer *writer = context;
    Run    *run = writer->run;
    if (run->store) {
        if (!store_begin(run->store, error))
            return false;
        if (!keep_parts(run, results, n_results, error)) {
            store_undo(run->store);
            return false;
        }
        if (!store_commit(run->store, error))
            return false;
    }
    for (size_t i = 0; i < n_results; i++)
        for (size_t g = 0; results[i]->is_single && g < results[i]->n_logged; g++)
            if (!match_scores_note(run, &results[i]->logged[g].record))
                return error_no_memory(error);
    if (writer->hooks->kept)
        writer->hooks->kept(writer->hooks->context, results, n_results);
    return true;
}

/* ---- playing ------------------------------------------------------------------------------ */

static bool play_round(Run *run, const RunHooks *hooks, TurfError *error)
{
    const Plan    *plan = &run->plan;
    Writer         writer = {run, hooks};
    TurfRunOptions options = {.seed = plan->seed,
                              .n_jobs = hooks->n_jobs,
                              .time_ms = (int64_t)plan->time_ms,
                              .move_cap_ms = (int64_t)plan->move_cap_ms,
                              .progress = hooks->progress,
                              .forfeited = hooks->forfeited,
                              .context = hooks->context};
    bool      has_writer = run->store || hooks->kept || hooks->elsewhere || plan_is_paired(plan);
    WorkerJob job = {.game = plan->game,
                     .pairings = run->pairings,
                     .n_pairings = run->n_pairings,
                     .options = &options,
                     .starts = (const char *const *)plan->starts,
                     .n_starts = plan->n_starts,
                     .played = &run->played,
                     .shard = run->shard,
                     .n_shards = run->n_shards > 1 ? run->n_shards : 0,
                     .n_recorded = plan->n_recorded,
                     .counts_singly = plan->has_sprt && plan->swaps_sides,
                     .keep = has_writer ? keep : NULL,
                     .keep_context = &writer,
                     .delay = &run->delay};
    const RemoteWorkers *elsewhere = hooks->elsewhere;
    return elsewhere ? elsewhere->play(elsewhere->context, run, &job, run->totals, error)
                     : workers_play(&job, run->totals, error);
}

/* Those that have been played need not be played in the next round. */
static bool mark_played(Run *run, TurfError *error)
{
    for (size_t p = 0; p < run->n_pairings; p++)
        if (!game_set_add(&run->played, (GameRange){p, 0, run->pairings[p].n_games}))
            return error_no_memory(error);
    return true;
}

/* Decides on a round, and keeps what was decided. */
static bool decide_round(Run *run, uint64_t round, TurfError *error)
{
    if (run->store && !store_begin(run->store, error))
        return false;
    bool is_good = prepare_round(run, round, error);
    if (is_good && run->store)
        return store_commit(run->store, error);
    if (run->store)
        store_undo(run->store);
    return is_good;
}

bool run_prepare(Run *run, TurfError *error) { return decide_round(run, 1, error); }

/* How many games there are in what has been decided. */
static uint64_t count_decided(const Run *run)
{
    uint64_t n_games = 0;
    if (run->n_shards > 1)
        return run_n_games(run);
    for (size_t p = 0; p < run->n_pairings; p++)
        n_games += run->pairings[p].n_games;
    return n_games;
}

/* Plays from look to look until the test is settled or there are no more games. No game beyond a
 * look is begun before it: so the answer, and the games it rests on, are the same for any number of
 * threads and after any interruption. */
static bool play_test(Run *run, const RunHooks *hooks, TurfError *error)
{
    uint64_t n_max = run->plan.n_games;
    while (run->test.state == SPRT_GOES_ON && run_n_played(run) < n_max) {
        uint64_t n_played = run_n_played(run), look = sprt_look(n_played, n_max);
        if (look == n_played)
            look = sprt_look(n_played + 1, n_max);
        run->pairings[0].n_games = look;
        if (!play_round(run, hooks, error))
            return false;
        if (run_n_played(run) < look)
            return true; /* stopped early */
        if (!game_set_add(&run->played, (GameRange){0, 0, look}))
            return error_no_memory(error);
        look_at_test(run);
    }
    return !run->store || runs_set_finished(run->store, run->run_id, error);
}

bool run_play(Run *run, const RunHooks *hooks, TurfError *error)
{
    uint64_t n_rounds = run->plan.schedule == SCHEDULE_SWISS ? run->plan.n_rounds : 1;
    for (uint64_t round = 1; round <= n_rounds; round++) {
        if (!decide_round(run, round, error))
            return false;
        if (hooks->paired)
            hooks->paired(hooks->context, run);
        if (run->plan.has_sprt)
            return play_test(run, hooks, error);
        uint64_t n_decided = count_decided(run);
        if (run_n_played(run) < n_decided && !play_round(run, hooks, error))
            return false;
        if (run_n_played(run) < n_decided)
            return true; /* stopped early */
        if (round < n_rounds && !mark_played(run, error))
            return false;
    }
    return !run->store || runs_set_finished(run->store, run->run_id, error);
}

/* ---- counting ----------------------------------------------------------------------------- */

/* The ground as far as cutting into batches needs it. */
static BatchContext batch_context_of(const Run *run)
{
    return (BatchContext){.pairings = run->pairings, .n_pairings = run->n_pairings};
}

uint64_t run_n_games(const Run *run)
{
    if (run->plan.has_sprt && run->test.state != SPRT_GOES_ON)
        return run_n_played(run);
    if (run->n_shards == 1)
        return schedule_n_pairings(&run->plan) * run->plan.n_games;
    BatchContext batch_context = batch_context_of(run);
    uint64_t     n_games = 0, n_batches = batch_count(&batch_context);
    for (uint64_t i = 0; i < n_batches; i++)
        if (batch_shard(&batch_context, i, run->n_shards) == run->shard)
            n_games += batch_at(&batch_context, i).n;
    return n_games;
}

uint64_t run_n_played(const Run *run)
{
    uint64_t n_played = 0;
    for (size_t p = 0; p < run->n_pairings; p++)
        n_played += run->totals[p][0].n_games + run->totals[p][1].n_games;
    return n_played;
}

bool run_is_whole(const Run *run)
{
    return run->n_pairings > 0 && run_n_played(run) >= run_n_games(run);
}

bool run_missing(const Run *run, GameSet *missing)
{
    BatchContext batch_context = batch_context_of(run);
    uint64_t     n_batches = run->n_pairings ? batch_count(&batch_context) : 0;
    for (uint64_t i = 0; i < n_batches; i++) {
        GameRange batch = batch_at(&batch_context, i);
        if (run->n_shards > 1 && batch_shard(&batch_context, i, run->n_shards) != run->shard)
            continue;
        while (batch.n > 0) {
            GameRange result = game_set_first_missing(&run->played, batch);
            if (!game_set_add(missing, result))
                return false;
            uint64_t behind = result.first + result.n;
            batch.n = result.n > 0 ? batch.first + batch.n - behind : 0;
            batch.first = behind;
        }
    }
    return true;
}
