#include "players/lookahead.h"

#include "base/rng.h"

#include <string.h>

/* ---- for people --------------------------------------------------------------------------- */

/* The best first; of those that are equal, the chosen one, and then the first in the game's order. */
static void rank_moves(const TurfPlayer *player, const void *state, TurfMove chosen, int *values, Insight *insight)
{
    TurfMove moves[TURF_MOST_MOVES];
    size_t   n_moves = player->game->moves(state, moves);
    while (insight->n_moves < INSIGHT_MOVES && insight->n_moves < n_moves) {
        size_t best = 0;
        for (size_t i = 1; i < n_moves - insight->n_moves; i++)
            if (values[i] > values[best] || (values[i] == values[best] && moves[i] == chosen))
                best = i;
        size_t n_after = n_moves - insight->n_moves - best - 1;
        insight->moves[insight->n_moves++] = (InsightMove){moves[best], values[best]};
        memmove(moves + best, moves + best + 1, n_after * sizeof *moves);
        memmove(values + best, values + best + 1, n_after * sizeof *values);
    }
}

/* The best replies to the best move. Each side measures as the first does, the opponent with the sign turned. */
static void follow_best(const TurfPlayer *player, const void *state, Lookahead plan, TurfMove best, Insight *insight)
{
    const TurfGame *game = player->game;
    TurfState       at = {{0}};
    TurfMove        moves[TURF_MOST_MOVES] = {best};
    memcpy(&at, state, game->state_size);
    plan.values = NULL;
    for (;;) {
        TurfEnding ending;
        TurfMover  mover = game->to_move(&at);
        insight->line[insight->n_line++] = moves[0];
        game->apply(&at, moves[0]);
        if (--plan.depth == 0 || game->is_over(&at, &ending))
            return;
        if (game->to_move(&at) != mover) {
            int own_weight = plan.own_weight;
            plan.own_weight = -plan.opponent_weight;
            plan.opponent_weight = -own_weight;
        }
        (void)player->search(game, &at, &plan, false, moves);
    }
}

/* ---- judging ------------------------------------------------------------------------------ */

/* With random ties, one of the best is drawn unless all are wanted. */
Verdict lookahead_judge(const TurfPlayer *player, const void *state, bool want_all, const Thinking *thinking,
                        TurfMove *moves)
{
    Lookahead plan = player->options.lookahead;
    Insight  *insight = thinking->insight;
    bool      draws = player->options.ties == TIES_RANDOM && !want_all;
    int       values[TURF_MOST_MOVES] = {0}; /* some stay so if it is stopped */
    plan.stop = thinking->stop;
    plan.values = insight ? values : NULL;
    LookaheadResult result = player->search(player->game, state, &plan, want_all || draws, moves);
    if (draws && result.n_best > 1)
        moves[0] = moves[rng_below(thinking->rng, (uint32_t)result.n_best)];
    if (insight) {
        *insight = (Insight){.unit = 1, .depth = plan.depth, .nodes = result.n_nodes};
        rank_moves(player, state, moves[0], values, insight);
        follow_best(player, state, plan, moves[0], insight);
    }
    return (Verdict){.n_moves = draws ? 1 : result.n_best, .has_value = true, .value = result.value};
}
