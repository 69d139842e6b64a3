/* Hosted games: making them, and every change to one.
 *
 * A change goes through live/live_game.h first; then the response is built, the change is stored,
 * and only then published (`settle`). If building or storing fails the change is rolled back, so
 * no client sees a move that could be lost. All functions but those that make, retain and release
 * one are called with its lock held. */
#include "web/hosted_game.h"

#include "base/checked_json.h"
#include "base/clock.h"
#include "games/cells.h"
#include "web/server.h"

#include <stdlib.h>
#include <string.h>

/* ---- making and releasing ----------------------------------------------------------------- */

void setup_release(Setup *setup)
{
    free(setup->start_text);
    json_decref(setup->config);
    *setup = (Setup){.game = NULL};
}

void seat_release(Seat *seat)
{
    free(seat->player);
    json_decref(seat->options);
    free(seat->spec);
    *seat = (Seat){.is_person = false};
}

HostedGame *hosted_game_new(Server *server, const char *id, Setup *setup, Seat seats[2])
{
    HostedGame *hosted = calloc(1, sizeof *hosted);
    Channel    *channel = channel_new(setup->initial_ms ? SNAPSHOT_AGES : SNAPSHOT_LASTS);
    if (!hosted || !channel) {
        free(hosted);
        channel_release(channel);
        setup_release(setup);
        seat_release(&seats[0]);
        seat_release(&seats[1]);
        return NULL;
    }
    int64_t   now_ns = clock_ns();
    GameClock clock = game_clock(setup->initial_ms, setup->gain_ms);
    atomic_init(&hosted->n_references, 1);
    pthread_mutex_init(&hosted->lock, NULL);
    hosted->server = server;
    snprintf(hosted->id, sizeof hosted->id, "%s", id);
    hosted->channel = channel;
    hosted->setup = *setup;
    live_game_init(&hosted->live, setup->game, &setup->start, &clock, now_ns);
    for (int side = 0; side < 2; side++) {
        hosted->seats[side] = seats[side];
        hosted->live.is_person[side] = seats[side].is_person;
        hosted->live.is_paused[side] = true;
    }
    hosted->created_ms = now_ms();
    atomic_init(&hosted->updated_ms, hosted->created_ms);
    atomic_init(&hosted->touched_ns, now_ns);
    hosted->looked_ns = INT64_MIN / 2;
    hosted->is_news = true;
    *setup = (Setup){.game = NULL};
    seats[0] = seats[1] = (Seat){.is_person = false};
    return hosted;
}

HostedGame *hosted_game_retain(HostedGame *hosted)
{
    atomic_fetch_add(&hosted->n_references, 1);
    return hosted;
}

void hosted_game_release(HostedGame *hosted)
{
    if (!hosted || atomic_fetch_sub(&hosted->n_references, 1) != 1)
        return;
    if (hosted->has_slot)
        quota_give_back(&hosted->server->quota, &hosted->maker, SLOT_LIVE_GAME);
    live_game_release(&hosted->live);
    for (int side = 0; side < 2; side++) {
        player_leave(hosted->server, hosted->kept[side]);
        seat_release(&hosted->seats[side]);
    }
    setup_release(&hosted->setup);
    channel_release(hosted->channel);
    pthread_mutex_destroy(&hosted->lock);
    free(hosted);
}

/* ---- seats and clocks --------------------------------------------------------------------- */

int hosted_game_side_of(const HostedGame *hosted, const char *token)
{
    /* Always compares both, so that the time it takes does not tell which one matched. */
    bool is_first = token_matches(token, hosted->seats[0].token_hash);
    bool is_second = token_matches(token, hosted->seats[1].token_hash);
    if (is_first)
        return 0;
    return is_second ? 1 : -1;
}

void hosted_game_update_clocks(HostedGame *hosted)
{
    bool are_seated = hosted->seats[0].is_taken && hosted->seats[1].is_taken;
    for (int side = 0; side < 2; side++)
        hosted->live.is_paused[side] =
            !are_seated || hosted->is_paused || hosted->holdups[side].text[0];
    live_game_update_clocks(&hosted->live, clock_ns());
}

