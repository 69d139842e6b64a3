/* Exact solver for Amoeba Wars and its family: MTD(f) over the tests of amoeba_search.c.
 *
 * Threads: all test the root, with the same window; the first that settles it stops the others. */
#include "search/amoeba_solver.h"

#include "base/clock.h"
#include "base/error.h"
#include "search/amoeba_search.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* All that a call of as_solver_solve works with. */
typedef struct Search {
    AsSolver   *solver;
    AsWorker   *workers;
    pthread_t  *threads;
    atomic_bool halt;
    AsNode      node; /* now at the root */
    unsigned    side;
    int         moves_left;
    AsFact      best; /* its best turn so far */
} Search;

/* One test of the root by so many threads; false if a limit was reached. */
static bool test_by(Search *search, int n_threads, int beta, int *value)
{
    int n_started = 1;
    atomic_store(&search->halt, false);
    memset((void *)search->solver->busy, 0, sizeof search->solver->busy);
    for (int i = 0; i < n_threads; i++) {
        AsWorker *worker = &search->workers[i];
        worker->root = &search->node;
        worker->side = search->side;
        worker->moves_left = search->moves_left;
        worker->beta = beta;
        worker->best = search->best;
    }
    while (n_started < n_threads && pthread_create(&search->threads[n_started], NULL, as_test_root,
                                                   &search->workers[n_started]) == 0)
        n_started++;
    as_test_root(&search->workers[0]);
    for (int i = 1; i < n_started; i++)
        pthread_join(search->threads[i], NULL);
    for (int i = 0; i < n_started; i++)
        if (!search->workers[i].is_aborted) {
            *value = search->workers[i].value;
            search->best = search->workers[i].best;
            return true;
        }
    return false;
}

static uint64_t count_nodes(const Search *search)
{
    uint64_t nodes = 0;
    for (int i = 0; i < search->solver->n_threads; i++)
        nodes += search->workers[i].nodes;
    return nodes;
}

/* MTD(f): tests until the bounds of the root's gain meet; false if a limit was reached. `lead` is
 * what the mover has already. */
static bool close_bounds(Search *search, int lead, const AsOptions *options, AsBounds *bounds)
{
    int guess = -lead;
    while (bounds->lower < bounds->upper) {
        int value, beta = guess <= bounds->lower ? bounds->lower + 1 : guess;
        beta = beta > bounds->upper ? bounds->upper : beta;
        if (!test_by(search, search->solver->n_threads, beta, &value))
            return false;
        if (value >= beta)
            bounds->lower = value;
        else
            bounds->upper = value;
        guess = value >= beta ? value + 1 : value;
        AsProgress progress = {bounds->lower + lead, bounds->upper + lead, count_nodes(search)};
        if (options->progress)
            options->progress(options->context, &progress);
    }
    return true;
}

/* Plays the best turn of the root onto the line; false when the game is over. */
static bool play_best(Search *search, AsSolution *solution, int *value)
{
    const AsBoard *board = &search->solver->board;
    int            gain = 0;
    for (int i = 0; i < search->best.n_best && solution->line_length < AS_MAX_LINE; i++) {
        int cell = search->best.best[i];
        gain += as_play(board, &search->node, UINT64_C(1) << cell);
        solution->line[solution->line_length++] =
            aw_move(cell / board->columns, cell % board->columns);
    }
    bool is_whole = search->best.n_best == search->moves_left;
    search->node = as_turned(&search->node);
    search->side ^= 1;
    search->moves_left = board->steps;
    search->best = (AsFact){0};
    *value = board->is_stuck_lost ? -*value : gain - *value;
    return is_whole && as_reach(board, &search->node) != 0;
}

/* A best line, by a test of each of its turns that must succeed. */
static void find_line(Search *search, int value, bool is_first_turn_only, AsSolution *solution)
{
    for (bool goes_on = true; goes_on; goes_on = play_best(search, solution, &value)) {
        int reached;
        if ((solution->line_length > 0 && is_first_turn_only) ||
            !test_by(search, 1, value, &reached))
            return;
    }
}

/* ---- the solver --------------------------------------------------------------------------- */

bool as_solver_takes(const AwState *state, TurfError *error)
{
    const AwHeader *header = &state->header;
    if (aw_is_small(state))
        return true;
    return error_invalid(error,
                         "boards of up to 8x8 can be solved, and this one is %dx%d; try "
                         "--size 5",
                         header->rows, header->columns);
}

int as_n_open(const AwState *state)
{
    const AwHeader *header = &state->header;
    return header->rows * header->columns - header->n_live[0] - header->n_live[1] -
           header->n_killed[0] - header->n_killed[1];
}

int as_reach_in_time(int64_t time_ms)
{
    int     n_open = 11;
    int64_t needed_us = 3000;
    for (; n_open < AS_MAX_CELLS && needed_us * 18 / 10 <= time_ms * 1000; n_open++)
        needed_us = needed_us * 18 / 10;
    return n_open;
}

