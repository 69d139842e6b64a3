/* What may be done at the board. All of it is called with the lock of the sitting held. */
#include "web/sitting.h"

#include "base/clock.h"
#include "base/whole_json.h"
#include "games/battleground.h"
#include "web/server.h"
#include "web/think.h"

#include <stdlib.h>
#include <string.h>

void sitting_continue(Sitting *sitting)
{
    sitting_set_clocks(sitting);
    sitting_let_players_think(sitting);
}

/* The position is another one: what players think about the old one is of no use. */
static void position_changed(Sitting *sitting)
{
    sitting->generation++;
    sitting->changed_ns = clock_ns();
    bool was_held_up = sitting->holdups[0].text[0] || sitting->holdups[1].text[0];
    sitting->holdups[0].text[0] = sitting->holdups[1].text[0] = '\0';
    sitting_set_clocks(sitting);
    if (was_held_up)
        sitting_publish_seats(sitting);
    sitting_stop_thinking(sitting);
}

/* How a sitting stood, apart from its line: what is answered is made before anything is written, of how it will stand
 * then, and if either fails nothing has happened. */
typedef struct Standing {
    int64_t left_ns[2], since_ns[2];
    bool    is_in[2], is_over;
} Standing;

static Standing standing_of(const Sitting *sitting)
{
    Standing standing = {.is_over = sitting->is_over};
    for (int side = 0; side < 2; side++) {
        standing.left_ns[side] = sitting->left_ns[side];
        standing.since_ns[side] = sitting->since_ns[side];
        standing.is_in[side] = sitting->pending[side].is_in;
    }
    return standing;
}

static void stand_as_before(Sitting *sitting, const Standing *standing)
{
    sitting->is_over = standing->is_over;
    for (int side = 0; side < 2; side++) {
        sitting->left_ns[side] = standing->left_ns[side];
        sitting->since_ns[side] = standing->since_ns[side];
        sitting->pending[side].is_in = standing->is_in[side];
    }
}

/* Adds to `data` how it stands in a new position, and saves that; false: refused. */
static bool settle(Sitting *sitting, SaveKind kind, json_t **data, Refusal *refusal)
{
    for (int side = 0; side < 2; side++)
        sitting->pending[side].is_in = false;
    sitting_set_clocks(sitting);
    sitting_add_standing(sitting, data);
    return *data ? sitting_save(sitting, kind, refusal) : refuse_for_memory(refusal);
}

/* ---- the end ------------------------------------------------------------------------------ */

/* What is done when a game has ended in whatever way. */
static void after_the_end(Sitting *sitting)
{
    if (sitting->has_place)
        shares_give_back(&sitting->server->places, &sitting->maker);
    sitting->has_place = false;
    sitting_dismiss_players(sitting);
}

json_t *sitting_end(Sitting *sitting, const Finish *finish, Refusal *refusal)
{
    json_t  *data = json_object();
    Standing before = standing_of(sitting);
    sitting->is_over = true;
    sitting->finish = *finish;
    if (!settle(sitting, SAVE_STANDING, &data, refusal)) {
        stand_as_before(sitting, &before);
        json_decref(data);
        return NULL;
    }
    position_changed(sitting);
    after_the_end(sitting);
    channel_publish(sitting->channel, "over", json_incref(data));
    return data;
}

void sitting_lose(const Sitting *sitting, int side, const char *reason, const char *text, Finish *finish)
{
    const TurfGame *game = sitting->setup.game;
    *finish = (Finish){.winner = !side};
    snprintf(finish->outcome, sizeof finish->outcome, "%s",
             game->ending_names[side ? TURF_WON_BY_FIRST : TURF_WON_BY_SECOND]);
    snprintf(finish->reason, sizeof finish->reason, "%s", reason);
    snprintf(finish->text, sizeof finish->text, "%s", text);
}

json_t *sitting_resign(Sitting *sitting, int side, Refusal *refusal)
{
    Finish finish;
    char   text[120];
    if (sitting->is_over) {
        refuse(refusal, MHD_HTTP_CONFLICT, "over", "the game is over");
        return NULL;
    }
    snprintf(text, sizeof text, "%s resigned", sitting->setup.game->side_names[side]);
    sitting_lose(sitting, side, "resigned", text, &finish);
    return sitting_end(sitting, &finish, refusal);
}

