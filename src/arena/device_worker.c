/* The worker that plays on a device: it takes as many games of a pairing as the device plays in a
 * fraction of a second, has them played, and delivers their totals like any other worker.
 *
 * A launch cannot be interrupted, so it is kept short: Ctrl-C ends a run when the launch ends. If
 * the device fails, the games of the launch are given back and nothing is lost. Takes no locks; it
 * talks to the others through workers.h. */
#include "arena/device_worker.h"

#include "base/error.h"

#include <stdlib.h>

enum { FIRST_GAMES = 4096, MAX_GROWTH = 8, MAX_RANGES = 4096 };
#define LAUNCH_SECONDS 0.15

/* The launches of a pairing. */
typedef struct Launches {
    uint64_t n_games; /* of the next */
    bool     is_done;
} Launches;

typedef struct DeviceWorker {
    Workers            *workers;
    const BatchContext *context;
    GameRange           taken[MAX_RANGES];
    size_t              n_taken;
    DeviceRange         ranges[MAX_RANGES];
    TurfTotals          totals[2][MAX_RANGES];
} DeviceWorker;

/* The games of a range as listed, or those with sides swapped: with swapped sides, game 2k + s of
 * the pairing is game k of side order s. */
static DeviceRange range_of(const GameRange *games, bool swaps_sides, bool is_swapped)
{
    if (!swaps_sides)
        return (DeviceRange){games->first, games->n};
    uint64_t first = (games->first + !is_swapped) / 2,
             end = (games->first + games->n + !is_swapped) / 2;
    return (DeviceRange){first, end - first};
}

/* Totals are of the players as they are listed. */
static void swap_winners(TurfTotals *totals)
{
    uint64_t won_by_first = totals->endings[TURF_WON_BY_FIRST];
    totals->endings[TURF_WON_BY_FIRST] = totals->endings[TURF_WON_BY_SECOND];
    totals->endings[TURF_WON_BY_SECOND] = won_by_first;
}

static bool play_taken(DeviceWorker *worker, size_t pairing, TurfError *error)
{
    const Run *run = worker->context->run;
    bool       swaps_sides = run->pairings[pairing].swap_sides;
    for (int swapped = 0; swapped <= swaps_sides; swapped++) {
        DeviceGames games;
        if (!batch_for_device(worker->context, pairing, swapped, &games))
            return error_invalid(error, "it cannot play these games");
        for (size_t i = 0; i < worker->n_taken; i++)
            worker->ranges[i] = range_of(&worker->taken[i], swaps_sides, swapped);
        if (!device_play(run->device, &games, worker->ranges, worker->n_taken,
                         worker->totals[swapped], error))
            return false;
        for (size_t i = 0; i < worker->n_taken && swapped; i++)
            swap_winners(&worker->totals[1][i]);
    }
    return true;
}

static bool deliver(const DeviceWorker *worker, size_t pairing, TurfError *error)
{
    bool swaps_sides = worker->context->run->pairings[pairing].swap_sides;
    for (size_t i = 0; i < worker->n_taken; i++) {
        BatchResult *result = batch_result_new(worker->taken[i], error);
        if (!result)
            return false;
        for (int swapped = 0; swapped <= swaps_sides; swapped++)
            result->totals[swapped] = worker->totals[swapped][i];
        if (!worker->context->deliver(worker->context->context, result))
            break; /* the run has failed, and says why */
    }
    return true;
}

/* One launch. False: play no more. */
static bool launch(DeviceWorker *worker, size_t pairing, Launches *launches)
{
    TurfError error;
    worker->n_taken = workers_take_for_device(worker->workers, pairing, launches->n_games,
                                              worker->taken, MAX_RANGES);
    if (worker->n_taken == 0) {
        launches->is_done = true;
        return true;
    }
    if (!play_taken(worker, pairing, &error)) {
        workers_lose_device(worker->workers, worker->taken, worker->n_taken);
        return false;
    }
    double seconds = 1e-6;
    for (size_t i = 0; i < 2 * worker->n_taken; i++)
        seconds += worker->totals[i % 2][i / 2].seconds;
    uint64_t fits = (uint64_t)((double)launches->n_games * LAUNCH_SECONDS / seconds) + 1,
             max = launches->n_games * MAX_GROWTH;
    launches->n_games = fits < max ? fits : max;
    if (deliver(worker, pairing, &error))
        return true;
    workers_fail(worker->workers, &error);
    return false;
}

void device_worker_play(Workers *workers, const BatchContext *context, const bool *is_left)
{
    size_t        n_pairings = context->run->n_pairings, n_left = 0;
    Launches     *launches = calloc(n_pairings, sizeof *launches);
    DeviceWorker *worker = calloc(1, sizeof *worker);
    if (!launches || !worker) {
        workers_lose_device(workers, NULL, 0);
        goto done;
    }
    worker->workers = workers;
    worker->context = context;
    for (size_t p = 0; p < n_pairings; p++) {
        launches[p] = (Launches){.n_games = FIRST_GAMES, .is_done = !is_left[p]};
        n_left += is_left[p];
    }
    /* One pairing after the other, so that every row of the table grows. */
    while (n_left > 0)
        for (size_t p = 0; p < n_pairings; p++) {
            if (launches[p].is_done)
                continue;
            if (!launch(worker, p, &launches[p]))
                goto done;
            n_left -= launches[p].is_done;
        }
done:
    free(launches);
    free(worker);
}

uint64_t device_worker_n_games(const Run *run)
{
    BatchContext context = {.run = run};
    TurfError    unused;
    uint64_t     n_games = 0;
    if (!batch_context_init(&context, &unused))
        return 0; /* the run will say why */
    for (size_t p = 0; p < run->n_pairings; p++) {
        DeviceGames games;
        if (batch_for_device(&context, p, false, &games))
            n_games += run->pairings[p].n_games;
    }
    batch_context_release(&context);
    return n_games;
}
