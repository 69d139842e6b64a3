/* The player that searches by iterative deepening with alpha-beta. In a game with an ExactPlay it
 * also solves positions near the end, and looks for swindles when it is behind. The table is
 * forgotten between searches and the opponent model between games, so a game depends on its own
 * seed alone. */
#include "players/kinds.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "players/budget.h"
#include "search/alphabeta.h"
#include "search/opponent_model.h"

#include <stdlib.h>
#include <string.h>

typedef struct Memory {
    TtTable          table;
    Network         *network; /* its own, from a file; NULL: none */
    const ExactPlay *exact;   /* NULL: the game cannot be solved, and what follows is not used */
    void            *solver;
    OpponentModel    opponent;
    bool             was_behind; /* when it last moved */
} Memory;

static bool open_network(const TurfPlayer *player, TurfError *error)
{
    Memory     *memory = player->memory;
    const char *path = player->options.network;
    if (path)
        memory->network = network_open(player->game, path, error);
    return !path || memory->network;
}

/* The instance of the search. The terms of the hand-made evaluation can be left out only where it
 * is used, so to leave out one of them means to do without the network. */
static const AbGame *instance_for(const TurfPlayer *player, const void *state)
{
    const AbGame *by_network = ab_game_with_network(player->game, state);
    bool          is_by_hand = player->options.without & player->game->hand_made_terms;
    return by_network && !is_by_hand ? by_network : ab_game_for(player->game, state);
}

bool alphabeta_open(TurfPlayer *player, TurfError *error)
{
    size_t           n_bytes = (size_t)player->options.hash_mib << 20;
    const ExactPlay *exact = exact_play_of(player->game);
    Memory          *memory = calloc(1, sizeof *memory);
    player->memory = memory;
    /* hash= limits both together. */
    bool is_good = memory && tt_init(&memory->table, exact ? n_bytes / 2 : n_bytes);
    if (is_good && exact) {
        memory->exact = exact;
        memory->solver = exact->solver_new(n_bytes / 2, (int)player->options.n_threads);
        is_good = memory->solver != NULL;
    }
    if (!is_good)
        return error_set(error, TURF_ERROR_NO_MEMORY,
                         "there is no memory for a table of %lld MiB; try hash=4",
                         (long long)player->options.hash_mib);
    return open_network(player, error);
}

void alphabeta_close(TurfPlayer *player)
{
    Memory *memory = player->memory;
    if (!memory)
        return;
    tt_release(&memory->table);
    if (memory->exact)
        memory->exact->solver_free(memory->solver);
    free(memory->network);
    free(memory);
}

bool alphabeta_begin_game(TurfPlayer *player, const atomic_bool *stop, TurfError *error)
{
    (void)stop, (void)error;
    Memory *memory = player->memory;
    opponent_reset(&memory->opponent);
    memory->was_behind = false;
    return true;
}

static void explain(const AbResult *result, const AbGame *how, SearchInfo *info)
{
    *info = (SearchInfo){.depth = result->depth,
                         .nodes = result->nodes,
                         .unit = how->unit,
                         .is_brief = info->is_brief};
    for (size_t i = 0;
         i < result->n_moves && info->n_moves < SEARCH_INFO_MOVES && result->moves[i].is_exact; i++)
        info->moves[info->n_moves++] =
            (SearchInfoMove){result->moves[i].move, result->moves[i].value};
    info->n_line = (size_t)result->pv_length;
    memcpy(info->line, result->pv, info->n_line * sizeof *info->line);
}

static int in_units(int value, int unit) { return (value + (value < 0 ? -unit : unit) / 2) / unit; }

static int by_move(const void *a, const void *b)
{
    TurfMove one = ((const AbMove *)a)->move, two = ((const AbMove *)b)->move;
    return (one > two) - (one < two);
}

static Choice search(const TurfPlayer *player, const void *state, bool want_all,
                     const TurnContext *turn, const Budget *budget, TurfMove *moves)
{
    const PlayerOptions *options = &player->options;
    Memory              *memory = player->memory;
    bool                 draws = options->ties == TIES_RANDOM && !want_all;
    const AbGame        *how = instance_for(player, state);
    AbResult             result;
    const Network *network = memory->network ? memory->network : network_default(player->game);
    AbPlan         plan = {.depth = (int)options->depth,
                           .nodes = (uint64_t)options->n_nodes,
                           .deadline_ns = budget->deadline_ns,
                           .enough_ns = budget->enough_ns,
                           .stop = turn->stop,
                           .n_threads = (int)options->n_threads,
                           .without = (unsigned)options->without,
                           .network = network,
                           .want_all = want_all || draws,
                           .multi_pv = turn->info && !turn->info->is_brief ? SEARCH_INFO_MOVES : 1};
    ab_search(how, player->game, state, &plan, &memory->table, &result);
    if (turn->info)
        explain(&result, how, turn->info);
    qsort(result.moves, result.n_best, sizeof *result.moves, by_move);
    for (size_t i = 0; i < result.n_best; i++)
        moves[i] = result.moves[i].move;
    if (draws && result.n_best > 1) {
        moves[0] = moves[rng_below(turn->rng, (uint32_t)result.n_best)];
        result.n_best = 1;
    }
    return (Choice){
        .n_moves = result.n_best, .has_value = true, .value = in_units(result.value, how->unit)};
}