/* ---- seats -------------------------------------------------------------------------------- */

void sitting_publish_seats(Sitting *sitting)
{
    channel_publish(sitting->channel, "seat",
                    json_pack("{s:o,s:o}", "seats", sitting_seats_json(sitting), "clock", sitting_clock_json(sitting)));
}

bool sitting_take_seat(Sitting *sitting, int side, const char *name, Refusal *refusal)
{
    Seat *seat = &sitting->seats[side], before = *seat;
    bool  is_change = !seat->is_taken || (name && strcmp(name, seat->name));
    if (!is_change)
        return true;
    seat->is_taken = true;
    if (name)
        snprintf(seat->name, sizeof seat->name, "%s", name);
    if (!sitting_save(sitting, SAVE_STANDING, refusal)) {
        *seat = before;
        return false;
    }
    sitting_set_clocks(sitting); /* they may run from now on */
    sitting_publish_seats(sitting);
    return true;
}

/* ---- moves -------------------------------------------------------------------------------- */

/* All moves are kept in memory and sent to everybody who opens the game. Ten thousand turns of AI Battleground with the
 * usual numbers have a quarter of this. */
static bool is_too_long(const Sitting *sitting, Finish *finish)
{
    enum { MOST_CELLS_PLAYED = 250000 };
    if (sitting->line.n_cells < MOST_CELLS_PLAYED)
        return false;
    *finish = (Finish){.winner = -1, .outcome = "", .reason = "too-long"};
    snprintf(finish->text, sizeof finish->text, "%d cells have been placed, and more cannot be kept",
             MOST_CELLS_PLAYED);
    return true;
}

json_t *sitting_do(Sitting *sitting, const Deed *deed, Refusal *refusal)
{
    const TurfGame *game = sitting->setup.game;
    if (sitting_falls_on_time(sitting)) {
        refuse(refusal, MHD_HTTP_CONFLICT, "over", "the time is up");
        return NULL;
    }
    TurfState before = sitting->line.state;
    Standing  standing = standing_of(sitting);
    int64_t   ms = (clock_ns() - sitting->changed_ns) / 1000000;
    json_t   *data = view_of_move(game, &before, deed, WITH_BETWEEN);
    bool      is_good = (data && line_add(&sitting->line, deed, ms)) || refuse_for_memory(refusal);
    if (is_good) {
        for (int side = 0; side < 2; side++)
            if (deed->side == side || deed->side == SIDE_BOTH) {
                sitting->left_ns[side] = sitting_left_ns(sitting, side);
                sitting->since_ns[side] = 0;
            }
        if (sitting->setup.has_clock)
            sitting_gain_time(sitting, &before, deed);
        sitting->is_over =
            finish_by_rules(game, &sitting->line.state, &sitting->finish) || is_too_long(sitting, &sitting->finish);
        json_put(&data, "ply", json_integer((json_int_t)sitting->line.n_turns));
        json_put(&data, "ms", json_integer((json_int_t)ms));
        is_good = settle(sitting, SAVE_MOVE, &data, refusal);
        if (!is_good) {
            stand_as_before(sitting, &standing);
            line_cut(&sitting->line, sitting->line.n_turns - 1);
        }
    }
    if (!is_good) {
        json_decref(data);
        return NULL;
    }
    position_changed(sitting);
    if (sitting->is_over)
        after_the_end(sitting);
    channel_publish(sitting->channel, "move", json_incref(data));
    sitting_let_players_think(sitting);
    return data;
}

bool sitting_set_pending(Sitting *sitting, int side, const TurfCell *cells, size_t n_cells)
{
    TurfCell *copy = malloc((n_cells ? n_cells : 1) * sizeof *copy);
    if (!copy)
        return false;
    if (n_cells)
        memcpy(copy, cells, n_cells * sizeof *copy);
    free(sitting->pending[side].cells);
    sitting->pending[side] = (Pending){.is_in = true, .cells = copy, .n_cells = n_cells};
    return true;
}

