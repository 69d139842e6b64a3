/* One game between two players: whose turn it is, clocks and forfeits.
 *
 * Players are asked in two phases, so the arena need not know how a player decides. A player that
 * fails forfeits the game; what the arena itself lacks is an error, and no game was played. */
#include "arena/game_play.h"

#include "base/clock.h"
#include "base/error.h"

/* A side's clock is a token bucket: each turn adds the gain, up to five times that, and takes off
 * the time used. Without a gain there is no clock, and an external player has the cap for each
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

/* Begins a side's turn, and sets its time limit. Built-in players are timed only if there is a
 * clock: reading the time is slow compared with their fastest moves. */
static void begin_turn(GamePlay *play, TurfSide side, Clock *clock, Forfeit *forfeit, Turn *turn,
                       TurfError *error)
{
    bool times_itself = play->players[side]->kind->is_external;
    bool is_timed = times_itself || clock->gain_ns > 0;
    *turn = (Turn){.begin_ns = is_timed ? clock_ns() : 0,
                   .allowed_ns = INT64_MAX,
                   .turn = {.rng = &play->rng[side],
                            .stop = play->stop,
                            .deadline_ns = INT64_MAX,
                            .time_gain_ms = clock->gain_ns / 1000000,
                            .forfeit = forfeit,
                            .error = error}};
    turn->turn.used_ns = &turn->used_ns;
    if (clock->gain_ns > 0) {
        int64_t max_ns = CLOCK_BUCKET_TURNS * clock->gain_ns;
        clock->left_ns =
            clock->left_ns + clock->gain_ns < max_ns ? clock->left_ns + clock->gain_ns : max_ns;
        turn->allowed_ns = clock->left_ns;
    } else if (times_itself) {
        turn->allowed_ns = play->move_cap_ms * 1000000;
    }
    if (!times_itself && clock->gain_ns > 0)
        turn->begin_worked_ns = clock_worked_ns();
    if (is_timed)
        turn->turn.deadline_ns = turn->begin_ns + turn->allowed_ns;
}

/* The time a built-in player used. If that is over its limit its CPU time counts instead, so that
 * it does not lose because the program was suspended. */
static int64_t used_by_built_in(const Turn *turn)
{
    int64_t used_ns = clock_ns() - turn->begin_ns;
    return used_ns <= turn->allowed_ns ? used_ns : clock_worked_ns() - turn->begin_worked_ns;
}

/* Takes the time used off the clock. False if a built-in player exceeded its limit; an external one
 * forfeits by itself. */
static bool end_turn(const GamePlay *play, TurfSide side, Turn *turn, Clock *clock,
                     GameResult *result)
{
    bool times_itself = play->players[side]->kind->is_external;
    if (!times_itself && clock->gain_ns > 0)
        turn->used_ns = used_by_built_in(turn);
    clock->left_ns -= turn->used_ns;
    if (turn->used_ns > result->slowest_ns[side])
        result->slowest_ns[side] = turn->used_ns;
    if (times_itself || turn->used_ns <= turn->allowed_ns)
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
    log_turn(play->log, player->kind->is_external);
    begin_turn(play, side, clock, &result->forfeit, &turn, error);
    if (!player_ask(player, state, side, &turn.turn))
        return false;
    Choice choice = player_choose_move(player, state, false, &turn.turn, moves);
    if (error->code != TURF_OK)
        return false;
    bool is_in_time = end_turn(play, side, &turn, clock, result);
    if (choice.n_moves == 0 || !is_in_time) {
        result->forfeiter = (int)side;
        return true;
    }
    if (player->chooser && !play->game->is_legal(state, moves[0], &why_not))
        return error_invalid(error, "the player %s chose an illegal move: %s", player->name,
                             why_not.text);
    log_move(play->log, play->game, state, moves[0], turn.used_ns, player->kind->is_external);
    play->game->apply(state, moves[0]);
    return true;
}

/* Notes that a side cannot go on. If both fail in one turn, the one that failed first has lost. */
static void note_forfeit(GameResult *result, int side, const Forfeit *forfeit, const Turn turns[2])
{
    if (result->forfeiter >= 0 && turns[side].used_ns >= turns[result->forfeiter].used_ns)
        return;
    result->forfeiter = side;
    result->forfeit = *forfeit;
}

/* Both sides see the same position, and neither sees what the other does. Both are asked before
 * either answer is collected, so that players outside of this program think at the same time; the
 * time of the others begins when they choose. */
