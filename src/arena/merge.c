/* Merging shards. Batches of all databases are collected first; where they overlap, as when a shard
 * was played twice, those are chosen that cover the most games without overlap. Then games that are
 * stored one by one are copied unless they are there. All of it is one transaction. */
#include "arena/merge.h"

#include "arena/plan_signature.h"
#include "arena/schedule.h"
#include "base/error.h"
#include "store/records.h"
#include "store/run_check.h"

#include <stdlib.h>
#include <string.h>

typedef struct Batches {
    BatchRecord *list;
    size_t       n, room;
    bool         has_failed;
} Batches;

typedef struct Merge {
    Store            *out;
    int64_t           run;
    RunRecord         pattern;                    /* the run whose plan all others must have */
    char              signature[SIGNATURE_BYTES]; /* of that plan: the merged run is as trusted */
    Batches           batches;
    GameSet           played;
    TurfError        *error;
    bool              is_good;
    MergeShards      *shards;
    const MergeRound *round; /* NULL: not of a league */
    PairingRecord    *pairings;
    size_t            n_pairings;
} Merge;

/* ---- the shards --------------------------------------------------------------------------- */

static bool note_shard(Merge *merge, const RunRecord *run)
{
    MergeShards *shards = merge->shards;
    if (run->shard < 1 || run->shard > run->n_shards)
        return error_invalid(merge->error, "there is no shard %d of %d", run->shard, run->n_shards);
    if (!shards->is_there) {
        shards->n_shards = run->n_shards;
        shards->is_there = calloc((size_t)run->n_shards + 1, sizeof *shards->is_there);
        if (!shards->is_there)
            return error_no_memory(merge->error);
    }
    if (run->n_shards != shards->n_shards)
        shards->n_shards = -1;
    else
        shards->is_there[run->shard - 1] = true;
    return true;
}

/* Is a run a shard of the same plan? If not, the error says how it differs. */
static bool is_shard(const Merge *merge, const RunRecord *run, const char *path)
{
    char quoted[ERROR_QUOTE_BYTES], difference[200];
    error_quote(quoted, path);
    if (plan_difference(merge->pattern.plan, run->plan, difference, sizeof difference))
        return error_invalid(merge->error, "'%s' is a shard of another plan: %s", quoted,
                             difference);
    if (strcmp(merge->pattern.version, run->version))
        return error_invalid(merge->error, "'%s' was played by turf %s, and the others by turf %s",
                             quoted, run->version, merge->pattern.version);
    return true;
}

/* Calls `visit` for every shard of the plan in the database; there must be one. */
static bool each_shard(Merge *merge, const char *path,
                       bool (*visit)(Merge *, Store *, const RunRecord *))
{
    RunRecord *runs = NULL;
    size_t     n_runs = 0, n_good = 0;
    char       quoted[ERROR_QUOTE_BYTES];
    Store     *store = store_open(path, STORE_READ, merge->error);
    bool       is_good = store && runs_read(store, &runs, &n_runs, merge->error);
    if (is_good && n_runs == 0)
        is_good =
            error_not_found(merge->error, "there are no runs in '%s'", error_quote(quoted, path));
    if (is_good && !merge->pattern.plan)
        is_good = runs_find(store, runs[n_runs - 1].id, &merge->pattern, merge->error) &&
                  runs_signature(store, merge->pattern.id, merge->signature,
                                 sizeof merge->signature, merge->error);
    for (size_t i = 0; i < n_runs && is_good; i++)
        if (is_shard(merge, &runs[i], path)) {
            is_good = visit(merge, store, &runs[i]);
            n_good++;
        }
    is_good = is_good && n_good > 0; /* else the error says how the last run differs */
    runs_free(runs, n_runs);
    store_close(store);
    return is_good;
}

/* ---- batches ------------------------------------------------------------------------------ */

static bool add_batch(void *context, const BatchRecord *batch)
{
    Batches *batches = context;
    if (batches->n == batches->room) {
        size_t       room = batches->room ? 2 * batches->room : 64;
        BatchRecord *larger = realloc(batches->list, room * sizeof *larger);
        batches->has_failed = !larger;
        if (!larger)
            return false;
        batches->list = larger;
        batches->room = room;
    }
    batches->list[batches->n++] = *batch;
    return true;
}