/* Both have chosen. */
static json_t *do_both(Sitting *sitting, Refusal *refusal)
{
    Deed deed = {.side = SIDE_BOTH};
    for (int side = 0; side < 2; side++)
        deed.actions[side] = (TurfAction){sitting->pending[side].cells, sitting->pending[side].n_cells};
    return sitting_do(sitting, &deed, refusal);
}

/* One has. A person's choice is kept like a move, and so is the clock, which stands from now on; a player thinks again
 * after a restart. */
static json_t *wait_for_other(Sitting *sitting, int side, Refusal *refusal)
{
    sitting_set_clocks(sitting);
    json_t *data = json_pack("{s:[b,b],s:o}", "pending", sitting->pending[0].is_in, sitting->pending[1].is_in, "clock",
                             sitting_clock_json(sitting));
    if (!data) {
        refuse_for_memory(refusal);
        return NULL;
    }
    if (sitting->seats[side].is_person && !sitting_save(sitting, SAVE_STANDING, refusal)) {
        json_decref(data);
        return NULL;
    }
    channel_publish(sitting->channel, "pending", json_incref(data));
    sitting_let_players_think(sitting);
    return data;
}

json_t *sitting_commit(Sitting *sitting, int side, const TurfCell *cells, size_t n_cells, Refusal *refusal)
{
    if (sitting_falls_on_time(sitting)) {
        refuse(refusal, MHD_HTTP_CONFLICT, "over", "the time is up");
        return NULL;
    }
    Pending before = sitting->pending[side];
    sitting->pending[side] = (Pending){.is_in = false};
    if (!sitting_set_pending(sitting, side, cells, n_cells)) {
        sitting->pending[side] = before;
        refuse_for_memory(refusal);
        return NULL;
    }
    json_t *data = sitting->pending[!side].is_in ? do_both(sitting, refusal) : wait_for_other(sitting, side, refusal);
    if (data) {
        free(before.cells);
    } else { /* what could not be kept has not happened */
        free(sitting->pending[side].cells);
        sitting->pending[side] = before;
        sitting_set_clocks(sitting);
    }
    return data;
}

static json_t *move_cells(Sitting *sitting, int side, const json_t *move, Refusal *refusal)
{
    const TurfGame *game = sitting->setup.game;
    TurfCell       *cells = malloc(2 * TURF_MOST_CELLS * sizeof *cells),
             *room[2] = {cells, cells ? cells + TURF_MOST_CELLS : NULL};
    json_t    *both = json_pack("{s:O}", game->side_letters[side], move), *data = NULL;
    TurfAction actions[2];
    TurfError  error;
    if (!cells || !both) {
        refuse_for_memory(refusal);
    } else if (!game->actions_from_json(&sitting->line.state, both, room, actions, &error)) {
        refuse_as_asked(refusal, &error);
    } else if (!game->is_legal_action(&sitting->line.state, (TurfSide)side, &actions[side], &error)) {
        BgState board;
        memcpy(&board, &sitting->line.state, sizeof board);
        refuse(refusal, MHD_HTTP_UNPROCESSABLE_CONTENT, "illegal-move", "%s", error.text);
        refusal->cell = (int)bg_find_fault(&board, (TurfSide)side, &actions[side]).at;
    } else if (sitting_take_seat(sitting, side, NULL, refusal)) { /* whoever moves is there */
        data = sitting_commit(sitting, side, actions[side].cells, actions[side].n_cells, refusal);
    }
    json_decref(both);
    free(cells);
    return data;
}

