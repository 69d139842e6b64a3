/* The ranks above 0: they receive the plan, then work orders, and send back what they played. */
#include "mpi/ranks.h"

#include "base/error.h"

#include <stdlib.h>
#include <time.h>

enum { POLL_NS = 200000 };

typedef struct RankWorker {
    Plan        plan;
    TurfError   plan_error; /* sent in answer to every order */
    atomic_bool is_stopped;
    size_t      pairing; /* of the order, as rank 0 numbers it; here its number is 0 */
} RankWorker;

static bool send_result(void *context, BatchResult *result)
{
    RankWorker *worker = context;
    WorkResult  sent = {result->games, {result->totals[0], result->totals[1]}};
    MPI_Status  status;
    int         is_there = 0;
    sent.games.pairing = worker->pairing;
    batch_result_free(result);
    MPI_Send(&sent, sizeof sent, MPI_BYTE, 0, TAG_RESULT, MPI_COMM_WORLD);
    MPI_Iprobe(0, TAG_STOP, MPI_COMM_WORLD, &is_there, &status);
    if (is_there)
        atomic_store(&worker->is_stopped, true);
    return !is_there;
}

static bool play_order(RankWorker *worker, const WorkOrder *order, TurfError *error)
{
    TurfPairing pairing = {
        .players = {worker->plan.players[order->first], worker->plan.players[order->second]},
        .n_games = order->n_games,
        .swap_sides = order->swaps_sides};
    Run          run = {.plan = worker->plan, .pairings = &pairing, .n_pairings = 1};
    BatchContext context = {
        .run = &run, .stop = &worker->is_stopped, .deliver = send_result, .context = worker};
    worker->pairing = order->games.pairing;
    if (!batch_context_init(&context, error))
        return false;
    bool is_good = batch_play(&context, (GameRange){0, order->games.first, order->games.n}, error);
    batch_context_release(&context);
    return is_good;
}

static void receive_plan(RankWorker *worker, const MPI_Status *status)
{
    int length = 0;
    MPI_Get_count(status, MPI_CHAR, &length);
    char *text = calloc((size_t)length + 1, 1);
    if (!text)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Recv(text, length, MPI_CHAR, 0, TAG_PLAN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    plan_release(&worker->plan);
    if (plan_from_json(&worker->plan, text, &worker->plan_error) &&
        plan_open_players(&worker->plan, &worker->plan_error))
        worker->plan_error = (TurfError){0};
    free(text);
}

static void receive_order(RankWorker *worker)
{
    WorkOrder order;
    TurfError error = worker->plan_error;
    MPI_Recv(&order, sizeof order, MPI_BYTE, 0, TAG_WORK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!error.code && !atomic_load(&worker->is_stopped) && play_order(worker, &order, &error))
        error = (TurfError){0};
    MPI_Send(&error, sizeof error, MPI_BYTE, 0, TAG_DONE, MPI_COMM_WORLD);
}

void rank_work(void)
{
    RankWorker worker = {.pairing = 0};
    MPI_Status status;
    do {
        while (!ranks_have_message(&status))
            nanosleep(&(struct timespec){.tv_nsec = POLL_NS}, NULL);
        if (status.MPI_TAG == TAG_PLAN) {
            receive_plan(&worker, &status);
        } else if (status.MPI_TAG == TAG_WORK) {
            receive_order(&worker);
        } else { /* TAG_STOP or TAG_EXIT */
            MPI_Recv(NULL, 0, MPI_BYTE, 0, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            atomic_store(&worker.is_stopped, true);
        }
    } while (status.MPI_TAG != TAG_EXIT);
    plan_release(&worker.plan);
}
