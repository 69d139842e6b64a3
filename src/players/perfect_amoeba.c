/* The perfect player of Amoeba Wars: exact where the solver is done in half of its time, which
 * takes few open cells; a search of the other half, or of all of it, elsewhere. */
#include "players/kinds.h"

#include "base/clock.h"
#include "base/error.h"
#include "games/amoeba_wars.h"
#include "players/budget.h"
#include "search/alphabeta.h"
#include "search/amoeba_solver.h"

#include <stdlib.h>
#include <string.h>

typedef struct Memory {
    AsSolver *solver;
    TtTable   table;
    AbResult  found;
} Memory;

bool perfect_amoeba_open(TurfPlayer *player, TurfError *error)
{
    const PlayerOptions *options = &player->options;
    size_t               n_bytes = (size_t)options->hash_mib << 19; /* hash= is for both tables */
    Memory              *memory = calloc(1, sizeof *memory);
    player->memory = memory;
    if (memory && tt_init(&memory->table, n_bytes))
        memory->solver = as_solver_new(n_bytes, (int)options->n_threads);
    if (memory && memory->solver)
        return true;
    return error_set(error, TURF_ERROR_NO_MEMORY,
                     "there is no memory for a table of %lld MiB; try hash=4",
                     (long long)options->hash_mib);
}

void perfect_amoeba_close(TurfPlayer *player)
{
    Memory *memory = player->memory;
    if (!memory)
        return;
    tt_release(&memory->table);
    as_solver_free(memory->solver);
    free(memory);
}

/* The value of a move for the side that makes it; false if the time is too short. */
static bool solve_after(AsSolver *solver, const AwState *state, TurfMove move,
                        const AsOptions *options, int *value)
{
    AwState    child = *state;
    AsSolution solution;
    aw_apply(&child, move);
    if (!as_solver_solve(solver, &child, options, &solution))
        return false;
    *value = child.header.to_move == state->header.to_move ? solution.lower : -solution.lower;
    return true;
}

/* All moves that keep the value, as far as the time goes. */
static size_t find_all(AsSolver *solver, const AwState *state, const AsOptions *options,
                       int best_value, TurfMove *moves)
{
    TurfMove all[TURF_MAX_MOVES], best = moves[0];
    size_t   n_all = amoeba_wars.moves(state, all), n_moves = 0;
    for (size_t i = 0; i < n_all; i++) {
        int value;
        if (all[i] == best ||
            (solve_after(solver, state, all[i], options, &value) && value == best_value))
            moves[n_moves++] = all[i];
    }
    return n_moves;
}

static void explain(const AsSolution *solution, SearchInfo *info)
{
    *info = (SearchInfo){.unit = 1,
                         .depth = solution->line_length,
                         .nodes = solution->nodes,
                         .is_exact = true,
                         .n_moves = 1,
                         .moves = {{solution->line[0], solution->lower}}};
    for (int i = 0; i < solution->line_length && i < MAX_PV; i++)
        info->line[info->n_line++] = solution->line[i];
}

static bool solve(const TurfPlayer *player, const AwState *state, bool want_all,
                  const TurnContext *turn, int64_t deadline_ns, Choice *choice, TurfMove *moves)
{
    AsSolver  *solver = ((Memory *)player->memory)->solver;
    AsOptions  options = {.stop = turn->stop, .deadline_ns = deadline_ns, .skip_line = !turn->info};
    AsSolution solution;
    int64_t    time_ms = (deadline_ns - clock_ns()) / 1000000 * player->options.n_threads;
    if (!aw_is_small(state) || as_n_open(state) > as_reach_in_time(time_ms) ||
        !as_solver_solve(solver, state, &options, &solution) || solution.line_length == 0)
        return false;
    *choice = (Choice){.n_moves = 1, .has_value = true, .value = solution.lower};
    moves[0] = solution.line[0];
    options.skip_line = true;
    if (want_all)
        choice->n_moves = find_all(solver, state, &options, solution.lower, moves);
    if (turn->info)
        explain(&solution, turn->info);
    return true;
}

static Choice search(const TurfPlayer *player, const void *state, const TurnContext *turn,
                     const Budget *budget, TurfMove *moves)
{
    Memory       *memory = player->memory;
    AbResult     *found = &memory->found;
    const AbGame *by_network = ab_game_with_network(player->game, state);
    const AbGame *how = by_network ? by_network : ab_game_for(player->game, state);
    AbPlan        plan = {.deadline_ns = budget->deadline_ns,
                          .enough_ns = budget->enough_ns,
                          .stop = turn->stop,
                          .n_threads = (int)player->options.n_threads,
                          .network = network_default(player->game),
                          .multi_pv = 1};
    ab_search(how, player->game, state, &plan, &memory->table, found);
    moves[0] = found->moves[0].move;
    if (turn->info) {
        *turn->info = (SearchInfo){.unit = how->unit,
                                   .depth = found->depth,
                                   .nodes = found->nodes,
                                   .n_moves = 1,
                                   .moves = {{moves[0], found->value}},
                                   .n_line = (size_t)found->pv_length};
        memcpy(turn->info->line, found->pv, turn->info->n_line * sizeof *found->pv);
    }
    int half = found->value < 0 ? -how->unit / 2 : how->unit / 2;
    return (Choice){.n_moves = 1, .has_value = true, .value = (found->value + half) / how->unit};
}

Choice perfect_amoeba_choose(const TurfPlayer *player, const void *state, bool want_all,
                             const TurnContext *turn, TurfMove *moves)
{
    Budget  budget = budget_for(player, turn);
    int64_t now_ns = clock_ns();
    Choice  choice;
    if (solve(player, state, want_all, turn, now_ns + (budget.deadline_ns - now_ns) / 2, &choice,
              moves))
        return choice;
    return search(player, state, turn, &budget, moves);
}
