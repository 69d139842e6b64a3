/* The other ranks: they get the plan, then orders, and send back what they played. */
#include "mpi/ranks.h"

#include "base/error.h"
#include "mpi/wire.h"

#include <stdlib.h>
#include <time.h>

typedef struct Servant {
    Plan         plan;
    TurfPlayer **players;
    atomic_bool  is_stopped;
} Servant;

static void forget_plan(Servant *servant)
{
    for (size_t i = 0; servant->players && i < servant->plan.n_entrants; i++)
        turf_player_free(servant->players[i]);
    free(servant->players);
    servant->players = NULL;
    plan_release(&servant->plan);
}

/* What is wrong with the plan shows when the first order comes. */
static void learn_plan(Servant *servant, const char *json, TurfError *error)
{
    forget_plan(servant);
    *error = (TurfError){0};
    if (!plan_from_json(&servant->plan, json, error))
        return;
    servant->players = calloc(servant->plan.n_entrants + 1, sizeof(TurfPlayer *));
    for (size_t i = 0; servant->players && i < servant->plan.n_entrants; i++)
        if (!(servant->players[i] = plan_open_player(&servant->plan, i, servant->players, error)))
            return;
    if (!servant->players)
        error_no_memory(error);
}

static bool send_part(void *context, BatchResult *result)
{
    Servant    *servant = context;
    PlayedBatch played = {result->games, {result->totals[0], result->totals[1]}};
    MPI_Status  status;
    int         is_there = 0;
    batch_result_free(result);
    MPI_Send(&played, sizeof played, MPI_BYTE, 0, TAG_RESULT, MPI_COMM_WORLD);
    MPI_Iprobe(0, TAG_STOP, MPI_COMM_WORLD, &is_there, &status);
    if (is_there)
        atomic_store(&servant->is_stopped, true);
    return !is_there;
}

/* Plays an order. The pairing has the number 0 here, and its own in what is sent. */
typedef struct Errand {
    Servant *servant;
    size_t   pairing;
} Errand;

static bool send_numbered(void *context, BatchResult *result)
{
    Errand *errand = context;
    result->games.pairing = errand->pairing;
    return send_part(errand->servant, result);
}

static void carry_out(Servant *servant, const WorkOrder *order, TurfError *error)
{
    const Plan *plan = &servant->plan;
    Errand      errand = {servant, order->games.pairing};
    TurfPairing pairing = {
        .players = {servant->players[order->first], servant->players[order->second]},
        .n_games = order->n_games,
        .swap_sides = order->swaps_sides};
    BatchContext batch_context = {.game = plan->game,
                                  .pairings = &pairing,
                                  .n_pairings = 1,
                                  .seed = plan->seed,
                                  .time_ms = (int64_t)plan->time_ms,
                                  .move_cap_ms = (int64_t)plan->move_cap_ms,
                                  .stop = &servant->is_stopped,
                                  .receive = send_numbered,
                                  .context = &errand};
    if (!batch_context_init(&batch_context, (const char *const *)plan->starts, plan->n_starts,
                            error))
        return;
    if (batch_play(&batch_context, (GameRange){0, order->games.first, order->games.n}, error))
        *error = (TurfError){0};
    batch_context_release(&batch_context);
}

static void answer(Servant *servant, const MPI_Status *status, TurfError *plan_error)
{
    WorkOrder order;
    TurfError error = *plan_error;
    int       length = 0;
    char     *text;
    switch (status->MPI_TAG) {
    case TAG_PLAN:
        MPI_Get_count(status, MPI_CHAR, &length);
        text = calloc((size_t)length + 1, 1);
        if (!text)
            MPI_Abort(MPI_COMM_WORLD, 2);
        MPI_Recv(text, length, MPI_CHAR, 0, TAG_PLAN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        learn_plan(servant, text, plan_error);
        free(text);
        break;
    case TAG_WORK:
        MPI_Recv(&order, sizeof order, MPI_BYTE, 0, TAG_WORK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!error.code && !atomic_load(&servant->is_stopped))
            carry_out(servant, &order, &error);
        MPI_Send(&error, sizeof error, MPI_BYTE, 0, TAG_DONE, MPI_COMM_WORLD);
        break;
    default:
        MPI_Recv(NULL, 0, MPI_BYTE, 0, status->MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        atomic_store(&servant->is_stopped, true);
    }
}

void ranks_serve(void)
{
    Servant    servant = {.players = NULL};
    TurfError  plan_error = {0};
    MPI_Status status;
    do {
        while (!wire_has_message(&status))
            nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
        answer(&servant, &status, &plan_error);
    } while (status.MPI_TAG != TAG_HOME);
    forget_plan(&servant);
}
