/* Rank 0: hands out work orders and delivers their results. It runs on the thread that called
 * run_play, which is the only one to call MPI, beside one worker thread and the writer. */
#include "mpi/ranks.h"

#include "base/clock.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Each rank has its next order before it has finished the last. */
enum { ORDERS_AHEAD = 2, REPORT_EVERY_MS = 100, POLL_NS = 200000 };

static int  n_ranks = 1;
static bool has_plan; /* the other ranks have the plan */

void ranks_init(int n) { n_ranks = n; }

static bool give_order(Workers *workers, int rank)
{
    GameRange games;
    if (!workers_take(workers, true, &games))
        return false;
    const PairingRecord *pairing = &workers_run(workers)->schedule[games.pairing];
    WorkOrder            order = {games, pairing->first, pairing->second, pairing->n_games,
                                  pairing->swaps_sides};
    MPI_Send(&order, sizeof order, MPI_BYTE, rank, TAG_WORK, MPI_COMM_WORLD);
    return true;
}

static void receive_result(Workers *workers, int rank)
{
    WorkResult   received;
    TurfError    error;
    BatchResult *result = calloc(1, sizeof *result);
    MPI_Recv(&received, sizeof received, MPI_BYTE, rank, TAG_RESULT, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    if (!result) {
        error_no_memory(&error);
        workers_fail(workers, &error);
        return;
    }
    result->games = received.games;
    memcpy(result->totals, received.totals, sizeof result->totals);
    (void)workers_deliver(workers, result);
}

static void receive_done(Workers *workers, int rank)
{
    TurfError error;
    MPI_Recv(&error, sizeof error, MPI_BYTE, rank, TAG_DONE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (error.code)
        workers_fail(workers, &error);
}

static void send_to_all(int tag, const char *text, size_t length)
{
    for (int rank = 1; rank < n_ranks; rank++)
        MPI_Send(text, (int)length, MPI_CHAR, rank, tag, MPI_COMM_WORLD);
}

static void play(Workers *workers)
{
    int64_t report_ns = clock_ns();
    bool    is_stop_sent = false;
    int     n_orders = 0; /* sent and not done */
    for (int i = 0; i < ORDERS_AHEAD; i++)
        for (int rank = 1; rank < n_ranks; rank++)
            n_orders += give_order(workers, rank);
    while (n_orders > 0) {
        MPI_Status status;
        bool       has_message = ranks_have_message(&status);
        if (has_message && status.MPI_TAG == TAG_RESULT) {
            receive_result(workers, status.MPI_SOURCE);
        } else if (has_message) {
            receive_done(workers, status.MPI_SOURCE);
            n_orders += give_order(workers, status.MPI_SOURCE) - 1;
        }
        if (clock_ns() - report_ns > REPORT_EVERY_MS * INT64_C(1000000)) {
            bool goes_on = workers_report(workers);
            report_ns = clock_ns();
            if (!goes_on && !is_stop_sent)
                send_to_all(TAG_STOP, NULL, 0);
            is_stop_sent |= !goes_on;
        }
        if (!has_message)
            nanosleep(&(struct timespec){.tv_nsec = POLL_NS}, NULL);
    }
}

static bool begin(const Run *run, TurfError *error)
{
    if (run->plan.has_sprt)
        return error_invalid(error, "turf-mpi cannot play a match with --sprt, because each look "
                                    "at it waits for all games before");
    for (size_t p = 0; p < run->n_pairings; p++)
        if (pairing_is_single(run, p))
            return error_invalid(error, "turf-mpi cannot play bots and clocks; 'turf tournament "
                                        "--shard' spreads their games");
    if (has_plan)
        return true;
    char *json = plan_to_json(&run->plan);
    if (!json)
        return error_no_memory(error);
    send_to_all(TAG_PLAN, json, strlen(json));
    free(json);
    has_plan = true;
    return true;
}

const RemoteWorkers ranks_workers = {begin, play};

void ranks_dismiss(void)
{
    send_to_all(TAG_EXIT, NULL, 0);
    n_ranks = 1;
}
