/* What may be done at the board. All of it is called with the lock of the live game held. */
#include "web/live_game.h"

#include "base/clock.h"
#include "base/checked_json.h"
#include "games/battleground.h"
#include "web/server.h"
#include "web/think.h"

#include <stdlib.h>
#include <string.h>

void live_game_continue(LiveGame *live_game)
{
    live_game_set_clocks(live_game);
    live_game_let_players_think(live_game);
}

/* The position is another one: what players think about the old one is of no use. */
static void position_changed(LiveGame *live_game)
{
    live_game->generation++;
    live_game->changed_ns = clock_ns();
    bool was_held_up = live_game->holdups[0].text[0] || live_game->holdups[1].text[0];
    live_game->holdups[0].text[0] = live_game->holdups[1].text[0] = '\0';
    live_game_set_clocks(live_game);
    if (was_held_up)
        live_game_publish_seats(live_game);
    live_game_stop_thinking(live_game);
}

/* How a live game stood, apart from its line: what is answered is made before anything is written,
 * of how it will stand then, and if either fails nothing has happened. */
typedef struct Snapshot {
    int64_t left_ns[2], since_ns[2];
    bool    is_in[2], is_over;
} Snapshot;

static Snapshot standing_of(const LiveGame *live_game)
{
    Snapshot snapshot = {.is_over = live_game->is_over};
    for (int side = 0; side < 2; side++) {
        snapshot.left_ns[side] = live_game->left_ns[side];
        snapshot.since_ns[side] = live_game->since_ns[side];
        snapshot.is_in[side] = live_game->pending[side].is_in;
    }
    return snapshot;
}

static void stand_as_before(LiveGame *live_game, const Snapshot *snapshot)
{
    live_game->is_over = snapshot->is_over;
    for (int side = 0; side < 2; side++) {
        live_game->left_ns[side] = snapshot->left_ns[side];
        live_game->since_ns[side] = snapshot->since_ns[side];
        live_game->pending[side].is_in = snapshot->is_in[side];
    }
}

/* Adds to `data` how it stands in a new position, and saves that; false: refused. */
static bool settle(LiveGame *live_game, SaveKind kind, json_t **data, ApiError *api_error)
{
    for (int side = 0; side < 2; side++)
        live_game->pending[side].is_in = false;
    live_game_set_clocks(live_game);
    live_game_add_standing(live_game, data);
    return *data ? live_game_save(live_game, kind, api_error) : api_error_no_memory(api_error);
}

/* ---- the end ------------------------------------------------------------------------------ */

/* What is done when a game has ended in whatever way. */
static void after_the_end(LiveGame *live_game)
{
    if (live_game->has_place)
        quota_give_back(&live_game->server->places, &live_game->maker);
    live_game->has_place = false;
    live_game_dismiss_players(live_game);
}

json_t *live_game_end(LiveGame *live_game, const Finish *finish, ApiError *api_error)
{
    json_t  *data = json_object();
    Snapshot before = standing_of(live_game);
    live_game->is_over = true;
    live_game->finish = *finish;
    if (!settle(live_game, SAVE_STANDING, &data, api_error)) {
        stand_as_before(live_game, &before);
        json_decref(data);
        return NULL;
    }
    position_changed(live_game);
    after_the_end(live_game);
    channel_publish(live_game->channel, "over", json_incref(data));
    return data;
}

json_t *live_game_resign(LiveGame *live_game, int side, ApiError *api_error)
{
    char text[120];
    if (live_game->is_over) {
        api_error_set(api_error, MHD_HTTP_CONFLICT, "over", "the game is over");
        return NULL;
    }
    snprintf(text, sizeof text, "%s resigned", live_game->setup.game->side_names[side]);
    Finish finish = finish_by_loss(live_game->setup.game, side, "resigned", text);
    return live_game_end(live_game, &finish, api_error);
}

/* ---- seats -------------------------------------------------------------------------------- */