static bool play_both(GamePlay *play, TurfState *state, Clock clocks[2], GameResult *result,
                      TurfError *error)
{
    TurfCell           cells[2][TURF_MAX_CELLS];
    TurfAction         actions[2] = {{.cells = cells[0]}, {.cells = cells[1]}};
    Turn               turns[2];
    Forfeit            forfeits[2];
    TurfPlayer *const *players = play->players;
    bool time_themselves[2] = {players[0]->kind->is_external, players[1]->kind->is_external};
    log_turn(play->log, time_themselves[0] && time_themselves[1]);
    for (int side = 0; side < 2; side++) {
        if (!time_themselves[side])
            continue;
        begin_turn(play, (TurfSide)side, &clocks[side], &forfeits[side], &turns[side], error);
        if (!player_ask(players[side], state, (TurfSide)side, &turns[side].turn))
            return false;
    }
    player_await_both(players);
    for (int side = 0; side < 2; side++) {
        if (!time_themselves[side])
            begin_turn(play, (TurfSide)side, &clocks[side], &forfeits[side], &turns[side], error);
        actions[side].n_cells = player_choose_cells(players[side], state, (TurfSide)side,
                                                    &turns[side].turn, cells[side]);
        if (error->code != TURF_OK)
            return false;
        if (!player_check_cells(players[side], state, (TurfSide)side, cells[side],
                                actions[side].n_cells, error))
            return false;
        bool is_in_time = end_turn(play, (TurfSide)side, &turns[side], &clocks[side], result);
        if (!is_in_time || actions[side].n_cells == PLAYER_FORFEITS)
            note_forfeit(result, side, &forfeits[side], turns);
    }
    if (result->forfeiter >= 0)
        return true;
    log_actions(play->log, play->game, actions, (int64_t[2]){turns[0].used_ns, turns[1].used_ns},
                time_themselves);
    play->game->apply_both(state, actions);
    return true;
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
        bool      is_good;
        if (mover == TURF_MOVER_BOTH)
            is_good = play_both(play, state, clocks, result, error);
        else
            is_good = play_turn(play, state, (TurfSide)mover, &clocks[mover], result, error);
        if (!is_good)
            return false;
        if (result->forfeiter >= 0) {
            result->is_whole = !is_stopped(play);
            result->ending = result->forfeiter ? TURF_WON_BY_FIRST : TURF_WON_BY_SECOND;
            return true;
        }
        result->length++;
    }
    /* A search that was stopped in the last turn was not finished. */
    result->is_whole = !is_stopped(play);
    return true;
}

/* A player that cannot begin has lost. If the arena is short of something there is no game, and no
 * forfeiter. */
static bool begin_game(GamePlay *play, TurfSide side, GameResult *result, TurfError *error)
{
    TurfPlayer *player = play->players[side];
    if (player_begin_game(player, play->stop, error))
        return true;
    if (error_is_shortage(error))
        return false;
    result->is_whole = !is_stopped(play);
    result->forfeiter = (int)side;
    result->ending = side ? TURF_WON_BY_FIRST : TURF_WON_BY_SECOND;
    bool is_absent = player->kind->home_seat && error->code == TURF_ERROR_NOT_FOUND;
    result->forfeit.reason = is_absent ? TURF_DISCONNECTED : TURF_CRASH;
    (void)snprintf(result->forfeit.text, sizeof result->forfeit.text, "%.*s",
                   (int)error_cut(error->text, 230), error->text);
    return false;
}

/* Waits for players that are kept at home. False: there is no game, see `result`, or an error. */
static bool gather(GamePlay *play, GameResult *result, TurfError *error)
{
    enum { PATIENCE_MS = 30000 };
    HomePresence presence =
        players_gather(play->players, play->absent_loses ? PATIENCE_MS : 0, play->stop, error);
    result->is_absent = presence == HOME_ABSENT && !play->absent_loses;
    result->is_whole = presence == HOME_PRESENT || (presence == HOME_ABSENT && play->absent_loses);
    return result->is_whole;
}

bool game_play(GamePlay *play, TurfState *state, GameResult *result, TurfError *error)
{
    *result = (GameResult){.is_whole = true, .forfeiter = -1};
    error->code = TURF_OK;
    if (play->move_cap_ms == 0)
        play->move_cap_ms = DEFAULT_MOVE_CAP_MS;
    if (!gather(play, result, error))
        return error->code == TURF_OK;
    bool has_begun =
        begin_game(play, TURF_FIRST, result, error) && begin_game(play, TURF_SECOND, result, error);
    bool is_good = has_begun ? play_turns(play, state, result, error) : result->forfeiter >= 0;
    for (int side = 0; side < 2; side++)
        player_end_game(play->players[side],
                        result->forfeiter == side ? result->forfeit.text : NULL);
    if (result->forfeiter >= 0)
        result->errors = player_error_output(play->players[result->forfeiter]);
    return is_good;
}
