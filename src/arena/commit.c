/* Results of batches into the store. Takes no locks; a store is used by one thread at a time. */
#include "arena/commit.h"

#include "base/error.h"
#include "games/totals.h"

#include <stdlib.h>

static bool store_result(const Run *run, const BatchResult *result, TurfError *error)
{
    BatchRecord batch = {result->games.pairing,
                         result->games.first,
                         result->games.n,
                         {result->totals[0], result->totals[1]}};
    for (size_t i = 0; i < result->n_played; i++) {
        const GameRecord *game = &result->played[i].record;
        if (game->moves && !records_add_game(run->store, run->run_id, game, error))
            return false;
    }
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

/* Results that follow each other become one row, since rows cost time. */
static bool store_sorted(const Run *run, BatchResult **sorted, size_t n_results, TurfError *error)
{
    for (size_t i = 0, next; i < n_results; i = next) {
        BatchResult joined = *sorted[i];
        for (next = i + 1; next < n_results && !joined.is_single; next++) {
            const BatchResult *more = sorted[next];
            if (more->n_played > 0 || more->games.pairing != joined.games.pairing ||
                more->games.first != joined.games.first + joined.games.n)
                break;
            joined.games.n += more->games.n;
            for (int side = 0; side < 2; side++)
                totals_add(&joined.totals[side], &more->totals[side]);
        }
        if (!store_result(run, &joined, error))
            return false;
    }
    return true;
}

bool results_commit(const Run *run, BatchResult *results, size_t n_results, TurfError *error)
{
    BatchResult **sorted = calloc(n_results, sizeof(BatchResult *));
    size_t        n = 0;
    bool          is_good = false;
    if (!sorted)
        return error_no_memory(error);
    for (BatchResult *result = results; result; result = result->next)
        sorted[n++] = result;
    qsort(sorted, n, sizeof(BatchResult *), by_games);
    if (!store_begin(run->store, error))
        goto done;
    is_good = store_sorted(run, sorted, n, error);
    if (is_good)
        is_good = store_commit(run->store, error);
    else
        store_undo(run->store);
done:
    free(sorted);
    return is_good;
}

bool run_commit(Run *run, BatchResult *result, TurfError *error)
{
    if (run->store && !results_commit(run, result, 1, error))
        return false;
    const GameRecord *single = result->is_single ? &result->played[0].record : NULL;
    return run_count(run, result->games, result->totals, single) || error_no_memory(error);
}
