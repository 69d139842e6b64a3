/* The built-in strategies. */
#include "base/rng.h"
#include "players/player.h"

static Verdict judge_random(const TurfPlayer *player, const void *state, bool want_all, TurfMove *moves)
{
    size_t n_moves = player->game->moves(state, moves);
    return (Verdict){.n_moves = want_all || n_moves == 0 ? n_moves : 1};
}

static TurfMove choose_random(const TurfPlayer *player, const void *state, const Thinking *thinking)
{
    if (player->game->random_move)
        return player->game->random_move(state, thinking->rng);
    TurfMove moves[TURF_MOST_MOVES];
    size_t   n_moves = player->game->moves(state, moves);
    return moves[rng_below(thinking->rng, (uint32_t)n_moves)];
}

static Verdict look_ahead(const TurfPlayer *player, const void *state, bool want_all, const atomic_bool *stop,
                          TurfMove *moves)
{
    Verdict   verdict = {.has_value = true};
    Lookahead plan = player->lookahead;
    plan.stop = stop;
    verdict.value = player->search(player->game, state, &plan, want_all, moves, &verdict.n_moves);
    return verdict;
}

static Verdict judge_lookahead(const TurfPlayer *player, const void *state, bool want_all, TurfMove *moves)
{
    return look_ahead(player, state, want_all, NULL, moves);
}

static TurfMove choose_lookahead(const TurfPlayer *player, const void *state, const Thinking *thinking)
{
    TurfMove moves[TURF_MOST_MOVES];
    Verdict  verdict = look_ahead(player, state, player->ties == TIES_RANDOM, thinking->stop, moves);
    return moves[verdict.n_moves > 1 ? rng_below(thinking->rng, (uint32_t)verdict.n_moves) : 0];
}

static const PlayerKind kinds[] = {
    {
        .name = "random",
        .summary = "any legal move, all equally likely",
        .is_strategy = true,
        .judge = judge_random,
        .choose = choose_random,
    },
    {
        .name = "bloodlust",
        .summary = "leaves the opponent the least",
        .options = "ties=first|random",
        .is_strategy = true,
        .lookahead = {.opponent_weight = -1, .depth = 1},
        .judge = judge_lookahead,
        .choose = choose_lookahead,
    },
    {
        .name = "self-preservation",
        .summary = "keeps the most for itself",
        .options = "ties=first|random",
        .is_strategy = true,
        .lookahead = {.own_weight = 1, .depth = 1},
        .judge = judge_lookahead,
        .choose = choose_lookahead,
    },
    {
        .name = "land-grab",
        .alias = "greedy",
        .summary = "the largest lead after its move",
        .options = "ties=first|random",
        .is_strategy = true,
        .lookahead = {.own_weight = 1, .opponent_weight = -1, .depth = 1},
        .judge = judge_lookahead,
        .choose = choose_lookahead,
    },
    {
        .name = "minimax",
        .summary = "the largest lead after the best replies, two moves deep",
        .options = "depth=1..20, ties=first|random, wins=measure|beyond",
        .is_strategy = true,
        .lookahead = {.own_weight = 1, .opponent_weight = -1, .depth = 2},
        .judge = judge_lookahead,
        .choose = choose_lookahead,
    },
    {
        .name = "alphabeta",
        .summary = "as minimax, but a won game counts for more than any lead; four moves deep",
        .options = "depth=1..20, ties=first|random, wins=measure|beyond",
        .lookahead = {.own_weight = 1, .opponent_weight = -1, .depth = 4, .wins_beyond = true},
        .judge = judge_lookahead,
        .choose = choose_lookahead,
    },
};

const PlayerKind *player_kind_at(size_t index) { return index < sizeof kinds / sizeof kinds[0] ? &kinds[index] : NULL; }
