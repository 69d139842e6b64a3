/* The perfect player: exact as soon as the rest of the game can be solved in its time. Here is
 * SquirrelWar's; that of Amoeba Wars is in perfect_amoeba.c. perfect_exact_play lends the solver to
 * other players. */
#include "players/kinds.h"

#include "base/clock.h"
#include "base/error.h"
#include "games/squirrel_war.h"
#include "players/budget.h"
#include "search/alphabeta.h"
#include "search/squirrel_estimate.h"
#include "search/squirrel_solver.h"

#include <limits.h>

bool perfect_plays(const TurfGame *game) { return game == &squirrel_war || game == &amoeba_wars; }

bool perfect_open(TurfPlayer *player, TurfError *error)
{
    if (player->game == &amoeba_wars)
        return perfect_amoeba_open(player, error);
    player->memory =
        sw_solver_new((size_t)player->options.hash_mib << 20, (int)player->options.n_threads);
    return player->memory || error_set(error, TURF_ERROR_NO_MEMORY,
                                       "there is no memory for a table of %lld MiB; try hash=16",
                                       (long long)player->options.hash_mib);
}

void perfect_close(TurfPlayer *player)
{
    if (player->game == &amoeba_wars)
        perfect_amoeba_close(player);
    else
        sw_solver_free(player->memory);
}

/* Other sizes cannot be solved: there the end is out of reach. */
static int n_left(const void *state)
{
    if (!sw_is_five(state))
        return INT_MAX / 2;
    return sw_count(sw_empty(&((const SwPosition *)state)->board));
}

/* One square more takes about 2.3 times as long, and 16 take 45 ms on average on one core (./do
 * bench); the hardest take twice that. */
static int reach(int64_t time_ms)
{
    int     n_empty = 12;
    int64_t needed_us = 4000;
    for (; n_empty < SW_SQUARES && needed_us * 23 / 10 <= time_ms * 1000; n_empty++)
        needed_us = needed_us * 23 / 10;
    return n_empty;
}

/* The same for a number of nodes. */
static int reach_by_nodes(int64_t n_nodes)
{
    enum { MIN_EMPTY = 8, MAX_EMPTY = 20 };
    int     n_empty = MIN_EMPTY;
    int64_t needed = 400;
    for (; n_empty < MAX_EMPTY && needed * 23 / 10 <= n_nodes; n_empty++)
        needed = needed * 23 / 10;
    return n_empty;
}

/* All squares that keep the value, each by a proof. */
static size_t find_all(SwSolver *solver, const SwPosition *position, const SwSolveOptions *options,
                       int value, TurfMove *moves)
{
    size_t n_moves = 0;
    for (uint32_t left = sw_empty(&position->board); left; left &= left - 1) {
        SwState    child = position->board;
        SwSolution solution;
        sw_apply(&child, sw_lowest(left));
        if (sw_solver_solve(solver, &position->values, &child, options, &solution) &&
            -solution.lower == value)
            moves[n_moves++] = (TurfMove)sw_lowest(left);
    }
    return n_moves;
}

/* Inserts a move behind its equals, if it is among the best. */
static void rank(SearchInfo *info, SearchInfoMove move)
{
    size_t place = info->n_moves;
    while (place > 0 && info->moves[place - 1].value < move.value)
        place--;
    if (place == SEARCH_INFO_MOVES)
        return;
    info->n_moves += info->n_moves < SEARCH_INFO_MOVES;
    for (size_t i = info->n_moves - 1; i > place; i--)
        info->moves[i] = info->moves[i - 1];
    info->moves[place] = move;
}

/* The other moves as far as they can be solved in the time that is left. */
static void explain(SwSolver *solver, const SwPosition *position, const SwSolveOptions *options,
                    const SwSolution *solution, SearchInfo *info)
{
    uint32_t empty = sw_empty(&position->board),
             others = empty & ~(UINT32_C(1) << solution->best_square);
    *info = (SearchInfo){
        .unit = 1, .depth = sw_count(empty), .nodes = solution->nodes, .is_exact = true};
    rank(info, (SearchInfoMove){(TurfMove)solution->best_square, solution->lower});
    for (int i = 0; i < solution->pv_length; i++)
        info->line[info->n_line++] = (TurfMove)solution->pv[i];
    for (; others && (!options->deadline_ns || clock_ns() < options->deadline_ns);
         others &= others - 1) {
        SwState    child = position->board;
        SwSolution reply;
        sw_apply(&child, sw_lowest(others));
        if (sw_solver_solve(solver, &position->values, &child, options, &reply))
            rank(info, (SearchInfoMove){(TurfMove)sw_lowest(others), -reply.lower});
    }
}