/* Without people, a game is played while it is watched: by a stream, or by who fetches it now and
 * then. */
static bool is_attended(const HostedGame *hosted)
{
    enum { ATTENTION_S = 10 };
    return hosted->seats[0].is_person || hosted->seats[1].is_person ||
           channel_n_subscribers(hosted->channel) > 0 ||
           clock_ns() - hosted->looked_ns < ATTENTION_S * INT64_C(1000000000);
}

/* Pauses the game, or lets it go on. */
static void update_attention(HostedGame *hosted)
{
    bool is_paused = !hosted->live.is_over && !is_attended(hosted);
    if (is_paused == hosted->is_paused)
        return;
    hosted->is_paused = is_paused;
    hosted->is_news = true;
    hosted_game_update_clocks(hosted);
    hosted_game_let_players_think(hosted);
}

void hosted_game_look(HostedGame *hosted)
{
    hosted->looked_ns = clock_ns();
    update_attention(hosted);
}

void hosted_game_continue(HostedGame *hosted)
{
    update_attention(hosted);
    hosted_game_update_clocks(hosted);
    hosted_game_let_players_think(hosted);
}

void hosted_game_publish_seats(HostedGame *hosted)
{
    channel_publish(hosted->channel, "seat",
                    json_pack("{s:o,s:o}", "seats", hosted_game_seats_json(hosted), "clock",
                              hosted_game_clock_json(hosted)));
}

bool hosted_game_take_seat(HostedGame *hosted, int side, const char *name, ApiError *api_error)
{
    Seat *seat = &hosted->seats[side], before = *seat;
    if (seat->is_taken && (!name || !strcmp(name, seat->name)))
        return true;
    seat->is_taken = true;
    if (name)
        snprintf(seat->name, sizeof seat->name, "%s", name);
    if (!hosted_game_save(hosted, SAVE_STATE, api_error)) {
        *seat = before;
        return false;
    }
    hosted_game_update_clocks(hosted); /* with both seats taken they run */
    hosted_game_publish_seats(hosted);
    return true;
}

/* ---- changes ------------------------------------------------------------------------------ */

/* The position has changed or the game is over: stops the players that think about the old one. */
static void leave_position(HostedGame *hosted)
{
    bool was_held_up = hosted->holdups[0].text[0] || hosted->holdups[1].text[0];
    hosted->generation++;
    hosted->holdups[0].text[0] = hosted->holdups[1].text[0] = '\0';
    hosted_game_update_clocks(hosted);
    if (was_held_up)
        hosted_game_publish_seats(hosted);
    hosted_game_stop_thinking(hosted);
}

/* Offers that a change answers: a move declines a draw that the other side offered, and leaves
 * one's own offer standing; nothing else survives a change of the position. */
static void drop_offers(HostedGame *hosted, SaveKind kind)
{
    const MoveHistory *history = &hosted->live.history;
    int                mover = SIDE_BOTH;
    if (kind == SAVE_MOVE)
        mover = history->plies[history->n_plies - 1].ply.side;
    for (int side = 0; side < 2; side++) {
        hosted->offers[OFFER_TAKEBACK][side] = false;
        if (side != mover || hosted->live.is_over)
            hosted->offers[OFFER_DRAW][side] = false;
    }
}

/* Ends a change of hosted->live: adds the new state to `data`, stores and publishes. NULL, after a
 * rollback, if that fails. Takes `data` over, which may be NULL without memory. */
