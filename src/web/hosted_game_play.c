/* What may be done at the board. All of it is called with the lock of the live game held. */
#include "web/hosted_game.h"

#include "base/clock.h"
#include "base/checked_json.h"
#include "games/cells.h"
#include "web/server.h"
#include "web/think.h"

#include <stdlib.h>
#include <string.h>

void hosted_game_continue(HostedGame *hosted)
{
    hosted_game_set_clocks(hosted);
    hosted_game_let_players_think(hosted);
}

/* The position is another one: what players think about the old one is of no use. */
static void position_changed(HostedGame *hosted)
{
    hosted->generation++;
    hosted->changed_ns = clock_ns();
    bool was_held_up = hosted->holdups[0].text[0] || hosted->holdups[1].text[0];
    hosted->holdups[0].text[0] = hosted->holdups[1].text[0] = '\0';
    hosted_game_set_clocks(hosted);
    if (was_held_up)
        hosted_game_publish_seats(hosted);
    hosted_game_stop_thinking(hosted);
}

/* How a live game stood, apart from its line: what is answered is made before anything is written,
 * of how it will stand then, and if either fails nothing has happened. */
typedef struct Snapshot {
    int64_t left_ns[2], since_ns[2];
    bool    is_in[2], is_over;
} Snapshot;

static Snapshot standing_of(const HostedGame *hosted)
{
    Snapshot snapshot = {.is_over = hosted->is_over};
    for (int side = 0; side < 2; side++) {
        snapshot.left_ns[side] = hosted->left_ns[side];
        snapshot.since_ns[side] = hosted->since_ns[side];
        snapshot.is_in[side] = hosted->pending[side].is_in;
    }
    return snapshot;
}

static void stand_as_before(HostedGame *hosted, const Snapshot *snapshot)
{
    hosted->is_over = snapshot->is_over;
    for (int side = 0; side < 2; side++) {
        hosted->left_ns[side] = snapshot->left_ns[side];
        hosted->since_ns[side] = snapshot->since_ns[side];
        hosted->pending[side].is_in = snapshot->is_in[side];
    }
}

/* Adds to `data` how it stands in a new position, and saves that; false: refused. */
static bool settle(HostedGame *hosted, SaveKind kind, json_t **data, ApiError *api_error)
{
    for (int side = 0; side < 2; side++)
        hosted->pending[side].is_in = false;
    hosted_game_set_clocks(hosted);
    hosted_game_add_standing(hosted, data);
    return *data ? hosted_game_save(hosted, kind, api_error) : api_error_no_memory(api_error);
}

/* ---- the end ------------------------------------------------------------------------------ */

/* What is done when a game has ended in whatever way. */
static void after_the_end(HostedGame *hosted)
{
    if (hosted->has_place)
        quota_give_back(&hosted->server->quota, &hosted->maker, SLOT_LIVE_GAME);
    hosted->has_place = false;
    hosted_game_dismiss_players(hosted);
}

json_t *hosted_game_end(HostedGame *hosted, const Finish *finish, ApiError *api_error)
{
    json_t  *data = json_object();
    Snapshot before = standing_of(hosted);
    hosted->is_over = true;
    hosted->finish = *finish;
    if (!settle(hosted, SAVE_STANDING, &data, api_error)) {
        stand_as_before(hosted, &before);
        json_decref(data);
        return NULL;
    }
    position_changed(hosted);
    after_the_end(hosted);
    channel_publish(hosted->channel, "over", json_incref(data));
    return data;
}

json_t *hosted_game_resign(HostedGame *hosted, int side, ApiError *api_error)
{
    char text[120];
    if (hosted->is_over) {
        api_error_set(api_error, MHD_HTTP_CONFLICT, "over", "the game is over");
        return NULL;
    }
    snprintf(text, sizeof text, "%s resigned", hosted->setup.game->side_names[side]);
    Finish finish = finish_by_loss(hosted->setup.game, side, "resigned", text);
    return hosted_game_end(hosted, &finish, api_error);
}

/* ---- seats -------------------------------------------------------------------------------- */

