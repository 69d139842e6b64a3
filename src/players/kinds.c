/* The built-in players. */
#include "base/clock.h"
#include "base/rng.h"
#include "players/bot.h"
#include "players/colonist.h"
#include "players/deepen.h"
#include "players/perfect.h"
#include "players/player.h"

static Verdict judge_random(const TurfPlayer *player, const void *state, bool want_all, const Thinking *thinking,
                            TurfMove *moves)
{
    const TurfGame *game = player->game;
    if (want_all)
        return (Verdict){.n_moves = game->moves(state, moves)};
    if (game->random_move) {
        moves[0] = game->random_move(state, thinking->rng);
    } else {
        size_t n_moves = game->moves(state, moves);
        moves[0] = moves[rng_below(thinking->rng, (uint32_t)n_moves)];
    }
    return (Verdict){.n_moves = 1};
}

/* To a fixed depth. With random ties, one of the best is drawn unless all are wanted. */
static Verdict judge_to_depth(const TurfPlayer *player, const void *state, bool want_all, const Thinking *thinking,
                              TurfMove *moves)
{
    Lookahead plan = player->options.lookahead;
    bool      draws = player->options.ties == TIES_RANDOM && !want_all;
    plan.stop = thinking->stop;
    LookaheadResult result = player->search(player->game, state, &plan, want_all || draws, moves);
    if (draws && result.n_best > 1)
        moves[0] = moves[rng_below(thinking->rng, (uint32_t)result.n_best)];
    return (Verdict){.n_moves = draws ? 1 : result.n_best, .has_value = true, .value = result.value};
}

/* Ever deeper until the time is up; the last depth that was finished counts. */
static Verdict judge_in_time(const TurfPlayer *player, const void *state, bool want_all, const Thinking *thinking,
                             TurfMove *moves)
{
    if (player->options.lookahead.depth > 0)
        return judge_to_depth(player, state, want_all, thinking, moves);
    return player_deepen(player, state, want_all, thinking, clock_ns() + player->options.time_ms * 1000000, moves);
}

#define TIES "ties=first|random"
#define WINS "wins=measure|beyond"

static const PlayerKind kinds[] = {
    {
        .name = "random",
        .summary = "any legal move, all equally likely",
        .is_strategy = true,
        .judge = judge_random,
        .act = colonist_random,
    },
    {
        .name = "bloodlust",
        .summary = "leaves the opponent the least",
        .options = TIES,
        .is_strategy = true,
        .defaults.lookahead = {.opponent_weight = -1, .depth = 1},
        .judge = judge_to_depth,
        .act = colonist_greedy,
    },
    {
        .name = "self-preservation",
        .summary = "keeps the most for itself",
        .options = TIES,
        .is_strategy = true,
        .defaults.lookahead = {.own_weight = 1, .depth = 1},
        .judge = judge_to_depth,
        .act = colonist_greedy,
    },
    {
        .name = "land-grab",
        .alias = "greedy",
        .summary = "the largest lead after its move",
        .options = TIES,
        .is_strategy = true,
        .defaults.lookahead = {.own_weight = 1, .opponent_weight = -1, .depth = 1},
        .judge = judge_to_depth,
        .act = colonist_greedy,
    },
    {
        .name = "minimax",
        .summary = "the largest lead after the best replies, two moves deep",
        .options = "depth=1..20, " TIES ", " WINS,
        .is_strategy = true,
        .defaults.lookahead = {.own_weight = 1, .opponent_weight = -1, .depth = 2},
        .judge = judge_to_depth,
    },
    {
        .name = "alphabeta",
        .summary = "as minimax, but as deep as its time allows, and a won game is worth more than any lead",
        .options = "depth=1..20, time=MS (100), " TIES ", " WINS,
        .defaults = {.lookahead = {.own_weight = 1, .opponent_weight = -1, .wins_beyond = true}, .time_ms = 100},
        .judge = judge_in_time,
    },
    {
        .name = "settler",
        .summary = "colonises what does best over the next five steps",
        .options = TIES,
        .is_strategy = true,
        .defaults.lookahead = {.own_weight = 1, .opponent_weight = -1},
        .act = colonist_settler,
    },
    {
        .name = "dummy",
        .summary = "does nothing",
        .act = colonist_dummy,
    },
    {
        .name = "perfect",
        .summary = "plays perfectly once its time allows, and searches deep before that",
        .options = "time=MS (1000), hash=MIB (64), threads=N (1)",
        .only_game = &squirrel_war,
        .defaults = {.lookahead = {.own_weight = 1, .opponent_weight = -1, .wins_beyond = true},
                     .time_ms = 1000,
                     .hash_mib = 64,
                     .n_threads = 1},
        .open = perfect_open,
        .close = perfect_close,
        .judge = perfect_judge,
    },
    {
        .name = "bot",
        .summary = "a program of yours that speaks JSON lines: bot:COMMAND",
        .is_bot = true,
        .open = bot_open,
        .close = bot_close,
        .copy = bot_copy,
        .begin_game = bot_begin_game,
        .end_game = bot_end_game,
        .judge = bot_judge,
        .act = bot_act,
    },
    {
        .name = "tcp",
        .summary = "a bot that connects: tcp:PORT on this machine, or tcp:ADDRESS:PORT; one game at a time",
        .is_bot = true,
        .plays_alone = true,
        .open = bot_open_tcp,
        .close = bot_close,
        .copy = bot_copy,
        .begin_game = bot_begin_game,
        .end_game = bot_end_game,
        .judge = bot_judge,
        .act = bot_act,
    },
};

const PlayerKind *player_kind_at(size_t index) { return index < sizeof kinds / sizeof kinds[0] ? &kinds[index] : NULL; }

bool player_kind_plays(const PlayerKind *kind, const TurfGame *game)
{
    bool knows_how = game_is_simultaneous(game) ? kind->act != NULL : kind->judge != NULL;
    return knows_how && (!kind->only_game || kind->only_game == game);
}
