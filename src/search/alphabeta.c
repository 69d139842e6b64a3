/* Ever deeper, with threads, until a limit is reached; and the choice among the ways to search. */
#include "search/alphabeta.h"

#include "base/clock.h"
#include "base/cpu.h"
#include "games/amoeba_wars.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- the choice --------------------------------------------------------------------------- */

extern const AbGame ab_wol_portable, ab_aw_portable, ab_squirrel;
#ifdef TURF_X86_KERNELS
extern const AbGame ab_wol_v3, ab_aw_v3;
#endif

const AbGame *ab_game_for(const TurfGame *game, const void *state)
{
    bool is_small_amoeba = game == &amoeba_wars && state && aw_is_small(state);
#ifdef TURF_X86_KERNELS
    if (cpu_has_v3() && (game == &war_of_life || is_small_amoeba))
        return is_small_amoeba ? &ab_aw_v3 : &ab_wol_v3;
#endif
    if (game == &war_of_life)
        return &ab_wol_portable;
    return is_small_amoeba ? &ab_aw_portable : game == &squirrel_war ? &ab_squirrel : &ab_table;
}

/* ---- limits ------------------------------------------------------------------------------- */

bool ab_must_give_up(AbWorker *worker)
{
    enum { LOOK_EVERY = 1024 };
    const AbPlan *plan = worker->plan;
    worker->next_look = worker->nodes + LOOK_EVERY;
    if (plan->nodes && worker->next_look > plan->nodes)
        worker->next_look = plan->nodes;
    if (!worker->may_give_up)
        return false;
    if (worker->is_first_thread &&
        ((plan->nodes && worker->nodes >= plan->nodes) ||
         (plan->deadline_ns && clock_ns() >= plan->deadline_ns) ||
         (plan->stop && atomic_load_explicit(plan->stop, memory_order_relaxed))))
        atomic_store_explicit(worker->halt, true, memory_order_relaxed);
    worker->is_given_up = atomic_load_explicit(worker->halt, memory_order_relaxed);
    return worker->is_given_up;
}

/* ---- deeper and deeper -------------------------------------------------------------------- */

static bool comes_before(const AbMove *a, const AbMove *b)
{
    if (a->is_exact != b->is_exact)
        return a->is_exact;
    return a->is_exact && (a->value > b->value || (a->value == b->value && a->move < b->move));
}

/* By insertion: it is stable, and nearly everything is in its place already. */
void ab_sort_root(AbWorker *worker)
{
    for (size_t i = 1; i < worker->n_moves; i++) {
        AbMove moved = worker->moves[i];
        size_t at = i;
        for (; at > 0 && comes_before(&moved, &worker->moves[at - 1]); at--)
            worker->moves[at] = worker->moves[at - 1];
        worker->moves[at] = moved;
    }
}

typedef struct Deepening {
    AbWorker      worker;
    const AbGame *how;
    AbResult     *result; /* of the first thread */
    pthread_t     thread;
    int           first_depth, deepest;
} Deepening;

static void keep_result(const AbWorker *worker, int depth, AbResult *result)
{
    result->value = worker->best_value;
    result->depth = depth;
    result->n_moves = worker->n_moves;
    memcpy(result->moves, worker->moves, worker->n_moves * sizeof *result->moves);
    result->n_best = 1;
    while (worker->plan->want_all && result->n_best < worker->n_moves &&
           result->moves[result->n_best].is_exact &&
           result->moves[result->n_best].value == result->value)
        result->n_best++;
    result->n_line = worker->n_line[0];
    memcpy(result->line, worker->lines[0], (size_t)result->n_line * sizeof *result->line);
}

/* Is there nothing more to find out? */
static bool is_settled(const Deepening *deepening)
{
    const AbPlan *plan = deepening->worker.plan;
    int           value = deepening->worker.best_value;
    if (plan->depth > 0)
        return false;
    return value >= GAME_DECIDED || value <= -GAME_DECIDED || deepening->worker.n_moves == 1 ||
           (plan->enough_ns && clock_ns() >= plan->enough_ns);
}

static void *deepen(void *argument)
{
    Deepening *deepening = argument;
    AbWorker  *worker = &deepening->worker;
    for (int depth = deepening->first_depth; depth <= deepening->deepest; depth++) {
        worker->n_line[0] = 0;
        deepening->how->search_root(worker, depth);
        /* A depth that was given up counts as far as it got, since its first move was the best of
         * the last depth; but who wants several lines wants to compare them. */
        bool is_useful =
            worker->n_line[0] > 0 && (!worker->is_given_up || worker->plan->n_lines == 1);
        if (deepening->result && is_useful)
            keep_result(worker, depth, deepening->result);
        if (worker->is_given_up || is_settled(deepening))
            break;
        worker->may_give_up = true;
    }
    return NULL;
}

/* The other threads search the same position, every other one a move deeper, and leave what they
 * find in the table. */
static size_t start_helpers(Deepening *helpers, size_t n_helpers, const Deepening *first)
{
    size_t n_started = 0;
    for (; n_started < n_helpers; n_started++) {
        Deepening *helper = &helpers[n_started];
        *helper = *first;
        helper->result = NULL;
        helper->worker.is_first_thread = false;
        helper->worker.may_give_up = true;
        helper->first_depth = 1 + (n_started % 2 == 0);
        if (pthread_create(&helper->thread, NULL, deepen, helper))
            break; /* the others do its work */
    }
    return n_started;
}

void ab_search(const AbGame *how, const TurfGame *game, const void *state, const AbPlan *plan,
               TtTable *table, AbResult *result)
{
    atomic_bool halt = false;
    Deepening   first = {.how = how,
                         .result = result,
                         .first_depth = 1,
                         .deepest = plan->depth ? plan->depth : AB_DEEPEST - 1};
    AbWorker   *worker = &first.worker;
    *worker = (AbWorker){.game = game,
                         .plan = plan,
                         .without = plan->without,
                         .table = table,
                         .root_state = state,
                         .halt = &halt,
                         .is_first_thread = true,
                         .is_selective = plan->depth == 0};
    TurfMove moves[TURF_MAX_MOVES];
    worker->n_moves = game->moves(state, moves);
    for (size_t i = 0; i < worker->n_moves; i++)
        worker->moves[i] = (AbMove){.move = moves[i]};
    tt_forget(table);

    size_t     n_helpers = plan->n_threads > 1 ? (size_t)plan->n_threads - 1 : 0;
    Deepening *helpers = n_helpers ? calloc(n_helpers, sizeof *helpers) : NULL;
    size_t     n_started = helpers ? start_helpers(helpers, n_helpers, &first) : 0;
    deepen(&first);
    atomic_store(&halt, true);
    result->nodes = worker->nodes;
    for (size_t i = 0; i < n_started; i++) {
        pthread_join(helpers[i].thread, NULL);
        result->nodes += helpers[i].worker.nodes;
    }
    free(helpers);
}