void hosted_game_publish_seats(HostedGame *hosted)
{
    channel_publish(hosted->channel, "seat",
                    json_pack("{s:o,s:o}", "seats", hosted_game_seats_json(hosted), "clock",
                              hosted_game_clock_json(hosted)));
}

bool hosted_game_take_seat(HostedGame *hosted, int side, const char *name, ApiError *api_error)
{
    Seat *seat = &hosted->seats[side], before = *seat;
    bool  is_change = !seat->is_taken || (name && strcmp(name, seat->name));
    if (!is_change)
        return true;
    seat->is_taken = true;
    if (name)
        snprintf(seat->name, sizeof seat->name, "%s", name);
    if (!hosted_game_save(hosted, SAVE_STANDING, api_error)) {
        *seat = before;
        return false;
    }
    hosted_game_set_clocks(hosted); /* they may run from now on */
    hosted_game_publish_seats(hosted);
    return true;
}

/* ---- moves -------------------------------------------------------------------------------- */

/* All moves are kept in memory and sent to everybody who opens the game. Ten thousand turns of AI
 * Battleground with the usual numbers have a quarter of this. */
static bool is_too_long(const HostedGame *hosted, Finish *finish)
{
    enum { MAX_CELLS_PLAYED = 250000 };
    if (hosted->history.n_cells < MAX_CELLS_PLAYED)
        return false;
    *finish = (Finish){.winner = -1, .outcome = "", .reason = "too-long"};
    snprintf(finish->text, sizeof finish->text,
             "%d cells have been placed, and more cannot be kept", MAX_CELLS_PLAYED);
    return true;
}

json_t *hosted_game_do(HostedGame *hosted, const Ply *ply, ApiError *api_error)
{
    const TurfGame *game = hosted->setup.game;
    if (hosted_game_falls_on_time(hosted)) {
        api_error_set(api_error, MHD_HTTP_CONFLICT, "over", "the time is up");
        return NULL;
    }
    TurfState before = hosted->history.state;
    Snapshot  snapshot = standing_of(hosted);
    int64_t   ms = (clock_ns() - hosted->changed_ns) / 1000000;
    json_t   *data = view_of_move(game, &before, ply, WITH_BETWEEN);
    bool      is_good =
        (data && history_add(&hosted->history, ply, ms)) || api_error_no_memory(api_error);
    if (is_good) {
        for (int side = 0; side < 2; side++)
            if (ply->side == side || ply->side == SIDE_BOTH) {
                hosted->left_ns[side] = hosted_game_left_ns(hosted, side);
                hosted->since_ns[side] = 0;
            }
        if (hosted->setup.has_clock)
            hosted_game_gain_time(hosted, &before, ply);
        hosted->is_over = finish_by_rules(game, &hosted->history.state, &hosted->finish) ||
                          is_too_long(hosted, &hosted->finish);
        json_put(&data, "ply", json_integer((json_int_t)hosted->history.n_plies));
        json_put(&data, "ms", json_integer((json_int_t)ms));
        is_good = settle(hosted, SAVE_MOVE, &data, api_error);
        if (!is_good) {
            stand_as_before(hosted, &snapshot);
            history_seek(&hosted->history, hosted->history.n_plies - 1);
        }
    }
    if (!is_good) {
        json_decref(data);
        return NULL;
    }
    position_changed(hosted);
    if (hosted->is_over)
        after_the_end(hosted);
    channel_publish(hosted->channel, "move", json_incref(data));
    hosted_game_let_players_think(hosted);
    return data;
}

bool hosted_game_set_pending(HostedGame *hosted, int side, const TurfCell *cells, size_t n_cells)
{
    TurfCell *copy = malloc((n_cells ? n_cells : 1) * sizeof *copy);
    if (!copy)
        return false;
    if (n_cells)
        memcpy(copy, cells, n_cells * sizeof *copy);
    free(hosted->pending[side].cells);
    hosted->pending[side] = (Pending){.is_in = true, .cells = copy, .n_cells = n_cells};
    return true;
}