static json_t *settle(HostedGame *hosted, SaveKind kind, const char *event, json_t *data,
                      ApiError *api_error)
{
    bool offers[N_OFFERS][2];
    memcpy(offers, hosted->offers, sizeof offers);
    drop_offers(hosted, kind);
    hosted_game_add_state(hosted, &data);
    if (!data)
        api_error_no_memory(api_error);
    if (!data || !hosted_game_save(hosted, kind, api_error)) {
        live_game_rollback(&hosted->live);
        memcpy(hosted->offers, offers, sizeof offers);
        json_decref(data);
        return NULL;
    }
    leave_position(hosted);
    if (hosted->live.is_over && hosted->has_slot) {
        quota_give_back(&hosted->server->quota, &hosted->maker, SLOT_LIVE_GAME);
        hosted->has_slot = false;
    }
    if (hosted->live.is_over || kind == SAVE_UNDO)
        hosted_game_dismiss_players(hosted); /* they would remember moves that were taken back */
    channel_publish(hosted->channel, event, json_incref(data));
    hosted_game_let_players_think(hosted);
    return data;
}

json_t *hosted_game_end(HostedGame *hosted, const Finish *finish, ApiError *api_error)
{
    live_game_end(&hosted->live, finish, clock_ns());
    return settle(hosted, SAVE_STATE, "over", json_object(), api_error);
}

/* Ends the game if a clock has run out; true then. */
static bool end_if_time_is_up(HostedGame *hosted)
{
    ApiError dropped; /* the next tick tries again */
    if (!live_game_check_time(&hosted->live, clock_ns()))
        return false;
    json_decref(settle(hosted, SAVE_STATE, "over", json_object(), &dropped));
    return true;
}

json_t *hosted_game_resign(HostedGame *hosted, int side, ApiError *api_error)
{
    if (hosted->live.is_over) {
        api_error_set(api_error, MHD_HTTP_CONFLICT, "over", "the game is over");
        return NULL;
    }
    live_game_resign(&hosted->live, side, clock_ns());
    return settle(hosted, SAVE_STATE, "over", json_object(), api_error);
}

/* Settles the last ply of the history, which was made in `before`. */
static json_t *settle_ply(HostedGame *hosted, const TurfState *before, ApiError *api_error)
{
    const MoveHistory *history = &hosted->live.history;
    const PlayedPly   *last = &history->plies[history->n_plies - 1];
    json_t            *data = view_of_move(history->game, before, &last->ply, WITH_BETWEEN);
    json_put(&data, "ply", json_integer((json_int_t)history->n_plies));
    json_put(&data, "ms", json_integer((json_int_t)last->ms));
    return settle(hosted, SAVE_MOVE, "move", data, api_error);
}

json_t *hosted_game_play(HostedGame *hosted, const Ply *ply, ApiError *api_error)
{
    TurfState before = hosted->live.history.state;
    if (end_if_time_is_up(hosted)) {
        api_error_set(api_error, MHD_HTTP_CONFLICT, "over", "the time is up");
        return NULL;
    }
    if (!live_game_play(&hosted->live, ply, clock_ns())) {
        api_error_no_memory(api_error);
        return NULL;
    }
    return settle_ply(hosted, &before, api_error);
}

/* One side has committed to an action. A person's is stored; a player chooses again after a
 * restart. */
static json_t *settle_commitment(HostedGame *hosted, int side, ApiError *api_error)
{
    const PendingAction *pending = hosted->live.pending;
    json_t *data = json_pack("{s:[b,b],s:o}", "pending", pending[0].is_in, pending[1].is_in,
                             "clock", hosted_game_clock_json(hosted));
    bool    is_stored = hosted->seats[side].is_person;
    if (!data)
        api_error_no_memory(api_error);
    if (!data || (is_stored && !hosted_game_save(hosted, SAVE_STATE, api_error))) {
        live_game_rollback(&hosted->live);
        json_decref(data);
        return NULL;
    }
    channel_publish(hosted->channel, "pending", json_incref(data));
    hosted_game_let_players_think(hosted);
    return data;
}

