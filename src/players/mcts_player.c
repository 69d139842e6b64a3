/* The player that searches by Monte Carlo tree search. */
#include "players/kinds.h"

#include "base/error.h"
#include "base/rng.h"
#include "players/budget.h"
#include "search/mcts.h"

#include <stdlib.h>

enum { PERCENT = 100 };

bool mcts_open(TurfPlayer *player, TurfError *error)
{
    MctsTree *tree = calloc(1, sizeof *tree);
    player->memory = tree;
    return (tree && mcts_init(tree, (size_t)player->options.hash_mib << 20)) ||
           error_set(error, TURF_ERROR_NO_MEMORY,
                     "there is no memory for a tree of %lld MiB; try hash=4",
                     (long long)player->options.hash_mib);
}

void mcts_close(TurfPlayer *player)
{
    if (player->memory)
        mcts_release(player->memory);
    free(player->memory);
}

/* Forgets the tree: a game depends on its own seed alone. */
bool mcts_begin_game(TurfPlayer *player, const atomic_bool *stop, TurfError *error)
{
    (void)stop, (void)error;
    mcts_clear(player->memory);
    return true;
}

/* The chance of winning, estimated by the playouts. */
static float chance_of(const MctsNode *node)
{
    return node->n_visits && !node->is_over ? node->sum / (float)node->n_visits : node->minimax;
}

static int percent_of(const MctsNode *node) { return (int)(PERCENT * chance_of(node) + 0.5F); }

static void list_visits(const MctsTree *tree, SearchVisits *visits)
{
    const MctsNode *root = &tree->nodes[1], *child = &tree->nodes[root->first_child];
    visits->n_moves = root->n_children;
    for (size_t i = 0; i < root->n_children; i++)
        visits->moves[i] =
            (TurfValuedMove){child[i].move, child[i].n_visits, (double)chance_of(&child[i])};
}

static void explain(const MctsTree *tree, uint64_t n_sims, SearchInfo *info)
{
    const MctsNode *root = &tree->nodes[1], *child = &tree->nodes[root->first_child];
    *info = (SearchInfo){.unit = 1, .n_sims = n_sims, .is_percent = true};
    for (const MctsNode *at = root; at->first_child && at->n_visits > 1 && info->n_line < MAX_PV;) {
        at = mcts_best_child(tree, at);
        info->line[info->n_line++] = at->move;
    }
    info->depth = (int)info->n_line;
    bool is_told[TURF_MAX_MOVES] = {false};
    for (; info->n_moves < SEARCH_INFO_MOVES && info->n_moves < root->n_children; info->n_moves++) {
        int max = -1;
        for (int i = 0; i < root->n_children; i++)
            if (!is_told[i] && (max < 0 || child[i].n_visits > child[max].n_visits))
                max = i;
        if (info->n_moves == 0)
            max = (int)(mcts_best_child(tree, root) - child);
        is_told[max] = true;
        info->moves[info->n_moves] = (SearchInfoMove){child[max].move, percent_of(&child[max])};
    }
}

Choice mcts_choose_move(const TurfPlayer *player, const void *state, bool want_all,
                        const TurnContext *turn, TurfMove *moves)
{
    (void)want_all;
    MctsTree *tree = player->memory;
    MctsPlan  plan = {.n_sims = (uint64_t)player->options.n_sims,
                      .stop = turn->stop,
                      .seed = turn->rng ? rng_next(turn->rng) : 1};
    Budget    budget = plan.n_sims ? budget_until_clock(turn) : budget_for(player, turn);
    plan.deadline_ns = budget.enough_ns
                           ? budget.enough_ns + (budget.deadline_ns - budget.enough_ns) / 2
                           : budget.deadline_ns;
    uint64_t n_sims =
        mcts_search(mcts_game_for(player->game, state), player->game, state, &plan, tree);
    const MctsNode *best = mcts_best_child(tree, &tree->nodes[1]);
    if (turn->info)
        explain(tree, n_sims, turn->info);
    if (turn->visits)
        list_visits(tree, turn->visits);
    moves[0] = best->move;
    return (Choice){.n_moves = 1, .has_value = true, .value = percent_of(best)};
}