void live_game_publish_seats(LiveGame *live_game)
{
    channel_publish(live_game->channel, "seat",
                    json_pack("{s:o,s:o}", "seats", live_game_seats_json(live_game), "clock",
                              live_game_clock_json(live_game)));
}

bool live_game_take_seat(LiveGame *live_game, int side, const char *name, ApiError *api_error)
{
    Seat *seat = &live_game->seats[side], before = *seat;
    bool  is_change = !seat->is_taken || (name && strcmp(name, seat->name));
    if (!is_change)
        return true;
    seat->is_taken = true;
    if (name)
        snprintf(seat->name, sizeof seat->name, "%s", name);
    if (!live_game_save(live_game, SAVE_STANDING, api_error)) {
        *seat = before;
        return false;
    }
    live_game_set_clocks(live_game); /* they may run from now on */
    live_game_publish_seats(live_game);
    return true;
}

/* ---- moves -------------------------------------------------------------------------------- */

/* All moves are kept in memory and sent to everybody who opens the game. Ten thousand turns of AI
 * Battleground with the usual numbers have a quarter of this. */
static bool is_too_long(const LiveGame *live_game, Finish *finish)
{
    enum { MAX_CELLS_PLAYED = 250000 };
    if (live_game->history.n_cells < MAX_CELLS_PLAYED)
        return false;
    *finish = (Finish){.winner = -1, .outcome = "", .reason = "too-long"};
    snprintf(finish->text, sizeof finish->text,
             "%d cells have been placed, and more cannot be kept", MAX_CELLS_PLAYED);
    return true;
}

json_t *live_game_do(LiveGame *live_game, const Ply *ply, ApiError *api_error)
{
    const TurfGame *game = live_game->setup.game;
    if (live_game_falls_on_time(live_game)) {
        api_error_set(api_error, MHD_HTTP_CONFLICT, "over", "the time is up");
        return NULL;
    }
    TurfState before = live_game->history.state;
    Snapshot  snapshot = standing_of(live_game);
    int64_t   ms = (clock_ns() - live_game->changed_ns) / 1000000;
    json_t   *data = view_of_move(game, &before, ply, WITH_BETWEEN);
    bool      is_good =
        (data && history_add(&live_game->history, ply, ms)) || api_error_no_memory(api_error);
    if (is_good) {
        for (int side = 0; side < 2; side++)
            if (ply->side == side || ply->side == SIDE_BOTH) {
                live_game->left_ns[side] = live_game_left_ns(live_game, side);
                live_game->since_ns[side] = 0;
            }
        if (live_game->setup.has_clock)
            live_game_gain_time(live_game, &before, ply);
        live_game->is_over = finish_by_rules(game, &live_game->history.state, &live_game->finish) ||
                             is_too_long(live_game, &live_game->finish);
        json_put(&data, "ply", json_integer((json_int_t)live_game->history.n_plies));
        json_put(&data, "ms", json_integer((json_int_t)ms));
        is_good = settle(live_game, SAVE_MOVE, &data, api_error);
        if (!is_good) {
            stand_as_before(live_game, &snapshot);
            history_seek(&live_game->history, live_game->history.n_plies - 1);
        }
    }
    if (!is_good) {
        json_decref(data);
        return NULL;
    }
    position_changed(live_game);
    if (live_game->is_over)
        after_the_end(live_game);
    channel_publish(live_game->channel, "move", json_incref(data));
    live_game_let_players_think(live_game);
    return data;
}

bool live_game_set_pending(LiveGame *live_game, int side, const TurfCell *cells, size_t n_cells)
{
    TurfCell *copy = malloc((n_cells ? n_cells : 1) * sizeof *copy);
    if (!copy)
        return false;
    if (n_cells)
        memcpy(copy, cells, n_cells * sizeof *copy);
    free(live_game->pending[side].cells);
    live_game->pending[side] = (Pending){.is_in = true, .cells = copy, .n_cells = n_cells};
    return true;
}

