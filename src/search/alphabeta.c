/* The driver of the alpha-beta search: iterative deepening until a limit is reached.
 *
 * Threads: lazy SMP. Helper threads search the same root and share nothing but the transposition
 * table and the `halt` flag. Only the first thread polls the limits and writes the result. */
#include "search/alphabeta.h"

#include "base/clock.h"
#include "base/cpu.h"
#include "games/amoeba_wars.h"
#include "games/squirrel_war.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- choosing an instance ----------------------------------------------------------------- */

extern const AbGame ab_wol_portable, ab_wol_net_portable, ab_aw_portable, ab_aw_net_portable,
    ab_squirrel;
#ifdef TURF_X86_KERNELS
extern const AbGame ab_wol_v3, ab_wol_net_v3, ab_aw_v3, ab_aw_net_v3;
#endif

const AbGame *ab_game_for(const TurfGame *game, const void *state)
{
    bool is_small_amoeba = game == &amoeba_wars && state && aw_is_small(state);
#ifdef TURF_X86_KERNELS
    if (game == &war_of_life && cpu_has_v3())
        return &ab_wol_v3;
    if (is_small_amoeba && cpu_has_v3())
        return &ab_aw_v3;
#endif
    if (game == &war_of_life)
        return &ab_wol_portable;
    if (is_small_amoeba)
        return &ab_aw_portable;
    if (game == &squirrel_war && (!state || sw_is_five(state)))
        return &ab_squirrel;
    return &ab_table;
}

/* The network of Amoeba Wars has learned the default rules on 8x8. */
static bool is_for_network(const AwHeader *header)
{
    return header->rows == AW_SMALL_SIZE && header->columns == AW_SMALL_SIZE &&
           aw_has_default_rules(header);
}

const AbGame *ab_game_with_network(const TurfGame *game, const void *state)
{
    bool is_wol = game == &war_of_life;
    bool is_aw = game == &amoeba_wars && is_for_network(&((const AwState *)state)->header);
#ifdef TURF_X86_KERNELS
    if (is_wol && cpu_has_v3())
        return &ab_wol_net_v3;
    if (is_aw && cpu_has_v3())
        return &ab_aw_net_v3;
#endif
    if (is_wol)
        return &ab_wol_net_portable;
    return is_aw ? &ab_aw_net_portable : NULL;
}

/* ---- limits ------------------------------------------------------------------------------- */

bool ab_should_stop(AbWorker *worker)
{
    enum { POLL_NODES = 1024 };
    const AbPlan *plan = worker->plan;
    worker->next_poll = worker->nodes + POLL_NODES;
    if (plan->nodes && worker->next_poll > plan->nodes)
        worker->next_poll = plan->nodes;
    if (!worker->may_abort)
        return false;
    if (worker->is_first_thread &&
        ((plan->nodes && worker->nodes >= plan->nodes) ||
         (plan->deadline_ns && clock_ns() >= plan->deadline_ns) ||
         (plan->stop && atomic_load_explicit(plan->stop, memory_order_relaxed))))
        atomic_store_explicit(worker->halt, true, memory_order_relaxed);
    worker->is_aborted = atomic_load_explicit(worker->halt, memory_order_relaxed);
    return worker->is_aborted;
}

/* ---- iterative deepening ------------------------------------------------------------------ */

static bool comes_before(const AbMove *a, const AbMove *b)
{
    if (a->is_exact != b->is_exact)
        return a->is_exact;
    return a->is_exact && (a->value > b->value || (a->value == b->value && a->move < b->move));
}

/* Insertion sort: stable, and the moves are nearly sorted already. */
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

typedef struct SearchThread {
    AbWorker      worker;
    const AbGame *how;
    AbResult     *result; /* NULL for helper threads */
    pthread_t     thread;
    int           first_depth, max_depth;
} SearchThread;

static void save_result(const AbWorker *worker, int depth, AbResult *result)
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
    result->pv_length = worker->pv_length[0];
    memcpy(result->pv, worker->pv[0], (size_t)result->pv_length * sizeof *result->pv);
}

/* Would a deeper iteration change nothing, or take too long? */
static bool is_finished(const SearchThread *thread)
{
    const AbPlan *plan = thread->worker.plan;
    int           value = thread->worker.best_value;
    if (plan->depth > 0)
        return false;
    return value >= GAME_DECIDED || value <= -GAME_DECIDED || thread->worker.n_moves == 1 ||
           (plan->enough_ns && clock_ns() >= plan->enough_ns);
}

static void *deepen(void *argument)
{
    SearchThread *thread = argument;
    AbWorker     *worker = &thread->worker;
    for (int depth = thread->first_depth; depth <= thread->max_depth; depth++) {
        worker->pv_length[0] = 0;
        thread->how->search_root(worker, depth);
        /* An aborted iteration is usable, since it began with the best move of the last one; not
         * so for multi-PV, where values of different depths cannot be compared. */
        bool is_useful =
            worker->pv_length[0] > 0 && (!worker->is_aborted || worker->plan->multi_pv == 1);
        if (thread->result && is_useful)
            save_result(worker, depth, thread->result);
        if (worker->is_aborted || is_finished(thread))
            break;
        worker->may_abort = true;
    }
    return NULL;
}

/* Starts the helper threads; every other one is an iteration ahead. */
static size_t start_helpers(SearchThread *helpers, size_t n_helpers, const SearchThread *first)
{
    size_t n_started = 0;
    for (; n_started < n_helpers; n_started++) {
        SearchThread *helper = &helpers[n_started];
        *helper = *first;
        helper->result = NULL;
        helper->worker.is_first_thread = false;
        helper->worker.may_abort = true;
        helper->first_depth = 1 + (n_started % 2 == 0);
        if (pthread_create(&helper->thread, NULL, deepen, helper))
            break; /* go on with fewer threads */
    }
    return n_started;
}

void ab_search(const AbGame *how, const TurfGame *game, const void *state, const AbPlan *plan,
               TtTable *table, AbResult *result)
{
    atomic_bool  halt = false;
    SearchThread first = {.how = how,
                          .result = result,
                          .first_depth = 1,
                          .max_depth = plan->depth ? plan->depth : AB_MAX_DEPTH - 1};
    AbWorker    *worker = &first.worker;
    *worker = (AbWorker){.game = game,
                         .plan = plan,
                         .without = plan->without,
                         .network = plan->network,
                         .table = table,
                         .root_state = state,
                         .halt = &halt,
                         .is_first_thread = true,
                         .is_selective = plan->depth == 0};
    TurfMove moves[TURF_MAX_MOVES];
    worker->n_moves = game->moves(state, moves);
    for (size_t i = 0; i < worker->n_moves; i++)
        worker->moves[i] = (AbMove){.move = moves[i]};
    tt_clear(table);

    size_t        n_helpers = plan->n_threads > 1 ? (size_t)plan->n_threads - 1 : 0;
    SearchThread *helpers = n_helpers ? calloc(n_helpers, sizeof *helpers) : NULL;
    size_t        n_started = helpers ? start_helpers(helpers, n_helpers, &first) : 0;
    deepen(&first);
    atomic_store(&halt, true);
    result->nodes = worker->nodes;
    for (size_t i = 0; i < n_started; i++) {
        pthread_join(helpers[i].thread, NULL);
        result->nodes += helpers[i].worker.nodes;
    }
    free(helpers);
}