/* ---- games that can be solved ------------------------------------------------------------- */

/* Solves the position if it can be solved in time; up to two moves earlier it searches and then
 * looks for a proven win; before that it only searches. */
static Choice choose_soundly(const TurfPlayer *player, const void *state, bool want_all,
                             const TurnContext *turn, const Budget *budget, TurfMove *moves)
{
    const PlayerOptions *options = &player->options;
    const ExactPlay     *exact = ((Memory *)player->memory)->exact;
    void                *solver = ((Memory *)player->memory)->solver;
    int                  n_left = exact->n_left(state);
    int64_t              now_ns = clock_ns(), time_ns = budget->deadline_ns - now_ns;
    Choice               choice;
    if (options->n_nodes > 0) {
        bool is_solved =
            n_left <= exact->reach_by_nodes(options->n_nodes) &&
            exact->solve(solver, state, want_all, turn, budget->deadline_ns, &choice, moves);
        return is_solved ? choice : search(player, state, want_all, turn, budget, moves);
    }
    int reach = exact->reach(time_ns / 1000000);
    if (reach < exact->always_solved)
        reach = exact->always_solved;
    bool   is_near = n_left <= reach, is_nearly_near = n_left <= reach + 2 && !want_all;
    Budget for_search = *budget;
    if (is_near || is_nearly_near)
        for_search = (Budget){.deadline_ns = now_ns + (is_near ? time_ns / 10 : time_ns / 3)};
    choice = search(player, state, want_all, turn, &for_search, moves);
    if (is_near)
        (void)exact->solve(solver, state, want_all, turn, budget->deadline_ns, &choice, moves);
    else if (is_nearly_near)
        (void)exact->find_win(solver, state, turn, budget->deadline_ns, &moves[0]);
    return choice;
}

/* Is it behind, with an opponent whose replies the model predicts? */
static bool seeks_swindle(const TurfPlayer *player, bool want_all)
{
    const Memory *memory = player->memory;
    return !want_all && memory->was_behind && opponent_depth(&memory->opponent) > 0;
}

/* Looks for a swindle, in a third of the time. */
static Swindle find_swindle(const TurfPlayer *player, const void *state, const TurnContext *turn,
                            const Budget *budget)
{
    enum { NODES_PER_REPLY = 30 };
    const PlayerOptions *options = &player->options;
    const AbGame        *how = ab_game_for(player->game, state);
    int64_t              now_ns = clock_ns();
    SwindlePlan plan = {.opponent_depth = opponent_depth(&((Memory *)player->memory)->opponent),
                        .n_replies =
                            (uint64_t)(options->n_nodes + NODES_PER_REPLY - 1) / NODES_PER_REPLY,
                        .stop = turn->stop,
                        .without = (unsigned)options->without,
                        .measure = how->measure,
                        .unit = how->unit};
    if (budget->deadline_ns)
        plan.deadline_ns = now_ns + (budget->deadline_ns - now_ns) / 3;
    return opponent_swindle(player->game, state, &plan);
}

/* Sound play, except that a player that is behind tries a swindle. It never risks a won or drawn
 * game. */
static Choice choose_with_solver(const TurfPlayer *player, const void *state, bool want_all,
                                 const TurnContext *turn, const Budget *budget, TurfMove *moves)
{
    Memory *memory = player->memory;
    Swindle swindle = {0};
    if (player->options.without & memory->exact->without_opponent_model)
        return choose_soundly(player, state, want_all, turn, budget, moves);
    opponent_observe(&memory->opponent, player->game, state);
    if (seeks_swindle(player, want_all))
        swindle = find_swindle(player, state, turn, budget);
    Choice choice = choose_soundly(player, state, want_all, turn, budget, moves);
    int    unit = ab_game_for(player->game, state)->unit;
    memory->was_behind = choice.value < 0;
    if (memory->was_behind && swindle.is_found && swindle.hope > choice.value * unit)
        moves[0] = swindle.move;
    opponent_note_move(&memory->opponent, player->game, state, moves[0]);
    return choice;
}

Choice alphabeta_choose_move(const TurfPlayer *player, const void *state, bool want_all,
                             const TurnContext *turn, TurfMove *moves)
{
    bool   has_limit = player->options.depth > 0 || player->options.n_nodes > 0;
    Budget budget = has_limit ? budget_until_clock(turn) : budget_for(player, turn);
    if (((const Memory *)player->memory)->exact && player->options.depth == 0)
        return choose_with_solver(player, state, want_all, turn, &budget, moves);
    return search(player, state, want_all, turn, &budget, moves);
}
