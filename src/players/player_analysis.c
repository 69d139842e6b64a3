/* What a player saw, for programs: turf_player_analyse and turf_solve of turf.h. */
#include "players/player.h"

#include "base/clock.h"
#include "base/cpu.h"
#include "base/error.h"
#include "search/squirrel_solver.h"

#include <stdlib.h>
#include <string.h>

enum { PERCENT = 100, DEFAULT_HASH_MIB = 64, MAX_HASH_MIB = 1 << 20 };
enum { MAX_SOLVE_MS = 86400000, MAX_SOLVE_THREADS = 1024 };

_Static_assert(TURF_MAX_LINE >= (int)MAX_PV && TURF_MAX_LINE >= (int)SW_SQUARES,
               "every line fits a TurfAnalysis");

static double value_of(const SearchInfo *info, int value)
{
    return info->is_percent ? (double)value / PERCENT : (double)value / info->unit;
}

static int reward_of(const SearchInfo *info, int value)
{
    int won = info->is_exact ? 1 : GAME_DECIDED;
    if (info->is_percent)
        return 0;
    return (value >= won) - (value <= -won);
}

/* The most visited first; among equals the better one. */
static int by_visits(const void *a, const void *b)
{
    const TurfValuedMove *one = a, *two = b;
    if (one->n_visits != two->n_visits)
        return one->n_visits < two->n_visits ? 1 : -1;
    return (one->value < two->value) - (one->value > two->value);
}

static void take_moves(const SearchInfo *info, const SearchVisits *visits, TurfAnalysis *analysis)
{
    if (visits->n_moves > 0) {
        analysis->n_moves = visits->n_moves;
        memcpy(analysis->moves, visits->moves, visits->n_moves * sizeof *visits->moves);
        qsort(analysis->moves, analysis->n_moves, sizeof *analysis->moves, by_visits);
        return;
    }
    for (size_t i = 0; i < info->n_moves; i++)
        analysis->moves[analysis->n_moves++] = (TurfValuedMove){
            .move = info->moves[i].move, .value = value_of(info, info->moves[i].value)};
}

static void take_info(const SearchInfo *info, const SearchVisits *visits, TurfAnalysis *analysis)
{
    analysis->has_value = true;
    analysis->has_chances = info->is_percent;
    analysis->is_exact = info->is_exact;
    analysis->value = value_of(info, info->moves[0].value);
    analysis->reward = reward_of(info, info->moves[0].value);
    analysis->depth = info->depth;
    analysis->n_nodes = info->nodes;
    analysis->n_playouts = info->n_sims;
    analysis->n_line = info->n_line;
    memcpy(analysis->line, info->line, info->n_line * sizeof *info->line);
    take_moves(info, visits, analysis);
}

bool turf_player_analyse(const TurfPlayer *player, const TurfState *state, TurfRng *rng,
                         TurfAnalysis *analysis, TurfError *error)
{
    SearchInfo   info = {.n_moves = 0};
    SearchVisits visits;
    TurnContext  turn = {.rng = rng, .info = &info, .visits = &visits};
    TurfMove     move;
    Choice       choice;
    visits.n_moves = 0;
    if (!analysis)
        return error_invalid(error, "an analysis needs room for what is found");
    if (!player_choose_alone(player, state, &turn, &move, &choice, error))
        return false;
    memset(analysis, 0, sizeof *analysis);
    analysis->move = move;
    if (info.n_moves > 0)
        take_info(&info, &visits, analysis);
    return true;
}

/* ---- solving ------------------------------------------------------------------------------ */

static bool check_solve(const TurfGame *game, const TurfState *state,
                        const TurfSolveOptions *options, const TurfAnalysis *analysis,
                        TurfError *error)
{
    TurfEnding ending;
    if (!game || !state || !analysis)
        return error_invalid(error, "solving needs a game, a position and room for the answer");
    if (game != &squirrel_war)
        return error_invalid(error, "only squirrel-war can be solved, not %s", game->name);
    if (!sw_is_five((const void *)state))
        return error_invalid(error, "only boards of 5x5 can be solved");
    if (game->is_over(state, &ending))
        return error_invalid(error, "the game is over");
    if (options->time_ms < 0 || options->time_ms > MAX_SOLVE_MS)
        return error_invalid(error, "time_ms must be from 0 to %d", MAX_SOLVE_MS);
    if (options->hash_mib > MAX_HASH_MIB || options->n_threads < 0 ||
        options->n_threads > MAX_SOLVE_THREADS)
        return error_invalid(error, "hash_mib must be from 0 to %d, and n_threads from 0 to %d",
                             MAX_HASH_MIB, MAX_SOLVE_THREADS);
    return true;
}

static void take_solution(const SwSolution *solution, TurfAnalysis *analysis)
{
    memset(analysis, 0, sizeof *analysis);
    analysis->move = (TurfMove)solution->best_square;
    analysis->has_value = analysis->is_exact = true;
    analysis->value = solution->lower;
    analysis->reward = (solution->lower > 0) - (solution->lower < 0);
    analysis->depth = solution->pv_length;
    analysis->n_nodes = solution->nodes;
    for (; analysis->n_line < (size_t)solution->pv_length; analysis->n_line++)
        analysis->line[analysis->n_line] = (TurfMove)solution->pv[analysis->n_line];
    analysis->moves[0] = (TurfValuedMove){.move = analysis->move, .value = analysis->value};
    analysis->n_moves = 1;
}

bool turf_solve(const TurfGame *game, const TurfState *state, const TurfSolveOptions *options,
                TurfAnalysis *analysis, TurfError *error)
{
    const TurfSolveOptions defaults = {0}, *how = options ? options : &defaults;
    if (!check_solve(game, state, how, analysis, error))
        return false;
    size_t    hash_mib = how->hash_mib > 0 ? how->hash_mib : DEFAULT_HASH_MIB;
    SwSolver *solver =
        sw_solver_new(hash_mib << 20, how->n_threads > 0 ? how->n_threads : cpu_count());
    SwSolveOptions limits = {.deadline_ns = 0};
    SwPosition     position;
    SwSolution     solution;
    if (!solver)
        return error_set(error, TURF_ERROR_NO_MEMORY,
                         "there is no memory for a table of %zu MiB; give a smaller hash_mib",
                         hash_mib);
    if (how->time_ms > 0)
        limits.deadline_ns = clock_ns() + how->time_ms * 1000000;
    memcpy(&position, state, sizeof position);
    bool is_exact = sw_solver_solve(solver, &position.values, &position.board, &limits, &solution);
    sw_solver_free(solver);
    if (!is_exact)
        return error_set(error, TURF_ERROR_INTERRUPTED,
                         "not solved in %lld ms: the value is between %d and %d",
                         (long long)how->time_ms, solution.lower, solution.upper);
    take_solution(&solution, analysis);
    return true;
}