/* Both have chosen. */
static json_t *do_both(HostedGame *hosted, ApiError *api_error)
{
    Ply ply = {.side = SIDE_BOTH};
    for (int side = 0; side < 2; side++)
        ply.actions[side] =
            (TurfAction){hosted->pending[side].cells, hosted->pending[side].n_cells};
    return hosted_game_do(hosted, &ply, api_error);
}

/* One has. A person's choice is kept like a move, and so is the clock, which stands from now on; a
 * player thinks again after a restart. */
static json_t *wait_for_other(HostedGame *hosted, int side, ApiError *api_error)
{
    hosted_game_set_clocks(hosted);
    json_t *data = json_pack("{s:[b,b],s:o}", "pending", hosted->pending[0].is_in,
                             hosted->pending[1].is_in, "clock", hosted_game_clock_json(hosted));
    if (!data) {
        api_error_no_memory(api_error);
        return NULL;
    }
    if (hosted->seats[side].is_person && !hosted_game_save(hosted, SAVE_STANDING, api_error)) {
        json_decref(data);
        return NULL;
    }
    channel_publish(hosted->channel, "pending", json_incref(data));
    hosted_game_let_players_think(hosted);
    return data;
}

json_t *hosted_game_commit(HostedGame *hosted, int side, const TurfCell *cells, size_t n_cells,
                           ApiError *api_error)
{
    if (hosted_game_falls_on_time(hosted)) {
        api_error_set(api_error, MHD_HTTP_CONFLICT, "over", "the time is up");
        return NULL;
    }
    Pending before = hosted->pending[side];
    hosted->pending[side] = (Pending){.is_in = false};
    if (!hosted_game_set_pending(hosted, side, cells, n_cells)) {
        hosted->pending[side] = before;
        api_error_no_memory(api_error);
        return NULL;
    }
    json_t *data = hosted->pending[!side].is_in ? do_both(hosted, api_error)
                                                : wait_for_other(hosted, side, api_error);
    if (data) {
        free(before.cells);
    } else { /* what could not be kept has not happened */
        free(hosted->pending[side].cells);
        hosted->pending[side] = before;
        hosted_game_set_clocks(hosted);
    }
    return data;
}

static json_t *move_cells(HostedGame *hosted, int side, const json_t *move, ApiError *api_error)
{
    const TurfGame *game = hosted->setup.game;
    TurfCell       *cells = malloc(2 * TURF_MAX_CELLS * sizeof *cells),
             *room[2] = {cells, cells ? cells + TURF_MAX_CELLS : NULL};
    json_t    *both = json_pack("{s:O}", game->side_letters[side], move), *data = NULL;
    TurfAction actions[2];
    TurfError  error;
    if (!cells || !both) {
        api_error_no_memory(api_error);
    } else if (!game_actions_from_json(game, both, room, actions, &error)) {
        api_error_from(api_error, &error);
    } else if (!game->is_legal_action(&hosted->history.state, (TurfSide)side, &actions[side],
                                      &error)) {
        api_error_set(api_error, MHD_HTTP_UNPROCESSABLE_CONTENT, "illegal-move", "%s", error.text);
        api_error->cell =
            (int)game_find_bad_cell(game, &hosted->history.state, (TurfSide)side, &actions[side]);
    } else if (hosted_game_take_seat(hosted, side, NULL, api_error)) { /* whoever moves is there */
        data =
            hosted_game_commit(hosted, side, actions[side].cells, actions[side].n_cells, api_error);
    }
    json_decref(both);
    free(cells);
    return data;
}

