/* Live games. Each operation begins with take_snapshot, so that live_game_rollback restores the
 * state before it. The snapshot shares the cells of pending actions with the game; whichever of the
 * two is dropped frees the cells that the other does not have. */
#include "live/live_game.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

void live_game_init(LiveGame *game, const TurfGame *rules, const TurfState *start,
                    const GameClock *clock, int64_t now_ns)
{
    *game = (LiveGame){.clock = *clock, .changed_ns = now_ns};
    history_init(&game->history, rules, start);
    game->is_over = finish_by_rules(rules, start, &game->finish);
}

/* ---- snapshot and rollback ---------------------------------------------------------------- */

static void release_snapshot(LiveGame *game)
{
    for (int side = 0; side < 2; side++) {
        if (game->before.pending[side].cells != game->pending[side].cells)
            free(game->before.pending[side].cells);
        game->before.pending[side].cells = NULL;
    }
}

static void take_snapshot(LiveGame *game)
{
    release_snapshot(game);
    game->before = (LiveGameSnapshot){.n_plies = game->history.n_plies,
                                      .clock = game->clock,
                                      .pending = {game->pending[0], game->pending[1]},
                                      .is_over = game->is_over,
                                      .finish = game->finish,
                                      .changed_ns = game->changed_ns};
}

void live_game_rollback(LiveGame *game)
{
    const LiveGameSnapshot *before = &game->before;
    history_seek(&game->history, before->n_plies);
    game->clock = before->clock;
    game->is_over = before->is_over;
    game->finish = before->finish;
    game->changed_ns = before->changed_ns;
    for (int side = 0; side < 2; side++) {
        if (game->pending[side].cells != before->pending[side].cells)
            free(game->pending[side].cells);
        game->pending[side] = before->pending[side];
    }
}

void live_game_release(LiveGame *game)
{
    release_snapshot(game);
    for (int side = 0; side < 2; side++)
        free(game->pending[side].cells);
    history_release(&game->history);
    game->pending[0] = game->pending[1] = (PendingAction){.is_in = false};
}

/* ---- clocks ------------------------------------------------------------------------------- */

bool live_game_is_due(const LiveGame *game, int side)
{
    if (game->is_over)
        return false;
    TurfMover mover = game->history.game->to_move(&game->history.state);
    return (int)mover == side || (mover == TURF_MOVER_BOTH && !game->pending[side].is_in);
}

void live_game_update_clocks(LiveGame *game, int64_t now_ns)
{
    if (!game->clock.is_on)
        return;
    for (int side = 0; side < 2; side++)
        if (live_game_is_due(game, side) && !game->is_paused[side])
            game_clock_start(&game->clock, side, now_ns);
        else
            game_clock_stop(&game->clock, side, now_ns);
}

/* A side gains time at the end of each of its turns, not for each ply of one. */
static bool ends_turn(const TurfGame *rules, const TurfState *before, const Ply *ply,
                      const TurfState *after, int side)
{
    if (ply->side == SIDE_BOTH)
        return true;
    return ply->side == side && rules->to_move(before) != rules->to_move(after);
}

static void gain_time(LiveGame *game, const TurfState *before, const Ply *ply, int64_t now_ns)
{
    if (!game->clock.is_on)
        return;
    for (int side = 0; side < 2; side++) {
        if (ply->side == side || ply->side == SIDE_BOTH)
            game_clock_stop(&game->clock, side, now_ns);
        if (ends_turn(game->history.game, before, ply, &game->history.state, side))
            game_clock_gain(&game->clock, side);
    }
}

/* The gains of the plies from `first` on are lost with them: otherwise moving and taking back in
 * turn would gain time without end. */
static void take_gains_back(LiveGame *game, size_t first)
{
    const TurfGame *rules = game->history.game;
    TurfState       before, after;
    if (!game->clock.is_on)
        return;
    history_position_at(&game->history, first, &before);
    for (size_t i = first; i < game->history.n_plies; i++, before = after) {
        const Ply *ply = &game->history.plies[i].ply;
        after = before;
        ply_apply(rules, &after, ply);
        for (int side = 0; side < 2; side++)
            if (ends_turn(rules, &before, ply, &after, side))
                game_clock_take_gain_back(&game->clock, side);
    }
}

/* ---- moves -------------------------------------------------------------------------------- */

/* The position is another one, or will not change any more. */
static void position_changed(LiveGame *game, int64_t now_ns)
{
    game->pending[0].is_in = game->pending[1].is_in = false;
    game->changed_ns = now_ns;
    live_game_update_clocks(game, now_ns);
}

