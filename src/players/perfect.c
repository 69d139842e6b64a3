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

/* How many empty squares can surely be solved in a time. One square more takes about 2.3 times as long, and 16
 * take 45 ms on average on one core (turf bench); the hardest take twice that. */
static int within_reach(int64_t time_ms)
{
    int     n_empty = 12;
    int64_t needed_us = 4000;
    for (; n_empty < SW_SQUARES && needed_us * 23 / 10 <= time_ms * 1000; n_empty++)
        needed_us = needed_us * 23 / 10;
    return n_empty;
}

/* All squares that keep the value, each proved. */
static void find_all(SwSolver *solver, const SwPosition *position, const SwSolveOptions *options, int value,
                     Verdict *verdict, TurfMove *moves)
{
    verdict->n_moves = 0;
    for (uint32_t left = sw_empty(&position->board); left; left &= left - 1) {
        SwState    child = position->board;
        SwSolution solution;
        sw_apply(&child, sw_lowest(left));
        if (sw_solver_solve(solver, &position->values, &child, options, &solution) && -solution.lower == value)
            moves[verdict->n_moves++] = (TurfMove)sw_lowest(left);
    }
}

Verdict perfect_judge(const TurfPlayer *player, const void *state, bool want_all, const Thinking *thinking,
                      TurfMove *moves)
{
    const SwPosition *position = state;
    int64_t           now_ns = clock_ns(), time_ns = player->options.time_ms * 1000000;
    bool              is_far = sw_count(sw_empty(&position->board)) > within_reach(player->options.time_ms);
    SwSolveOptions    options = {.stop = thinking->stop};
    SwSolution        solution;

    /* A tenth of the time for a good move, in case the rest does not suffice for the best; or all of it, if it
     * certainly does not. */
    options.deadline_ns = now_ns + (is_far ? time_ns : time_ns / 10);
    Verdict verdict = {.n_moves = 1, .has_value = true};
    moves[0] =
        (TurfMove)sw_solver_advise(player->memory, &position->values, &position->board, &options, &verdict.value);
    if (is_far)
        return verdict;

    /* Who wants all the best moves wants them proved, and waits for it. */
    options.deadline_ns = want_all ? 0 : now_ns + time_ns;
    if (!sw_solver_solve(player->memory, &position->values, &position->board, &options, &solution))
        return verdict;
    verdict.value = solution.lower;
    moves[0] = (TurfMove)solution.best_square;
    if (want_all)
        find_all(player->memory, position, &options, solution.lower, &verdict, moves);
    return verdict;
}