/* Both have chosen. */
static json_t *do_both(LiveGame *live_game, ApiError *api_error)
{
    Ply ply = {.side = SIDE_BOTH};
    for (int side = 0; side < 2; side++)
        ply.actions[side] =
            (TurfAction){live_game->pending[side].cells, live_game->pending[side].n_cells};
    return live_game_do(live_game, &ply, api_error);
}

/* One has. A person's choice is kept like a move, and so is the clock, which stands from now on; a
 * player thinks again after a restart. */
static json_t *wait_for_other(LiveGame *live_game, int side, ApiError *api_error)
{
    live_game_set_clocks(live_game);
    json_t *data = json_pack("{s:[b,b],s:o}", "pending", live_game->pending[0].is_in,
                             live_game->pending[1].is_in, "clock", live_game_clock_json(live_game));
    if (!data) {
        api_error_no_memory(api_error);
        return NULL;
    }
    if (live_game->seats[side].is_person && !live_game_save(live_game, SAVE_STANDING, api_error)) {
        json_decref(data);
        return NULL;
    }
    channel_publish(live_game->channel, "pending", json_incref(data));
    live_game_let_players_think(live_game);
    return data;
}

json_t *live_game_commit(LiveGame *live_game, int side, const TurfCell *cells, size_t n_cells,
                         ApiError *api_error)
{
    if (live_game_falls_on_time(live_game)) {
        api_error_set(api_error, MHD_HTTP_CONFLICT, "over", "the time is up");
        return NULL;
    }
    Pending before = live_game->pending[side];
    live_game->pending[side] = (Pending){.is_in = false};
    if (!live_game_set_pending(live_game, side, cells, n_cells)) {
        live_game->pending[side] = before;
        api_error_no_memory(api_error);
        return NULL;
    }
    json_t *data = live_game->pending[!side].is_in ? do_both(live_game, api_error)
                                                   : wait_for_other(live_game, side, api_error);
    if (data) {
        free(before.cells);
    } else { /* what could not be kept has not happened */
        free(live_game->pending[side].cells);
        live_game->pending[side] = before;
        live_game_set_clocks(live_game);
    }
    return data;
}

static json_t *move_cells(LiveGame *live_game, int side, const json_t *move, ApiError *api_error)
{
    const TurfGame *game = live_game->setup.game;
    TurfCell       *cells = malloc(2 * TURF_MAX_CELLS * sizeof *cells),
             *room[2] = {cells, cells ? cells + TURF_MAX_CELLS : NULL};
    json_t    *both = json_pack("{s:O}", game->side_letters[side], move), *data = NULL;
    TurfAction actions[2];
    TurfError  error;
    if (!cells || !both) {
        api_error_no_memory(api_error);
    } else if (!game->actions_from_json(&live_game->history.state, both, room, actions, &error)) {
        api_error_as_asked(api_error, &error);
    } else if (!game->is_legal_action(&live_game->history.state, (TurfSide)side, &actions[side],
                                      &error)) {
        BgState board;
        memcpy(&board, &live_game->history.state, sizeof board);
        api_error_set(api_error, MHD_HTTP_UNPROCESSABLE_CONTENT, "illegal-move", "%s", error.text);
        api_error->cell = (int)bg_find_fault(&board, (TurfSide)side, &actions[side]).at;
    } else if (live_game_take_seat(live_game, side, NULL, api_error)) { /* whoever moves is there */
        data = live_game_commit(live_game, side, actions[side].cells, actions[side].n_cells,
                                api_error);
    }
    json_decref(both);
    free(cells);
    return data;
}

