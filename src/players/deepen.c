#include "players/deepen.h"

#include "base/rng.h"

#include <string.h>

Verdict player_deepen(const TurfPlayer *player, const void *state, bool want_all, const Thinking *thinking,
                      int64_t deadline_ns, TurfMove *moves)
{
    Lookahead plan = player->options.lookahead;
    bool      draws = player->options.ties == TIES_RANDOM && !want_all;
    Verdict   verdict = {.has_value = true};
    plan.stop = thinking->stop;
    for (plan.depth = 1; plan.depth <= LOOKAHEAD_DEEPEST; plan.depth++) {
        TurfMove        best[TURF_MOST_MOVES];
        LookaheadResult result = player->search(player->game, state, &plan, want_all || draws, best);
        /* The first depth is always finished: it has no deadline, so that there is a move. */
        plan.deadline_ns = deadline_ns;
        bool is_lost = result.value == -LOOKAHEAD_BEYOND && plan.wins_beyond;
        /* When all is lost every move is as bad; the last depth's choice makes the opponent work for it. */
        if (!result.is_whole || (is_lost && plan.depth > 1))
            break;
        memcpy(moves, best, result.n_best * sizeof *best);
        verdict.n_moves = result.n_best;
        verdict.value = result.value;
        bool is_won = result.value == LOOKAHEAD_BEYOND && plan.wins_beyond;
        if (is_won || is_lost || plan.depth >= (int)player->game->longest_game)
            break;
    }
    if (draws && verdict.n_moves > 0) {
        moves[0] = moves[rng_below(thinking->rng, (uint32_t)verdict.n_moves)];
        verdict.n_moves = 1;
    }
    return verdict;
}