json_t *hosted_game_commit(HostedGame *hosted, int side, const TurfAction *action,
                           ApiError *api_error)
{
    TurfState before = hosted->live.history.state;
    size_t    n_before = hosted->live.history.n_plies;
    if (end_if_time_is_up(hosted)) {
        api_error_set(api_error, MHD_HTTP_CONFLICT, "over", "the time is up");
        return NULL;
    }
    if (!live_game_commit(&hosted->live, side, action, clock_ns())) {
        api_error_no_memory(api_error);
        return NULL;
    }
    if (hosted->live.history.n_plies == n_before)
        return settle_commitment(hosted, side, api_error);
    return settle_ply(hosted, &before, api_error);
}

json_t *hosted_game_undo(HostedGame *hosted, int side, UndoKind kind, ApiError *api_error)
{
    TurfError error;
    if (hosted->live.is_over) {
        api_error_set(api_error, MHD_HTTP_CONFLICT, "over", "the game is over");
        return NULL;
    }
    if (!live_game_undo(&hosted->live, side, kind, clock_ns(), &error)) {
        api_error_set(api_error, MHD_HTTP_CONFLICT, "nothing-to-undo", "%s", error.text);
        return NULL;
    }
    return settle(hosted, SAVE_UNDO, "undo", json_object(), api_error);
}

/* ---- offers ------------------------------------------------------------------------------- */

/* Stores and publishes the offers of a kind; NULL, with the old ones, if that fails. */
static json_t *set_offers(HostedGame *hosted, OfferKind kind, bool first, bool second,
                          ApiError *api_error)
{
    bool    before[2] = {hosted->offers[kind][0], hosted->offers[kind][1]};
    json_t *data = NULL;
    hosted->offers[kind][0] = first;
    hosted->offers[kind][1] = second;
    data = json_pack("{s:o}", "offers", hosted_game_offers_json(hosted));
    if (!data)
        api_error_no_memory(api_error);
    if (!data || !hosted_game_save(hosted, SAVE_STATE, api_error)) {
        memcpy(hosted->offers[kind], before, sizeof before);
        json_decref(data);
        return NULL;
    }
    channel_publish(hosted->channel, "offers", json_incref(data));
    return data;
}

/* May a person offer this now? */
static bool can_offer(HostedGame *hosted, int side, OfferKind kind, ApiError *api_error)
{
    if (hosted->live.is_over || end_if_time_is_up(hosted))
        return api_error_set(api_error, MHD_HTTP_CONFLICT, "over", "the game is over");
    if (!hosted->seats[!side].is_person)
        return api_error_set(api_error, MHD_HTTP_CONFLICT, "no-person",
                             "only a person can agree to that");
    if (kind == OFFER_TAKEBACK && live_game_undo_target(&hosted->live, side, UNDO_GRANTED) < 0)
        return api_error_set(api_error, MHD_HTTP_CONFLICT, "nothing-to-undo",
                             "you have made no move to take back");
    return true;
}

static json_t *agree(HostedGame *hosted, int asker, OfferKind kind, ApiError *api_error)
{
    if (kind == OFFER_TAKEBACK)
        return hosted_game_undo(hosted, asker, UNDO_GRANTED, api_error);
    Finish finish = finish_without_winner("agreed", "draw agreed");
    snprintf(finish.outcome, sizeof finish.outcome, "draw");
    return hosted_game_end(hosted, &finish, api_error);
}

json_t *hosted_game_offer(HostedGame *hosted, int side, OfferKind kind, ApiError *api_error)
{
    if (!hosted->live.is_over && hosted->offers[kind][!side])
        return agree(hosted, !side, kind, api_error);
    if (!can_offer(hosted, side, kind, api_error))
        return NULL;
    return set_offers(hosted, kind, side == 0, side == 1, api_error);
}

json_t *hosted_game_decline(HostedGame *hosted, OfferKind kind, ApiError *api_error)
{
    return set_offers(hosted, kind, false, false, api_error);
}

/* ---- a person's move ---------------------------------------------------------------------- */

