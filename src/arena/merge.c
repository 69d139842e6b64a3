#include "arena/merge.h"

#include "arena/plan.h"
#include "arena/schedule.h"
#include "base/error.h"
#include "store/records.h"

#include <stdlib.h>
#include <string.h>

/* All chunks of all parts. */
typedef struct Chunks {
    ChunkRecord *list;
    size_t       n, room;
    bool         has_failed;
} Chunks;

typedef struct Merge {
    Store         *out;
    int64_t        run;
    StoredRun      pattern; /* the run that says what the plan is */
    Chunks         chunks;
    Spans          played;
    TurfError     *error;
    bool           is_good;
    MergeShards   *shards;
    StoredPairing *pairings;
    size_t         n_pairings;
} Merge;

/* ---- which runs --------------------------------------------------------------------------- */

/* The shard says where it belongs; parts of different cuts cannot be told apart that way. */
static bool note_shard(Merge *merge, const StoredRun *run)
{
    MergeShards *shards = merge->shards;
    if (run->shard < 1 || run->shard > run->n_shards)
        return error_set(merge->error, "shard %d of %d: that cannot be", run->shard, run->n_shards);
    if (!shards->is_there) {
        shards->n_shards = run->n_shards;
        shards->is_there = calloc((size_t)run->n_shards + 1, sizeof *shards->is_there);
        if (!shards->is_there)
            return error_set(merge->error, "out of memory");
    }
    if (run->n_shards != shards->n_shards)
        shards->n_shards = -1;
    else
        shards->is_there[run->shard - 1] = true;
    return true;
}

/* Does a run belong here? If not, the error says how it differs. */
static bool belongs(const Merge *merge, const StoredRun *run, const char *path)
{
    char quoted[ERROR_QUOTE_BYTES], difference[200];
    error_quote(quoted, path);
    if (plan_difference(merge->pattern.plan, run->plan, difference, sizeof difference))
        return error_set(merge->error, "'%s' is part of another plan: %s", quoted, difference);
    if (strcmp(merge->pattern.version, run->version))
        return error_set(merge->error, "'%s' was played by turf %s, and the others by turf %s", quoted, run->version,
                         merge->pattern.version);
    return true;
}

/* Calls `visit` for every run in the database that belongs here. One at least must. */
static bool each_part(Merge *merge, const char *path, bool (*visit)(Merge *, Store *, const StoredRun *))
{
    StoredRun *runs = NULL;
    size_t     n_runs = 0, n_good = 0;
    char       quoted[ERROR_QUOTE_BYTES];
    Store     *store = store_open(path, STORE_READ, merge->error);
    bool       is_good = store && runs_read(store, &runs, &n_runs, merge->error);
    if (is_good && n_runs == 0)
        is_good = error_set(merge->error, "there are no runs in '%s'", error_quote(quoted, path));
    if (is_good && !merge->pattern.plan)
        is_good = runs_find(store, runs[n_runs - 1].id, &merge->pattern, merge->error);
    for (size_t i = 0; i < n_runs && is_good; i++)
        if (belongs(merge, &runs[i], path)) {
            is_good = visit(merge, store, &runs[i]);
            n_good++;
        }
    is_good = is_good && n_good > 0; /* and the error says how the last one differs */
    runs_free(runs, n_runs);
    store_close(store);
    return is_good;
}

/* ---- chunks ------------------------------------------------------------------------------- */

static bool add_chunk(void *context, const ChunkRecord *chunk)
{
    Chunks *chunks = context;
    if (chunks->n == chunks->room) {
        size_t       room = chunks->room ? 2 * chunks->room : 64;
        ChunkRecord *larger = realloc(chunks->list, room * sizeof *larger);
        chunks->has_failed = !larger;
        if (!larger)
            return false;
        chunks->list = larger;
        chunks->room = room;
    }
    chunks->list[chunks->n++] = *chunk;
    return true;
}

static bool collect_chunks(Merge *merge, Store *store, const StoredRun *run)
{
    return note_shard(merge, run) && records_each_chunk(store, run->id, add_chunk, &merge->chunks, merge->error) &&
           (!merge->chunks.has_failed || error_set(merge->error, "out of memory"));
}

static uint64_t end_of(const ChunkRecord *chunk) { return chunk->first_game + chunk->n_games; }

static int by_end(const void *left, const void *right)
{
    const ChunkRecord *a = left, *b = right;
    if (a->pairing != b->pairing)
        return a->pairing < b->pairing ? -1 : 1;
    return (end_of(a) > end_of(b)) - (end_of(a) < end_of(b));
}

/* Of chunks that overlap, as when a shard was played twice, those are taken that cover most games without
 * sharing any: the best choice among the first i + 1 takes chunk i, with the best before it, or leaves it out. The
 * chunks are those of one pairing, sorted by their ends. */