static bool is_too_long(const LiveGame *game, Finish *finish)
{
    char text[80];
    if (game->history.n_cells < MAX_CELLS_PLAYED)
        return false;
    (void)snprintf(text, sizeof text, "%d cells have been placed, and more cannot be kept",
                   MAX_CELLS_PLAYED);
    *finish = finish_without_winner("too-long", text);
    return true;
}

static bool play(LiveGame *game, const Ply *ply, int64_t now_ns)
{
    TurfState before = game->history.state;
    if (!history_add(&game->history, ply, (now_ns - game->changed_ns) / 1000000))
        return false;
    gain_time(game, &before, ply, now_ns);
    game->is_over = finish_by_rules(game->history.game, &game->history.state, &game->finish) ||
                    is_too_long(game, &game->finish);
    position_changed(game, now_ns);
    return true;
}

bool live_game_play(LiveGame *game, const Ply *ply, int64_t now_ns)
{
    take_snapshot(game);
    return play(game, ply, now_ns);
}

bool live_game_commit(LiveGame *game, int side, const TurfAction *action, int64_t now_ns)
{
    size_t    n_cells = action->n_cells;
    TurfCell *cells = malloc((n_cells ? n_cells : 1) * sizeof *cells);
    if (!cells)
        return false;
    if (n_cells)
        memcpy(cells, action->cells, n_cells * sizeof *cells);
    take_snapshot(game);
    game->pending[side] = (PendingAction){.is_in = true, .cells = cells, .n_cells = n_cells};
    const PendingAction *pending = game->pending;
    if (!pending[!side].is_in) {
        live_game_update_clocks(game, now_ns);
        return true;
    }
    Ply ply = {.side = SIDE_BOTH,
               .actions = {{pending[0].cells, pending[0].n_cells},
                           {pending[1].cells, pending[1].n_cells}}};
    if (play(game, &ply, now_ns))
        return true;
    live_game_rollback(game);
    return false;
}

/* ---- undo --------------------------------------------------------------------------------- */

int64_t live_game_undo_target(const LiveGame *game, int side, UndoKind kind)
{
    const MoveHistory *history = &game->history;
    int64_t            n_plies = (int64_t)history->n_plies;
    if (game->is_over)
        return -1;
    if (kind == UNDO_TOGETHER) {
        bool is_half_done = game->pending[0].is_in || game->pending[1].is_in;
        return is_half_done ? n_plies : n_plies - 1;
    }
    if (!game->is_person[side] || n_plies == 0)
        return -1;
    bool is_to_move = (int)history->game->to_move(&history->state) == side;
    if (history->plies[n_plies - 1].ply.side == side && is_to_move && history->game->moves_left)
        return n_plies - 1; /* still in the same turn */
    if (game->is_person[!side] && kind != UNDO_GRANTED)
        return -1;
    for (int64_t i = n_plies - 1; i >= 0; i--) {
        int mover = history->plies[i].ply.side;
        if (mover == side || mover == SIDE_BOTH)
            return i;
    }
    return -1;
}

bool live_game_undo(LiveGame *game, int side, UndoKind kind, int64_t now_ns, TurfError *error)
{
    int64_t target = live_game_undo_target(game, side, kind);
    if (target < 0)
        return error_invalid(error, "there is nothing that you may take back");
    take_snapshot(game);
    take_gains_back(game, (size_t)target);
    bool has_time = game_clock_left_ns(&game->clock, side, now_ns) > 0 &&
                    (kind == UNDO_OWN || game_clock_left_ns(&game->clock, !side, now_ns) > 0);
    if (game->clock.is_on && !has_time) {
        live_game_rollback(game);
        return error_invalid(error, "without what these moves gained, no time would be left");
    }
    history_seek(&game->history, (size_t)target);
    position_changed(game, now_ns);
    return true;
}

/* ---- the end ------------------------------------------------------------------------------ */

void live_game_end(LiveGame *game, const Finish *finish, int64_t now_ns)
{
    take_snapshot(game);
    game->is_over = true;
    game->finish = *finish;
    position_changed(game, now_ns);
}

static void lose(LiveGame *game, int side, const char *reason, const char *what, int64_t now_ns)
{
    const TurfGame *rules = game->history.game;
    char            text[120];
    (void)snprintf(text, sizeof text, "%s %s", rules->side_names[side], what);
    Finish finish = finish_by_loss(rules, side, reason, text);
    live_game_end(game, &finish, now_ns);
}

void live_game_resign(LiveGame *game, int side, int64_t now_ns)
{
    lose(game, side, "resigned", "resigned", now_ns);
}

bool live_game_check_time(LiveGame *game, int64_t now_ns)
{
    for (int side = 0; side < 2; side++)
        if (game->clock.since_ns[side] && game_clock_left_ns(&game->clock, side, now_ns) <= 0) {
            lose(game, side, "time", "ran out of time", now_ns);
            return true;
        }
    return false;
}
