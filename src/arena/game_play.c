#include "arena/game_play.h"

#include "base/clock.h"
#include "base/error.h"
#include "players/bot_player.h"

/* A side's clock: a bucket to which each turn adds the gain, up to five times that, and from which
 * what was used is taken off. Without a gain there is no clock, and a bot has the cap for each
 * move. */
typedef struct Clock {
    int64_t gain_ns, left_ns;
} Clock;

typedef struct Turn {
    TurnContext turn;
    int64_t     begin_ns, used_ns, allowed_ns;
    int64_t     begin_worked_ns; /* of a built-in player on a clock */
} Turn;

static bool is_stopped(const GamePlay *play)
{
    return play->stop && atomic_load_explicit(play->stop, memory_order_relaxed);
}

static Clock full_clock(const GamePlay *play, int side)
{
    int64_t own_ms = play->players[side]->time_gain_ms,
            gain_ns = (own_ms ? own_ms : play->time_ms) * 1000000;
    return (Clock){.gain_ns = gain_ns, .left_ns = CLOCK_BUCKET_TURNS * gain_ns};
}

/* What a side may use in this turn, which begins now. Built-in players are timed only where there
 * is a clock, because reading it is not free beside their fastest moves. */
static void begin_turn(GamePlay *play, TurfSide side, Clock *clock, Forfeit *forfeit, Turn *turn)
{
    bool is_bot = play->players[side]->kind->is_bot, is_timed = is_bot || clock->gain_ns > 0;
    *turn = (Turn){.begin_ns = is_timed ? clock_ns() : 0,
                   .allowed_ns = INT64_MAX,
                   .turn = {.rng = &play->rng[side],
                            .stop = play->stop,
                            .deadline_ns = INT64_MAX,
                            .time_gain_ms = clock->gain_ns / 1000000,
                            .forfeit = forfeit}};
    turn->turn.used_ns = &turn->used_ns;
    if (clock->gain_ns > 0) {
        int64_t max_ns = CLOCK_BUCKET_TURNS * clock->gain_ns;
        clock->left_ns =
            clock->left_ns + clock->gain_ns < max_ns ? clock->left_ns + clock->gain_ns : max_ns;
        turn->allowed_ns = clock->left_ns;
    } else if (is_bot) {
        turn->allowed_ns = play->move_cap_ms * 1000000;
    }
    if (!is_bot && clock->gain_ns > 0)
        turn->begin_worked_ns = clock_worked_ns();
    if (is_timed)
        turn->turn.deadline_ns = turn->begin_ns + turn->allowed_ns;
}

/* What a built-in player has used. It works all the time; so if it used more than it had, what
 * counts is how long it worked, lest it lose for the time in which the program was stopped or its
 * machine slept. */
static int64_t used_by_built_in(const Turn *turn)
{
    int64_t used_ns = clock_ns() - turn->begin_ns;
    return used_ns <= turn->allowed_ns ? used_ns : clock_worked_ns() - turn->begin_worked_ns;
}

/* Takes off what was used; a bot says so itself. False if a built-in player has used more than it
 * had. */
static bool end_turn(const GamePlay *play, TurfSide side, Turn *turn, Clock *clock,
                     GameResult *result)
{
    bool is_bot = play->players[side]->kind->is_bot;
    if (!is_bot && clock->gain_ns > 0)
        turn->used_ns = used_by_built_in(turn);
    clock->left_ns -= turn->used_ns;
    if (turn->used_ns > result->slowest_ns[side])
        result->slowest_ns[side] = turn->used_ns;
    if (is_bot || turn->used_ns <= turn->allowed_ns)
        return true;
    turn->turn.forfeit->reason = TURF_TIMEOUT;
    (void)snprintf(turn->turn.forfeit->text, sizeof turn->turn.forfeit->text,
                   "took %lld ms and had %lld", (long long)turn->used_ns / 1000000,
                   (long long)turn->allowed_ns / 1000000);
    return false;
}

static bool play_turn(GamePlay *play, TurfState *state, TurfSide side, Clock *clock,
                      GameResult *result, TurfError *error)
{
    const TurfPlayer *player = play->players[side];
    TurfMove          moves[TURF_MAX_MOVES];
    Turn              turn;
    TurfError         why_not;
    log_turn(play->log, player->kind->is_bot);
    begin_turn(play, side, clock, &result->forfeit, &turn);
    Choice verdict = player_choose_move(player, state, false, &turn.turn, moves);
    bool   is_in_time = end_turn(play, side, &turn, clock, result);
    if (verdict.n_moves == 0 || !is_in_time) {
        result->forfeiter = (int)side;
        return true;
    }
    if (player->chooser && !play->game->is_legal(state, moves[0], &why_not))
        return error_invalid(error, "the player %s chose an illegal move: %s", player->name,
                             why_not.text);
    log_move(play->log, play->game, state, moves[0], turn.used_ns, player->kind->is_bot);
    play->game->apply(state, moves[0]);
    return true;
}