static bool check_rows(Merge *merge, Store *store, const RunRecord *run)
{
    EntrantRecord *entrants = NULL;
    PairingRecord *pairings = NULL;
    size_t         n_entrants = 0, n_pairings = 0;
    bool           is_good = runs_entrants(store, run->id, &entrants, &n_entrants, merge->error) &&
                   runs_pairings(store, run->id, &pairings, &n_pairings, merge->error) &&
                   run_check(store, run, entrants, n_entrants, pairings, n_pairings, merge->error);
    entrants_free(entrants, n_entrants);
    free(pairings);
    return is_good;
}

static bool collect_batches(Merge *merge, Store *store, const RunRecord *run)
{
    return note_shard(merge, run) && check_rows(merge, store, run) &&
           records_each_batch(store, run->id, add_batch, &merge->batches, merge->error) &&
           (!merge->batches.has_failed || error_no_memory(merge->error));
}

static uint64_t end_of(const BatchRecord *batch) { return batch->first_game + batch->n_games; }

static int by_end(const void *left, const void *right)
{
    const BatchRecord *a = left, *b = right;
    if (a->pairing != b->pairing)
        return a->pairing < b->pairing ? -1 : 1;
    return (end_of(a) > end_of(b)) - (end_of(a) < end_of(b));
}

/* Weighted interval scheduling by dynamic programming: of the batches of one pairing, sorted by
 * their ends, chooses those that cover the most games without overlap. best[i] is for the first i;
 * batch i is either left out or joins best[before[i]]. */
static bool choose_batches(const BatchRecord *batches, size_t n, bool *is_chosen)
{
    uint64_t *best = calloc(n + 1, sizeof *best);
    size_t   *before = calloc(n + 1, sizeof *before); /* how many end before it begins */
    if (best && before) {
        for (size_t i = 0; i < n; i++) {
            size_t low = 0, high = i;
            while (low < high) {
                size_t middle = (low + high) / 2;
                if (end_of(&batches[middle]) <= batches[i].first_game)
                    low = middle + 1;
                else
                    high = middle;
            }
            before[i] = low;
            uint64_t with = best[low] + batches[i].n_games;
            best[i + 1] = with > best[i] ? with : best[i];
        }
        for (size_t i = n; i > 0;)
            if (best[i] == best[i - 1]) {
                is_chosen[--i] = false;
            } else {
                is_chosen[i - 1] = true;
                size_t next = before[i - 1];
                while (--i > next)
                    is_chosen[i - 1] = false;
            }
    }
    bool is_good = best && before;
    free(best);
    free(before);
    return is_good;
}

static bool write_batches(Merge *merge)
{
    Batches *batches = &merge->batches;
    bool    *is_chosen = calloc(batches->n + 1, sizeof *is_chosen);
    bool     is_good = is_chosen || error_no_memory(merge->error);
    if (is_good && batches->n > 0)
        qsort(batches->list, batches->n, sizeof *batches->list, by_end);
    for (size_t first = 0, end; first < batches->n && is_good; first = end) {
        for (end = first;
             end < batches->n && batches->list[end].pairing == batches->list[first].pairing;)
            end++;
        if (!choose_batches(&batches->list[first], end - first, &is_chosen[first]))
            is_good = error_no_memory(merge->error);
    }
    for (size_t i = 0; i < batches->n && is_good; i++) {
        const BatchRecord *batch = &batches->list[i];
        if (!is_chosen[i])
            continue;
        is_good = records_add_batch(merge->out, merge->run, batch, merge->error) &&
                  (game_set_add(&merge->played,
                                (GameRange){batch->pairing, batch->first_game, batch->n_games}) ||
                   error_no_memory(merge->error));
    }
    free(is_chosen);
    return is_good;
}

/* ---- games -------------------------------------------------------------------------------- */