json_t *sitting_move(Sitting *sitting, int side, const json_t *move, int64_t n_moves_seen, Refusal *refusal)
{
    const TurfGame *game = sitting->setup.game;
    TurfMover       mover = game->to_move(&sitting->line.state);
    Deed            deed = {.side = side};
    TurfError       error;
    if (sitting->is_over || sitting_falls_on_time(sitting)) {
        refuse(refusal, MHD_HTTP_CONFLICT, "over", "the game is over");
        return NULL;
    }
    if (n_moves_seen >= 0 && (size_t)n_moves_seen != sitting->line.n_turns) {
        refuse(refusal, MHD_HTTP_CONFLICT, "stale", "%zu moves have been made by now", sitting->line.n_turns);
        return NULL;
    }
    if (mover != TURF_MOVER_BOTH && (int)mover != side) {
        refuse(refusal, MHD_HTTP_CONFLICT, "not-your-turn", "it is %s's turn", game->side_names[!side]);
        return NULL;
    }
    if (mover == TURF_MOVER_BOTH)
        return move_cells(sitting, side, move, refusal);
    if (!game->move_from_json(&sitting->line.state, move, &deed.move, &error)) {
        refuse_as_asked(refusal, &error);
        return NULL;
    }
    if (!game->is_legal(&sitting->line.state, deed.move, &error)) {
        refuse(refusal, MHD_HTTP_UNPROCESSABLE_CONTENT, "illegal-move", "%s", error.text);
        return NULL;
    }
    return sitting_take_seat(sitting, side, NULL, refusal) ? sitting_do(sitting, &deed, refusal) : NULL;
}

/* ---- undo --------------------------------------------------------------------------------- */

int64_t sitting_undo_target(const Sitting *sitting, int side)
{
    if (sitting->is_over || !sitting->seats[side].is_person || sitting->line.n_turns == 0)
        return -1;
    const Turn *last = &sitting->line.turns[sitting->line.n_turns - 1];
    TurfMover   mover = sitting->setup.game->to_move(&sitting->line.state);
    if (last->side == side && (int)mover == side && sitting->setup.game->moves_left)
        return (int64_t)sitting->line.n_turns - 1; /* still in the same turn */
    if (sitting->seats[!side].is_person)
        return -1;
    for (size_t i = sitting->line.n_turns; i-- > 0;)
        if (sitting->line.turns[i].side == side || sitting->line.turns[i].side == SIDE_BOTH)
            return (int64_t)i;
    return -1;
}

/* Where two persons agree to go back to. What one of them has committed to is the last that was done. */
static int64_t agreed_target(const Sitting *sitting)
{
    bool is_half_done = sitting->pending[0].is_in || sitting->pending[1].is_in;
    return (int64_t)sitting->line.n_turns - !is_half_done;
}

json_t *sitting_undo(Sitting *sitting, int side, bool is_agreed, Refusal *refusal)
{
    int64_t target = is_agreed ? agreed_target(sitting) : sitting_undo_target(sitting, side);
    if (sitting->is_over || target < 0) {
        refuse(refusal, MHD_HTTP_CONFLICT, sitting->is_over ? "over" : "nothing-to-undo", "%s",
               sitting->is_over ? "the game is over" : "there is nothing that you may take back");
        return NULL;
    }
    Standing standing = standing_of(sitting);
    sitting_take_back_time(sitting, (size_t)target);
    if (sitting->setup.has_clock &&
        (sitting_left_ns(sitting, side) <= 0 || (is_agreed && sitting_left_ns(sitting, !side) <= 0))) {
        stand_as_before(sitting, &standing);
        refuse(refusal, MHD_HTTP_CONFLICT, "nothing-to-undo", "without what these moves gained, no time would be left");
        return NULL;
    }
    /* The moves stay in memory until the store has let go of them. */
    size_t    n_before = sitting->line.n_turns;
    TurfState before = sitting->line.state;
    json_t   *data = json_object();
    line_position_at(&sitting->line, (size_t)target, &sitting->line.state);
    sitting->line.n_turns = (size_t)target;
    bool is_saved = settle(sitting, SAVE_UNDO, &data, refusal);
    sitting->line.n_turns = n_before;
    if (!is_saved) {
        sitting->line.state = before;
        stand_as_before(sitting, &standing);
        json_decref(data);
        return NULL;
    }
    line_cut(&sitting->line, (size_t)target);
    position_changed(sitting);
    sitting_dismiss_players(sitting); /* what they remember has not happened */
    channel_publish(sitting->channel, "undo", json_incref(data));
    sitting_let_players_think(sitting);
    return data;
}