AsSolver *as_solver_new(size_t hash_bytes, int n_threads)
{
    AsSolver *solver = calloc(1, sizeof *solver);
    if (solver && !as_table_init(&solver->table, hash_bytes)) {
        free(solver);
        return NULL;
    }
    if (solver)
        solver->n_threads = n_threads;
    return solver;
}

void as_solver_free(AsSolver *solver)
{
    if (solver)
        as_table_free(&solver->table);
    free(solver);
}

void as_solver_forget(AsSolver *solver) { as_table_clear(&solver->table); }

/* The words of a small board, whose rows are eight cells apart, without gaps. */
static uint64_t packed(const AwHeader *header, uint64_t set)
{
    uint64_t cells = 0;
    for (int row = 0; row < header->rows; row++)
        cells |= (set >> 8 * row & ((UINT64_C(1) << header->columns) - 1)) << header->columns * row;
    return cells;
}

static void prepare(AsSolver *solver, const AwHeader *header)
{
    AsBoard *board = &solver->board;
    bool     has_chains = header->rules & AW_CHAINS, is_stuck_lost = header->rules & AW_STUCK;
    if (solver->is_prepared && board->rows == header->rows && board->columns == header->columns &&
        board->steps == header->steps && board->has_chains == has_chains &&
        board->is_stuck_lost == is_stuck_lost)
        return;
    as_board_init(board, header->rows, header->columns);
    board->steps = header->steps;
    board->has_chains = has_chains;
    board->is_stuck_lost = is_stuck_lost;
    if (solver->is_prepared)
        as_table_clear(&solver->table);
    solver->is_prepared = true;
}

static AsNode node_of(const AwSmall *state)
{
    const AwHeader *header = &state->header;
    unsigned        side = header->to_move;
    uint64_t        taken = state->live[0][0] | state->live[1][0] | state->shaded[0];
    AsNode          node = {.own = packed(header, state->live[side][0]),
                            .enemy = packed(header, state->live[side ^ 1][0]),
                            .open = packed(header, state->board & ~taken)};
    if (header->rules & AW_CHAINS) {
        node.own_kills = packed(header, aw_small_kills(state, side, 0));
        node.enemy_kills = packed(header, aw_small_kills(state, side ^ 1, 0));
    }
    return node;
}

static void solve(Search *search, int lead, const AsOptions *options, AsSolution *solution)
{
    const AsBoard *board = &search->solver->board;
    const AsNode  *node = &search->node;
    int            n_open = bits_count(node->open);
    AsBounds       bounds = {.lower = -n_open - 2 * bits_count(node->own),
                             .upper = n_open + 2 * bits_count(node->enemy)};
    if (board->is_stuck_lost)
        bounds = (AsBounds){-1, 1};
    if (as_reach(board, &search->node) == 0)
        bounds.lower = bounds.upper = as_value_when_stuck(board, 0);
    solution->is_exact = close_bounds(search, lead, options, &bounds);
    solution->lower = bounds.lower + lead;
    solution->upper = bounds.upper + lead;
    if (as_reach(board, &search->node) == 0)
        return;
    if (solution->is_exact)
        find_line(search, bounds.lower, options->skip_line, solution);
    else if (search->best.n_best > 0)
        (void)play_best(search, solution, &bounds.lower);
}

bool as_solver_solve(AsSolver *solver, const AwState *state, const AsOptions *given,
                     AsSolution *solution)
{
    static const AsOptions none = {0};
    const AsOptions       *options = given ? given : &none;
    const AwSmall         *small = &state->small;
    int64_t                begin_ns = clock_ns();
    size_t                 n_threads = (size_t)solver->n_threads;
    Search                 search = {.solver = solver,
                                     .workers = calloc(n_threads, sizeof *search.workers),
                                     .threads = calloc(n_threads, sizeof *search.threads),
                                     .side = small->header.to_move,
                                     .moves_left = small->header.moves_left,
                                     .node = node_of(small)};
    int                    lead = small->header.rules & AW_STUCK
                                      ? 0
                                      : aw_lead(&small->header, (TurfSide)small->header.to_move);
    bool                   has_memory = true;
    memset(solution, 0, sizeof *solution);
    solution->lower = -AS_MAX_VALUE;
    solution->upper = AS_MAX_VALUE;
    if (search.workers && search.threads) {
        prepare(solver, &small->header);
        for (size_t i = 0; i < n_threads; i++) {
            search.workers[i].solver = solver;
            search.workers[i].options = options;
            search.workers[i].halt = &search.halt;
            search.workers[i].children = malloc(AS_MAX_CHILDREN * sizeof(AsChild));
            has_memory &= search.workers[i].children != NULL;
        }
        if (has_memory)
            solve(&search, lead, options, solution);
        solution->nodes = count_nodes(&search);
    }
    solution->seconds = clock_seconds_since(begin_ns);
    for (size_t i = 0; search.workers && i < n_threads; i++)
        free(search.workers[i].children);
    free(search.workers);
    free(search.threads);
    return solution->is_exact;
}