static bool solve(void *solver, const void *state, bool want_all, const TurnContext *turn,
                  int64_t deadline_ns, Choice *choice, TurfMove *moves)
{
    const SwPosition *position = state;
    /* All best moves must be proved, however long it takes. */
    SwSolveOptions options = {.stop = turn->stop, .deadline_ns = want_all ? 0 : deadline_ns};
    SwSolution     solution;
    if (!sw_solver_solve(solver, &position->values, &position->board, &options, &solution))
        return false;
    *choice = (Choice){.n_moves = 1, .has_value = true, .value = solution.lower};
    moves[0] = (TurfMove)solution.best_square;
    options.skip_pv = true;
    if (want_all)
        choice->n_moves = find_all(solver, position, &options, solution.lower, moves);
    if (turn->info)
        explain(solver, position, &options, &solution, turn->info);
    return true;
}

/* Boards of other sizes than 5x5: a search, with a table that is made for it. */
static Choice search_only(const TurfPlayer *player, const void *state, const TurnContext *turn,
                          TurfMove *moves)
{
    Budget   budget = budget_for(player, turn);
    TtTable  table;
    AbResult found;
    AbPlan   plan = {.deadline_ns = budget.deadline_ns,
                     .enough_ns = budget.enough_ns,
                     .stop = turn->stop,
                     .n_threads = (int)player->options.n_threads,
                     .multi_pv = 1};
    if (!tt_init(&table, (size_t)player->options.hash_mib << 20)) {
        moves[0] = game_random_move(player->game, state, turn->rng);
        return (Choice){.n_moves = 1};
    }
    const AbGame *how = ab_game_for(player->game, state);
    ab_search(how, player->game, state, &plan, &table, &found);
    tt_release(&table);
    moves[0] = found.moves[0].move;
    if (turn->info)
        *turn->info = (SearchInfo){.unit = how->unit,
                                   .depth = found.depth,
                                   .nodes = found.nodes,
                                   .n_moves = 1,
                                   .moves = {{moves[0], found.value}},
                                   .n_line = 1,
                                   .line = {moves[0]}};
    return (Choice){.n_moves = 1, .has_value = true, .value = found.value / how->unit};
}

Choice perfect_choose_move(const TurfPlayer *player, const void *state, bool want_all,
                           const TurnContext *turn, TurfMove *moves)
{
    if (player->game == &amoeba_wars)
        return perfect_amoeba_choose(player, state, want_all, turn, moves);
    if (!sw_is_five(state))
        return search_only(player, state, turn, moves);
    const SwPosition *position = state;
    Budget            budget = budget_for(player, turn);
    int64_t           now_ns = clock_ns(), time_ns = budget.deadline_ns - now_ns;
    bool              is_far = n_left(position) > reach(time_ns / 1000000);
    Choice            choice = {.n_moves = 1, .has_value = true};

    /* First a tenth of the time for a good move, in case solving fails; or all of the time if
     * solving is out of reach. */
    SwSolveOptions options = {.stop = turn->stop,
                              .deadline_ns = now_ns + (is_far ? time_ns : time_ns / 10)};
    moves[0] =
        (TurfMove)sw_solver_advise(&position->values, &position->board, &options, &choice.value);
    if (turn->info)
        *turn->info = (SearchInfo){.unit = 1,
                                   .n_moves = 1,
                                   .moves = {{moves[0], choice.value}},
                                   .n_line = 1,
                                   .line = {moves[0]}};
    if (!is_far)
        (void)solve(player->memory, position, want_all, turn, budget.deadline_ns, &choice, moves);
    return choice;
}

/* ---- for other players -------------------------------------------------------------------- */

static void *solver_new(size_t n_bytes, int n_threads) { return sw_solver_new(n_bytes, n_threads); }

static void solver_free(void *solver) { sw_solver_free(solver); }

static bool find_win(void *solver, const void *state, const TurnContext *turn, int64_t deadline_ns,
                     TurfMove *move)
{
    const SwPosition *position = state;
    SwSolveOptions    limits = {.stop = turn->stop, .deadline_ns = deadline_ns};
    int square = sw_solver_winning_square(solver, &position->values, &position->board, &limits);
    if (square >= 0)
        *move = (TurfMove)square;
    return square >= 0;
}

const ExactPlay perfect_exact_play = {
    .solver_new = solver_new,
    .solver_free = solver_free,
    .always_solved = 16,
    .n_left = n_left,
    .reach = reach,
    .reach_by_nodes = reach_by_nodes,
    .solve = solve,
    .find_win = find_win,
    .without_opponent_model = SW_WITHOUT_OPPONENT_MODEL,
};
