#include "players/mcts.h"

#include "base/error.h"
#include "base/rng.h"
#include "players/budget.h"
#include "search/mcts.h"

#include <stdlib.h>

enum { USUAL_MS = 100, PERCENT = 100 };

bool mcts_open(TurfPlayer *player, TurfError *error)
{
    MctsTree *tree = calloc(1, sizeof *tree);
    player->memory = tree;
    return (tree && mcts_init(tree, (size_t)player->options.hash_mib << 20)) ||
           error_set(error, "there is no memory for a tree of %lld MiB; try hash=4",
                     (long long)player->options.hash_mib);
}

void mcts_close(TurfPlayer *player)
{
    if (player->memory)
        mcts_release(player->memory);
    free(player->memory);
}

/* What was learnt in one game must not show in the next: a game depends on its own seed alone. */
bool mcts_begin_game(TurfPlayer *player, const atomic_bool *stop, TurfError *error)
{
    (void)stop, (void)error;
    mcts_forget(player->memory);
    return true;
}

/* The chance of winning in percent, as far as the playouts know. */
static int percent_of(const MctsNode *node)
{
    float chance = node->n_visits && !node->is_over ? node->sum / (float)node->n_visits : node->likely;
    return (int)(PERCENT * chance + 0.5F);
}

static void explain(const MctsTree *tree, uint64_t n_sims, Insight *insight)
{
    const MctsNode *root = &tree->nodes[1], *child = &tree->nodes[root->first_child];
    *insight = (Insight){.unit = 1, .n_sims = n_sims, .is_percent = true};
    for (const MctsNode *at = root; at->first_child && at->n_visits > 1 && insight->n_line < INSIGHT_LINE;) {
        at = mcts_best_child(tree, at);
        insight->line[insight->n_line++] = at->move;
    }
    insight->depth = (int)insight->n_line;
    bool is_told[TURF_MOST_MOVES] = {false};
    for (; insight->n_moves < INSIGHT_MOVES && insight->n_moves < root->n_children; insight->n_moves++) {
        int most = -1;
        for (int i = 0; i < root->n_children; i++)
            if (!is_told[i] && (most < 0 || child[i].n_visits > child[most].n_visits))
                most = i;
        if (insight->n_moves == 0)
            most = (int)(mcts_best_child(tree, root) - child);
        is_told[most] = true;
        insight->moves[insight->n_moves] = (InsightMove){child[most].move, percent_of(&child[most])};
    }
}

Verdict mcts_judge(const TurfPlayer *player, const void *state, bool want_all, const Thinking *thinking,
                   TurfMove *moves)
{
    (void)want_all;
    MctsTree *tree = player->memory;
    MctsPlan  plan = {.n_sims = (uint64_t)player->options.n_sims,
                      .stop = thinking->stop,
                      .seed = thinking->rng ? rng_next(thinking->rng) : 1};
    Budget    budget = plan.n_sims ? budget_until_clock(thinking) : budget_for(player, thinking, USUAL_MS);
    plan.deadline_ns =
        budget.enough_ns ? budget.enough_ns + (budget.deadline_ns - budget.enough_ns) / 2 : budget.deadline_ns;
    uint64_t        n_sims = mcts_search(mcts_game_for(player->game, state), player->game, state, &plan, tree);
    const MctsNode *best = mcts_best_child(tree, &tree->nodes[1]);
    if (thinking->insight)
        explain(tree, n_sims, thinking->insight);
    moves[0] = best->move;
    return (Verdict){.n_moves = 1, .has_value = true, .value = percent_of(best)};
}