/* A sample is copied if its game is counted in a batch, any other game if it is not counted yet. */
static bool write_game(void *context, const GameRecord *record)
{
    Merge    *merge = context;
    GameRange range = {record->pairing, record->game, 1};
    bool      is_counted = game_set_contains(&merge->played, range);
    if (is_counted != record->is_sample)
        return true;
    merge->is_good = records_put_game(merge->out, merge->run, record, merge->error);
    if (merge->is_good && !record->is_sample && !game_set_add(&merge->played, range))
        merge->is_good = error_no_memory(merge->error);
    return merge->is_good;
}

static bool copy_games(Merge *merge, Store *store, const RunRecord *run)
{
    merge->is_good = true;
    return records_each_game(store, run->id, RECORDS_ALL, write_game, merge, merge->error) &&
           merge->is_good;
}

/* ---- the run ------------------------------------------------------------------------------ */

/* Writes the run with its entrants and pairings. */
static bool write_run(Merge *merge, const Plan *plan)
{
    RunRecord run = merge->pattern;
    run.shard = run.n_shards = 1;
    run.signature = *merge->signature ? merge->signature : NULL;
    run.league_round = merge->round ? merge->round->round : 0;
    if (merge->round && !merge->round->accept(merge->round->context, plan, merge->error))
        return false;
    if (schedule_has_rounds(plan))
        return error_invalid(merge->error, "a %s tournament has no shards to merge",
                             schedule_name(plan->schedule));
    if (plan->has_sprt)
        return error_invalid(merge->error, "a match with --sprt has no shards to merge");
    merge->pairings = calloc(schedule_n_pairings(plan), sizeof *merge->pairings);
    if (!merge->pairings)
        return error_no_memory(merge->error);
    merge->n_pairings = schedule_round(plan, 1, NULL, NULL, 0, merge->pairings);
    if (!runs_add(merge->out, &run, plan->entrants, plan->n_entrants, merge->error))
        return false;
    merge->run = run.id;
    return runs_add_pairings(merge->out, run.id, 0, merge->pairings, merge->n_pairings,
                             merge->error);
}

static bool begin_run(Merge *merge)
{
    Plan plan;
    if (!plan_from_json(&plan, merge->pattern.plan, merge->error))
        return false;
    bool is_good = write_run(merge, &plan);
    plan_release(&plan);
    return is_good;
}

static bool is_whole(const Merge *merge)
{
    for (size_t p = 0; p < merge->n_pairings; p++)
        if (!game_set_contains(&merge->played, (GameRange){p, 0, merge->pairings[p].n_games}))
            return false;
    return true;
}

static bool merge_all(const char *const *paths, size_t n_paths, Store *out, const MergeRound *round,
                      int64_t *run, MergeShards *shards, TurfError *error)
{
    Merge merge = {.out = out, .error = error, .shards = shards, .round = round};
    bool  is_good = true;
    *shards = (MergeShards){0};
    for (size_t i = 0; i < n_paths && is_good; i++)
        is_good = each_shard(&merge, paths[i], collect_batches);
    is_good = is_good && store_begin(out, error);
    if (is_good) {
        is_good = begin_run(&merge) && write_batches(&merge);
        for (size_t i = 0; i < n_paths && is_good; i++)
            is_good = each_shard(&merge, paths[i], copy_games);
        if (is_good && is_whole(&merge))
            is_good = runs_set_finished(out, merge.run, error);
        if (is_good)
            is_good = store_commit(out, error);
        else
            store_undo(out);
    }
    *run = merge.run;
    if (shards->n_shards < 0)
        shards->n_shards = 0;
    run_record_release(&merge.pattern);
    free(merge.batches.list);
    free(merge.pairings);
    game_set_release(&merge.played);
    return is_good;
}

bool merge_runs(const char *const *paths, size_t n_paths, Store *out, int64_t *run,
                MergeShards *shards, TurfError *error)
{
    return merge_all(paths, n_paths, out, NULL, run, shards, error);
}

bool merge_round(const char *const *paths, size_t n_paths, Store *out, const MergeRound *round,
                 MergeShards *shards, TurfError *error)
{
    int64_t unused;
    return merge_all(paths, n_paths, out, round, &unused, shards, error);
}