json_t *live_game_move(LiveGame *live_game, int side, const json_t *move, int64_t n_moves_seen,
                       ApiError *api_error)
{
    const TurfGame *game = live_game->setup.game;
    TurfMover       mover = game->to_move(&live_game->history.state);
    Ply             ply = {.side = side};
    TurfError       error;
    if (live_game->is_over || live_game_falls_on_time(live_game)) {
        api_error_set(api_error, MHD_HTTP_CONFLICT, "over", "the game is over");
        return NULL;
    }
    if (n_moves_seen >= 0 && (size_t)n_moves_seen != live_game->history.n_plies) {
        api_error_set(api_error, MHD_HTTP_CONFLICT, "stale", "%zu moves have been made by now",
                      live_game->history.n_plies);
        return NULL;
    }
    if (mover != TURF_MOVER_BOTH && (int)mover != side) {
        api_error_set(api_error, MHD_HTTP_CONFLICT, "not-your-turn", "it is %s's turn",
                      game->side_names[!side]);
        return NULL;
    }
    if (mover == TURF_MOVER_BOTH)
        return move_cells(live_game, side, move, api_error);
    if (!game->move_from_json(&live_game->history.state, move, &ply.move, &error)) {
        api_error_as_asked(api_error, &error);
        return NULL;
    }
    if (!game->is_legal(&live_game->history.state, ply.move, &error)) {
        api_error_set(api_error, MHD_HTTP_UNPROCESSABLE_CONTENT, "illegal-move", "%s", error.text);
        return NULL;
    }
    return live_game_take_seat(live_game, side, NULL, api_error)
               ? live_game_do(live_game, &ply, api_error)
               : NULL;
}

/* ---- undo --------------------------------------------------------------------------------- */

int64_t live_game_undo_target(const LiveGame *live_game, int side)
{
    if (live_game->is_over || !live_game->seats[side].is_person || live_game->history.n_plies == 0)
        return -1;
    const PlayedPly *last = &live_game->history.plies[live_game->history.n_plies - 1];
    TurfMover        mover = live_game->setup.game->to_move(&live_game->history.state);
    if (last->ply.side == side && (int)mover == side && live_game->setup.game->moves_left)
        return (int64_t)live_game->history.n_plies - 1; /* still in the same turn */
    if (live_game->seats[!side].is_person)
        return -1;
    for (size_t i = live_game->history.n_plies; i-- > 0;)
        if (live_game->history.plies[i].ply.side == side ||
            live_game->history.plies[i].ply.side == SIDE_BOTH)
            return (int64_t)i;
    return -1;
}

/* Where two persons agree to go back to. What one of them has committed to is the last that was
 * done. */
static int64_t agreed_target(const LiveGame *live_game)
{
    bool is_half_done = live_game->pending[0].is_in || live_game->pending[1].is_in;
    return (int64_t)live_game->history.n_plies - !is_half_done;
}

json_t *live_game_undo(LiveGame *live_game, int side, bool is_agreed, ApiError *api_error)
{
    int64_t target = is_agreed ? agreed_target(live_game) : live_game_undo_target(live_game, side);
    if (live_game->is_over || target < 0) {
        api_error_set(
            api_error, MHD_HTTP_CONFLICT, live_game->is_over ? "over" : "nothing-to-undo", "%s",
            live_game->is_over ? "the game is over" : "there is nothing that you may take back");
        return NULL;
    }
    Snapshot snapshot = standing_of(live_game);
    live_game_take_back_time(live_game, (size_t)target);
    if (live_game->setup.has_clock && (live_game_left_ns(live_game, side) <= 0 ||
                                       (is_agreed && live_game_left_ns(live_game, !side) <= 0))) {
        stand_as_before(live_game, &snapshot);
        api_error_set(api_error, MHD_HTTP_CONFLICT, "nothing-to-undo",
                      "without what these moves gained, no time would be left");
        return NULL;
    }
    size_t  n_before = live_game->history.n_plies;
    json_t *data = json_object();
    history_seek(&live_game->history, (size_t)target);
    if (!settle(live_game, SAVE_UNDO, &data, api_error)) {
        history_seek(&live_game->history, n_before);
        stand_as_before(live_game, &snapshot);
        json_decref(data);
        return NULL;
    }
    position_changed(live_game);
    live_game_dismiss_players(live_game); /* what they remember has not happened */
    channel_publish(live_game->channel, "undo", json_incref(data));
    live_game_let_players_think(live_game);
    return data;
}