static json_t *move_action(HostedGame *hosted, int side, const json_t *move, ApiError *api_error)
{
    const TurfGame  *game = hosted->setup.game;
    const TurfState *state = &hosted->live.history.state;
    TurfCell        *cells = malloc(2 * TURF_MAX_CELLS * sizeof *cells);
    TurfCell        *room[2] = {cells, cells ? cells + TURF_MAX_CELLS : NULL};
    json_t          *both = json_pack("{s:O}", game->side_letters[side], move), *data = NULL;
    TurfAction       actions[2];
    TurfError        error;
    if (!cells || !both) {
        api_error_no_memory(api_error);
    } else if (!game_actions_from_json(game, both, room, actions, &error)) {
        api_error_from(api_error, &error);
    } else if (!game->is_legal_action(state, (TurfSide)side, &actions[side], &error)) {
        api_error_set(api_error, MHD_HTTP_UNPROCESSABLE_CONTENT, "illegal-move", "%s", error.text);
        api_error->cell = (int)game_find_bad_cell(game, state, (TurfSide)side, &actions[side]);
    } else if (hosted_game_take_seat(hosted, side, NULL, api_error)) {
        data = hosted_game_commit(hosted, side, &actions[side], api_error);
    }
    json_decref(both);
    free(cells);
    return data;
}

json_t *hosted_game_move(HostedGame *hosted, int side, const json_t *move, int64_t n_moves_seen,
                         ApiError *api_error)
{
    const TurfGame    *game = hosted->setup.game;
    const MoveHistory *history = &hosted->live.history;
    TurfMover          mover = game->to_move(&history->state);
    Ply                ply = {.side = side};
    TurfError          error;
    if (hosted->live.is_over || end_if_time_is_up(hosted)) {
        api_error_set(api_error, MHD_HTTP_CONFLICT, "over", "the game is over");
        return NULL;
    }
    if (n_moves_seen >= 0 && (size_t)n_moves_seen != history->n_plies) {
        api_error_set(api_error, MHD_HTTP_CONFLICT, "stale", "%zu moves have been made by now",
                      history->n_plies);
        return NULL;
    }
    if (mover == TURF_MOVER_BOTH)
        return move_action(hosted, side, move, api_error);
    if ((int)mover != side) {
        api_error_set(api_error, MHD_HTTP_CONFLICT, "not-your-turn", "it is %s's turn",
                      game->side_names[!side]);
        return NULL;
    }
    if (!game->move_from_json(&history->state, move, &ply.move, &error)) {
        api_error_from(api_error, &error);
        return NULL;
    }
    if (!game->is_legal(&history->state, ply.move, &error)) {
        api_error_set(api_error, MHD_HTTP_UNPROCESSABLE_CONTENT, "illegal-move", "%s", error.text);
        return NULL;
    }
    /* A person who moves has taken the seat. */
    if (!hosted_game_take_seat(hosted, side, NULL, api_error))
        return NULL;
    return hosted_game_play(hosted, &ply, api_error);
}

/* ---- as time passes ----------------------------------------------------------------------- */

void hosted_game_tick(HostedGame *hosted)
{
    enum { MAX_IDLE_S = 120, SAVE_EVERY_S = 2 };
    int64_t now_ns = clock_ns();
    update_attention(hosted);
    if (!hosted->live.is_over)
        (void)end_if_time_is_up(hosted);
    if (now_ns - hosted->saved_ns > SAVE_EVERY_S * INT64_C(1000000000))
        hosted_game_save_clocks(hosted);
    for (int side = 0; side < 2; side++)
        if (hosted->thinks_since_ns[side] && !hosted->is_beginning[side] &&
            now_ns - hosted->thinks_since_ns[side] > MAX_THINK_MS * INT64_C(1000000))
            atomic_store(&hosted->stops[side], true);
    hosted_game_dismiss_leavers(hosted);
    bool is_idle =
        (hosted->kept[0] || hosted->kept[1]) && !hosted->is_thinking[0] && !hosted->is_thinking[1];
    if (is_idle && now_ns - hosted->kept_used_ns > MAX_IDLE_S * INT64_C(1000000000))
        hosted_game_dismiss_players(hosted);
}