static bool choose_chunks(const ChunkRecord *chunks, size_t n, bool *is_chosen)
{
    uint64_t *best = calloc(n + 1, sizeof *best);
    size_t   *before = calloc(n + 1, sizeof *before); /* how many end where this one begins, or earlier */
    if (best && before) {
        for (size_t i = 0; i < n; i++) {
            size_t low = 0, high = i;
            while (low < high) {
                size_t middle = (low + high) / 2;
                if (end_of(&chunks[middle]) <= chunks[i].first_game)
                    low = middle + 1;
                else
                    high = middle;
            }
            before[i] = low;
            uint64_t with = best[low] + chunks[i].n_games;
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

static bool write_chunks(Merge *merge)
{
    Chunks *chunks = &merge->chunks;
    bool   *is_chosen = calloc(chunks->n + 1, sizeof *is_chosen);
    bool    is_good = is_chosen || error_set(merge->error, "out of memory");
    if (is_good && chunks->n > 0)
        qsort(chunks->list, chunks->n, sizeof *chunks->list, by_end);
    for (size_t first = 0, end; first < chunks->n && is_good; first = end) {
        for (end = first; end < chunks->n && chunks->list[end].pairing == chunks->list[first].pairing;)
            end++;
        if (!choose_chunks(&chunks->list[first], end - first, &is_chosen[first]))
            is_good = error_set(merge->error, "out of memory");
    }
    for (size_t i = 0; i < chunks->n && is_good; i++) {
        const ChunkRecord *chunk = &chunks->list[i];
        if (!is_chosen[i])
            continue;
        is_good = records_add_chunk(merge->out, merge->run, chunk, merge->error) &&
                  (spans_add(&merge->played, (Span){chunk->pairing, chunk->first_game, chunk->n_games}) ||
                   error_set(merge->error, "out of memory"));
    }
    free(is_chosen);
    return is_good;
}

/* ---- games -------------------------------------------------------------------------------- */

/* A sample stays if its game is counted in a chunk, and any other game if it is not there yet. */
static bool write_game(void *context, const GameRecord *record)
{
    Merge *merge = context;
    Span   span = {record->pairing, record->game, 1};
    bool   is_counted = spans_contain(&merge->played, span);
    if (is_counted != record->is_sample)
        return true;
    merge->is_good = records_put_game(merge->out, merge->run, record, merge->error);
    if (merge->is_good && !record->is_sample && !spans_add(&merge->played, span))
        merge->is_good = error_set(merge->error, "out of memory");
    return merge->is_good;
}

static bool copy_games(Merge *merge, Store *store, const StoredRun *run)
{
    merge->is_good = true;
    return records_each_game(store, run->id, RECORDS_ALL, write_game, merge, merge->error) && merge->is_good;
}

/* ---- the run ------------------------------------------------------------------------------ */

/* Writes the run with its entrants and pairings. */
static bool begin_run(Merge *merge)
{
    Plan plan;
    if (!plan_from_json(&plan, merge->pattern.plan, merge->error))
        return false;
    StoredRun run = merge->pattern;
    run.shard = run.n_shards = 1;
    size_t n = schedule_n_pairings(&plan);
    merge->pairings = calloc(n, sizeof *merge->pairings);
    bool is_good = merge->pairings ? runs_add(merge->out, &run, plan.entrants, plan.n_entrants, merge->error)
                                   : error_set(merge->error, "out of memory");
    if (is_good && plan.schedule == SCHEDULE_SWISS)
        is_good = error_set(merge->error, "a Swiss event has no parts that could be put together");
    if (is_good && plan.has_sprt)
        is_good = error_set(merge->error, "a match with --sprt has no parts that could be put together");
    merge->n_pairings = is_good ? schedule_round(&plan, 1, NULL, NULL, 0, merge->pairings) : 0;
    is_good = is_good && runs_add_pairings(merge->out, run.id, 0, merge->pairings, merge->n_pairings, merge->error);
    merge->run = run.id;
    plan_release(&plan);
    return is_good;
}

/* Has everything been played? */
static bool is_whole(const Merge *merge)
{
    for (size_t p = 0; p < merge->n_pairings; p++)
        if (!spans_contain(&merge->played, (Span){p, 0, merge->pairings[p].n_games}))
            return false;
    return true;
}

bool merge_runs(const char *const *paths, size_t n_paths, Store *out, int64_t *run, MergeShards *shards,
                TurfError *error)
{
    Merge merge = {.out = out, .error = error, .shards = shards};
    bool  is_good = true;
    *shards = (MergeShards){0};
    for (size_t i = 0; i < n_paths && is_good; i++)
        is_good = each_part(&merge, paths[i], collect_chunks);
    is_good = is_good && store_begin(out, error);
    if (is_good) {
        is_good = begin_run(&merge) && write_chunks(&merge);
        for (size_t i = 0; i < n_paths && is_good; i++)
            is_good = each_part(&merge, paths[i], copy_games);
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
    stored_run_release(&merge.pattern);
    free(merge.chunks.list);
    free(merge.pairings);
    spans_release(&merge.played);
    return is_good;
}
