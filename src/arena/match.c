#include "arena/match.h"

#include "base/clock.h"
#include "base/error.h"
#include "players/bot.h"

/* The bucket of a clock: each turn adds the gain, up to five times that, and takes off what was used. */
typedef struct Bucket {
    int64_t left_ns;
} Bucket;

typedef struct Turn {
    Thinking thinking;
    int64_t  used_ns;
} Turn;

static bool is_stopped(const Match *match)
{
    return match->stop && atomic_load_explicit(match->stop, memory_order_relaxed);
}

/* What a side may use in this turn. */
static void begin_turn(Match *match, TurfSide side, Bucket *bucket, Forfeit *forfeit, Turn *turn)
{
    int64_t allowed_ns = match->move_cap_ms * 1000000;
    if (match->time_ms > 0) {
        int64_t gain_ns = match->time_ms * 1000000, most_ns = MATCH_BUCKET_TURNS * gain_ns;
        bucket->left_ns = bucket->left_ns + gain_ns < most_ns ? bucket->left_ns + gain_ns : most_ns;
        allowed_ns = bucket->left_ns;
    }
    *turn = (Turn){.thinking = {.rng = &match->rng[side],
                                .stop = match->stop,
                                .deadline_ns = clock_ns() + allowed_ns,
                                .time_gain_ms = match->time_ms,
                                .forfeit = forfeit}};
    turn->thinking.used_ns = &turn->used_ns;
}

static void end_turn(TurfSide side, const Turn *turn, Bucket *bucket, MatchResult *result)
{
    bucket->left_ns -= turn->used_ns;
    if (turn->used_ns > result->slowest_ns[side])
        result->slowest_ns[side] = turn->used_ns;
}

static bool play_turn(Match *match, TurfState *state, TurfSide side, Bucket *bucket, MatchResult *result,
                      TurfError *error)
{
    const TurfPlayer *player = match->players[side];
    TurfMove          moves[TURF_MOST_MOVES];
    Turn              turn;
    TurfError         why_not;
    log_turn(match->log);
    begin_turn(match, side, bucket, &result->forfeit, &turn);
    Verdict verdict = player_judge(player, state, false, &turn.thinking, moves);
    end_turn(side, &turn, bucket, result);
    if (verdict.n_moves == 0) {
        result->forfeiter = (int)side;
        return true;
    }
    if (player->chooser && !match->game->is_legal(state, moves[0], &why_not))
        return error_set(error, "the player %.40s chose an illegal move: %s", player->name, why_not.text);
    log_move(match->log, match->game, state, moves[0], turn.used_ns, player->kind->is_bot);
    match->game->apply(state, moves[0]);
    return true;
}

/* Both sides see the same position, think at the same time, and neither sees what the other does. If both
 * fail, the one that failed first has lost. */
static void play_turn_of_both(Match *match, TurfState *state, Bucket buckets[2], MatchResult *result)
{
    TurfCell          cells[2][TURF_MOST_CELLS];
    TurfAction        actions[2];
    Turn              turns[2];
    Forfeit           forfeits[2];
    const TurfPlayer *players[2] = {match->players[0], match->players[1]};
    log_turn(match->log);
    for (int side = 0; side < 2; side++) {
        begin_turn(match, (TurfSide)side, &buckets[side], &forfeits[side], &turns[side]);
        bot_ask_ahead(players[side], state, (TurfSide)side, &turns[side].thinking);
    }
    bot_wait_for_both(players);
    for (int side = 0; side < 2; side++) {
        actions[side].cells = cells[side];
        actions[side].n_cells =
            players[side]->kind->act(players[side], state, (TurfSide)side, &turns[side].thinking, cells[side]);
        end_turn((TurfSide)side, &turns[side], &buckets[side], result);
        bool is_first = result->forfeiter < 0 || turns[side].used_ns < turns[0].used_ns;
        if (actions[side].n_cells == PLAYER_FORFEITS && is_first) {
            result->forfeiter = side;
            result->forfeit = forfeits[side];
        }
    }
    if (result->forfeiter >= 0)
        return;
    log_actions(match->log, match->game, state, actions, (int64_t[2]){turns[0].used_ns, turns[1].used_ns},
                (bool[2]){players[0]->kind->is_bot, players[1]->kind->is_bot});
    match->game->apply_both(state, actions);
}

static bool play_turns(Match *match, TurfState *state, MatchResult *result, TurfError *error)
{
    int64_t full_ns = MATCH_BUCKET_TURNS * match->time_ms * 1000000;
    Bucket  buckets[2] = {{full_ns}, {full_ns}};
    while (!match->game->is_over(state, &result->ending)) {
        if (is_stopped(match) || (match->most_turns && result->length >= match->most_turns)) {
            result->is_whole = false;
            return true;
        }
        TurfMover mover = match->game->to_move(state);
        if (mover == TURF_MOVER_BOTH)
            play_turn_of_both(match, state, buckets, result);
        else if (!play_turn(match, state, (TurfSide)mover, &buckets[mover], result, error))
            return false;
        if (result->forfeiter >= 0) {
            result->is_whole = !is_stopped(match);
            result->ending = result->forfeiter ? TURF_WON_BY_FIRST : TURF_WON_BY_SECOND;
            return true;
        }
        result->length++;
    }
    return true;
}

/* A bot that cannot be started has lost. */
static bool begin_game(Match *match, TurfSide side, MatchResult *result)
{
    TurfPlayer *player = match->players[side];
    TurfError   error;
    if (!player->kind->begin_game || player->kind->begin_game(player, &error))
        return true;
    result->forfeiter = (int)side;
    result->ending = side ? TURF_WON_BY_FIRST : TURF_WON_BY_SECOND;
    result->forfeit.reason = TURF_CRASH;
    (void)snprintf(result->forfeit.text, sizeof result->forfeit.text, "%.230s", error.text);
    return false;
}

bool match_play(Match *match, TurfState *state, MatchResult *result, TurfError *error)
{
    *result = (MatchResult){.is_whole = true, .forfeiter = -1};
    if (match->move_cap_ms == 0)
        match->move_cap_ms = MATCH_MOVE_CAP_MS;
    bool has_begun = begin_game(match, TURF_FIRST, result) && begin_game(match, TURF_SECOND, result);
    bool is_good = !has_begun || play_turns(match, state, result, error);
    for (int side = 0; side < 2; side++)
        if (match->players[side]->kind->end_game)
            match->players[side]->kind->end_game(match->players[side],
                                                 result->forfeiter == side ? result->forfeit.text : NULL);
    return is_good;
}