/* Both sides see the same position, think at the same time if they are bots, and neither sees what
 * the other does. If both fail, the one that failed first has lost. */
static void play_turn_of_both(GamePlay *play, TurfState *state, Clock clocks[2], GameResult *result)
{
    TurfCell          cells[2][TURF_MAX_CELLS];
    TurfAction        actions[2];
    Turn              turns[2];
    Forfeit           forfeits[2];
    const TurfPlayer *players[2] = {play->players[0], play->players[1]};
    log_turn(play->log, players[0]->kind->is_bot && players[1]->kind->is_bot);
    for (int side = 0; side < 2; side++)
        if (players[side]->kind->is_bot) {
            begin_turn(play, (TurfSide)side, &clocks[side], &forfeits[side], &turns[side]);
            bot_ask_ahead(players[side], state, (TurfSide)side, &turns[side].turn);
        }
    bot_wait_for_both(players);
    for (int side = 0; side < 2; side++) {
        if (!players[side]->kind->is_bot)
            begin_turn(play, (TurfSide)side, &clocks[side], &forfeits[side], &turns[side]);
        actions[side].cells = cells[side];
        actions[side].n_cells = players[side]->kind->choose_cells(
            players[side], state, (TurfSide)side, &turns[side].turn, cells[side]);
        bool has_failed = !end_turn(play, (TurfSide)side, &turns[side], &clocks[side], result) ||
                          actions[side].n_cells == PLAYER_FORFEITS;
        bool is_first = result->forfeiter < 0 || turns[side].used_ns < turns[0].used_ns;
        if (has_failed && is_first) {
            result->forfeiter = side;
            result->forfeit = forfeits[side];
        }
    }
    if (result->forfeiter >= 0)
        return;
    log_actions(play->log, play->game, actions, (int64_t[2]){turns[0].used_ns, turns[1].used_ns},
                (bool[2]){players[0]->kind->is_bot, players[1]->kind->is_bot});
    play->game->apply_both(state, actions);
}

static bool play_turns(GamePlay *play, TurfState *state, GameResult *result, TurfError *error)
{
    Clock clocks[2] = {full_clock(play, 0), full_clock(play, 1)};
    while (!play->game->is_over(state, &result->ending)) {
        if (is_stopped(play) || (play->max_turns && result->length >= play->max_turns)) {
            result->is_whole = false;
            return true;
        }
        TurfMover mover = play->game->to_move(state);
        if (mover == TURF_MOVER_BOTH)
            play_turn_of_both(play, state, clocks, result);
        else if (!play_turn(play, state, (TurfSide)mover, &clocks[mover], result, error))
            return false;
        if (result->forfeiter >= 0) {
            result->is_whole = !is_stopped(play);
            result->ending = result->forfeiter ? TURF_WON_BY_FIRST : TURF_WON_BY_SECOND;
            return true;
        }
        result->length++;
    }
    /* Whoever was told to stop in the last turn did not think it through. */
    result->is_whole = !is_stopped(play);
    return true;
}

/* A bot that cannot be started has lost. If that is for want of something of ours there is no game,
 * and no forfeiter.
 */
static bool begin_game(GamePlay *play, TurfSide side, GameResult *result, TurfError *error)
{
    TurfPlayer *player = play->players[side];
    if (player_begin_game(player, play->stop, error))
        return true;
    if (bot_is_short(player))
        return false;
    result->is_whole = !is_stopped(play);
    result->forfeiter = (int)side;
    result->ending = side ? TURF_WON_BY_FIRST : TURF_WON_BY_SECOND;
    result->forfeit.reason = TURF_CRASH;
    (void)snprintf(result->forfeit.text, sizeof result->forfeit.text, "%.*s",
                   (int)error_cut(error->text, 230), error->text);
    return false;
}

bool game_play(GamePlay *play, TurfState *state, GameResult *result, TurfError *error)
{
    *result = (GameResult){.is_whole = true, .forfeiter = -1};
    if (play->move_cap_ms == 0)
        play->move_cap_ms = DEFAULT_MOVE_CAP_MS;
    bool has_begun =
        begin_game(play, TURF_FIRST, result, error) && begin_game(play, TURF_SECOND, result, error);
    bool is_good = has_begun ? play_turns(play, state, result, error) : result->forfeiter >= 0;
    for (int side = 0; side < 2; side++)
        player_end_game(play->players[side],
                        result->forfeiter == side ? result->forfeit.text : NULL);
    if (result->forfeiter >= 0)
        result->errors = bot_errors(play->players[result->forfeiter]);
    return is_good;
}
