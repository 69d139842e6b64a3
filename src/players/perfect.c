/* SquirrelWar's perfect player: exact as soon as the rest of the game can be solved in its time. */
#include "players/perfect.h"

#include "base/clock.h"
#include "base/error.h"
#include "games/squirrel_war.h"
#include "search/squirrel_solver.h"

bool perfect_open(TurfPlayer *player, TurfError *error)
{
    player->memory = sw_solver_new((size_t)player->options.hash_mib << 20, (int)player->options.n_threads);
    return player->memory || error_set(error, "there is no memory for a table of %lld MiB; try hash=16",
                                       (long long)player->options.hash_mib);
}

void perfect_close(TurfPlayer *player) { sw_solver_free(player->memory); }

/* How many empty squares can be solved in a time. One square more takes about three times as long, and
 * 16 take about 60 ms on one core (turf bench). */
static int within_reach(int64_t time_ms)
{
    int n_empty = 16;
    for (int64_t needed_ms = 180; needed_ms <= time_ms; needed_ms *= 3)
        n_empty++;
    return n_empty;
}

/* All squares that keep the value, each proved; false if the time did not suffice. */
static bool find_all(SwSolver *solver, const SwPosition *position, const SwSolveOptions *options, int value,
                     Verdict *verdict, TurfMove *moves)
{
    verdict->n_moves = 0;
    for (uint32_t left = sw_empty(&position->board); left; left &= left - 1) {
        SwState    child = position->board;
        SwSolution solution;
        sw_apply(&child, sw_lowest(left));
        if (!sw_solver_solve(solver, &position->values, &child, options, &solution))
            return false;
        if (-solution.lower == value)
            moves[verdict->n_moves++] = (TurfMove)sw_lowest(left);
    }
    return true;
}

Verdict perfect_judge(const TurfPlayer *player, const void *state, bool want_all, const Thinking *thinking,
                      TurfMove *moves)
{
    const SwPosition *position = state;
    int64_t           deadline_ns = clock_ns() + player->options.time_ms * 1000000;
    SwSolveOptions    options = {.stop = thinking->stop, .deadline_ns = deadline_ns};
    SwSolution        solution;
    if (sw_count(sw_empty(&position->board)) > within_reach(player->options.time_ms))
        return player_deepen(player, state, want_all, thinking, deadline_ns, moves);

    bool    is_exact = sw_solver_solve(player->memory, &position->values, &position->board, &options, &solution);
    Verdict verdict = {.n_moves = 1, .has_value = is_exact, .value = solution.lower};
    if (want_all && is_exact && find_all(player->memory, position, &options, solution.lower, &verdict, moves))
        return verdict;
    verdict.n_moves = 1;
    moves[0] = (TurfMove)solution.best_square;
    return verdict;
}
