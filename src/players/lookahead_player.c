/* The course's strategies: a search to a fixed depth, with a weighted sum of both sides' pieces. */
#include "players/kinds.h"

#include "base/rng.h"

#include <string.h>

/* ---- for people --------------------------------------------------------------------------- */

/* The best moves first; among equals the chosen one, then the first in the game's order. */
static void rank_moves(const TurfPlayer *player, const void *state, TurfMove chosen, int *values,
                       SearchInfo *info)
{
    TurfMove moves[TURF_MAX_MOVES];
    size_t   n_moves = player->game->moves(state, moves);
    while (info->n_moves < SEARCH_INFO_MOVES && info->n_moves < n_moves) {
        size_t best = 0;
        for (size_t i = 1; i < n_moves - info->n_moves; i++)
            if (values[i] > values[best] || (values[i] == values[best] && moves[i] == chosen))
                best = i;
        size_t n_after = n_moves - info->n_moves - best - 1;
        info->moves[info->n_moves++] = (SearchInfoMove){moves[best], values[best]};
        memmove(moves + best, moves + best + 1, n_after * sizeof *moves);
        memmove(values + best, values + best + 1, n_after * sizeof *values);
    }
}

/* The principal variation: best replies by the same evaluation, with the sign turned for the
 * opponent. */
static void follow_best(const TurfPlayer *player, const void *state, Lookahead plan, TurfMove best,
                        SearchInfo *info)
{
    const TurfGame *game = player->game;
    TurfState       at = {{0}};
    TurfMove        moves[TURF_MAX_MOVES] = {best};
    memcpy(&at, state, game->state_size);
    plan.values = NULL;
    for (;;) {
        TurfEnding ending;
        TurfMover  mover = game->to_move(&at);
        info->line[info->n_line++] = moves[0];
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

/* ---- choosing ----------------------------------------------------------------------------- */

static Lookahead plan_of(const TurfPlayer *player, const atomic_bool *stop)
{
    return (Lookahead){.own_weight = player->kind->own_weight,
                       .opponent_weight = player->kind->opponent_weight,
                       .depth = (int)player->options.depth,
                       .wins_beyond = player->options.wins,
                       .stop = stop};
}

bool lookahead_values(const TurfPlayer *player, const void *state, int *values)
{
    TurfMove  best[TURF_MAX_MOVES];
    Lookahead plan = plan_of(player, NULL);
    if (player->kind->choose_move != lookahead_choose_move)
        return false;
    plan.values = values;
    (void)player->search(player->game, state, &plan, false, best);
    return true;
}

Choice lookahead_choose_move(const TurfPlayer *player, const void *state, bool want_all,
                             const TurnContext *turn, TurfMove *moves)
{
    Lookahead   plan = plan_of(player, turn->stop);
    SearchInfo *info = turn->info;
    bool        draws = player->options.ties == TIES_RANDOM && !want_all;
    int         values[TURF_MAX_MOVES] = {0}; /* some stay so if it is stopped */
    plan.values = info ? values : NULL;
    LookaheadResult result = player->search(player->game, state, &plan, want_all || draws, moves);
    if (draws && result.n_best > 1)
        moves[0] = moves[rng_below(turn->rng, (uint32_t)result.n_best)];
    if (info) {
        *info = (SearchInfo){.unit = 1, .depth = plan.depth, .nodes = result.n_nodes};
        rank_moves(player, state, moves[0], values, info);
        follow_best(player, state, plan, moves[0], info);
    }
    return (Choice){.n_moves = draws ? 1 : result.n_best, .has_value = true, .value = result.value};
}