json_t *hosted_game_move(HostedGame *hosted, int side, const json_t *move, int64_t n_moves_seen,
                         ApiError *api_error)
{
    const TurfGame *game = hosted->setup.game;
    TurfMover       mover = game->to_move(&hosted->history.state);
    Ply             ply = {.side = side};
    TurfError       error;
    if (hosted->is_over || hosted_game_falls_on_time(hosted)) {
        api_error_set(api_error, MHD_HTTP_CONFLICT, "over", "the game is over");
        return NULL;
    }
    if (n_moves_seen >= 0 && (size_t)n_moves_seen != hosted->history.n_plies) {
        api_error_set(api_error, MHD_HTTP_CONFLICT, "stale", "%zu moves have been made by now",
                      hosted->history.n_plies);
        return NULL;
    }
    if (mover != TURF_MOVER_BOTH && (int)mover != side) {
        api_error_set(api_error, MHD_HTTP_CONFLICT, "not-your-turn", "it is %s's turn",
                      game->side_names[!side]);
        return NULL;
    }
    if (mover == TURF_MOVER_BOTH)
        return move_cells(hosted, side, move, api_error);
    if (!game->move_from_json(&hosted->history.state, move, &ply.move, &error)) {
        api_error_from(api_error, &error);
        return NULL;
    }
    if (!game->is_legal(&hosted->history.state, ply.move, &error)) {
        api_error_set(api_error, MHD_HTTP_UNPROCESSABLE_CONTENT, "illegal-move", "%s", error.text);
        return NULL;
    }
    return hosted_game_take_seat(hosted, side, NULL, api_error)
               ? hosted_game_do(hosted, &ply, api_error)
               : NULL;
}

/* ---- undo --------------------------------------------------------------------------------- */

int64_t hosted_game_undo_target(const HostedGame *hosted, int side)
{
    if (hosted->is_over || !hosted->seats[side].is_person || hosted->history.n_plies == 0)
        return -1;
    const PlayedPly *last = &hosted->history.plies[hosted->history.n_plies - 1];
    TurfMover        mover = hosted->setup.game->to_move(&hosted->history.state);
    if (last->ply.side == side && (int)mover == side && hosted->setup.game->moves_left)
        return (int64_t)hosted->history.n_plies - 1; /* still in the same turn */
    if (hosted->seats[!side].is_person)
        return -1;
    for (size_t i = hosted->history.n_plies; i-- > 0;)
        if (hosted->history.plies[i].ply.side == side ||
            hosted->history.plies[i].ply.side == SIDE_BOTH)
            return (int64_t)i;
    return -1;
}

/* Where two persons agree to go back to. What one of them has committed to is the last that was
 * done. */
static int64_t agreed_target(const HostedGame *hosted)
{
    bool is_half_done = hosted->pending[0].is_in || hosted->pending[1].is_in;
    return (int64_t)hosted->history.n_plies - !is_half_done;
}

json_t *hosted_game_undo(HostedGame *hosted, int side, bool is_agreed, ApiError *api_error)
{
    int64_t target = is_agreed ? agreed_target(hosted) : hosted_game_undo_target(hosted, side);
    if (hosted->is_over || target < 0) {
        api_error_set(
            api_error, MHD_HTTP_CONFLICT, hosted->is_over ? "over" : "nothing-to-undo", "%s",
            hosted->is_over ? "the game is over" : "there is nothing that you may take back");
        return NULL;
    }
    Snapshot snapshot = standing_of(hosted);
    hosted_game_take_back_time(hosted, (size_t)target);
    if (hosted->setup.has_clock && (hosted_game_left_ns(hosted, side) <= 0 ||
                                    (is_agreed && hosted_game_left_ns(hosted, !side) <= 0))) {
        stand_as_before(hosted, &snapshot);
        api_error_set(api_error, MHD_HTTP_CONFLICT, "nothing-to-undo",
                      "without what these moves gained, no time would be left");
        return NULL;
    }
    size_t  n_before = hosted->history.n_plies;
    json_t *data = json_object();
    history_seek(&hosted->history, (size_t)target);
    if (!settle(hosted, SAVE_UNDO, &data, api_error)) {
        history_seek(&hosted->history, n_before);
        stand_as_before(hosted, &snapshot);
        json_decref(data);
        return NULL;
    }
    position_changed(hosted);
    hosted_game_dismiss_players(hosted); /* what they remember has not happened */
    channel_publish(hosted->channel, "undo", json_incref(data));
    hosted_game_let_players_think(hosted);
    return data;
}
