/* Hosted games as JSON: whole, as an entry of a list, and the parts that events carry. Called with
 * the lock of the game held. */
#include "web/hosted_game.h"

#include "base/checked_json.h"
#include "base/clock.h"
#include "web/history_views.h"
#include "web/moment.h"

json_t *hosted_game_seats_json(const HostedGame *hosted)
{
    json_t *list = json_array();
    for (int side = 0; side < 2; side++) {
        const Seat *seat = &hosted->seats[side];
        const char *holdup = hosted->holdups[side].text;
        json_t     *json = json_pack("{s:s,s:s,s:b}", "kind", seat->is_person ? "person" : "player",
                                     "name", seat->name, "is_taken", seat->is_taken);
        if (!seat->is_person) {
            json_put(&json, "player", json_string(seat->player));
            json_put(&json, "options", seat->options ? json_incref(seat->options) : json_object());
            json_put(&json, "held_up", holdup[0] ? json_sentence(holdup) : json_null());
        }
        json_add(&list, json);
    }
    return list;
}

json_t *hosted_game_rematch_json(const HostedGame *hosted)
{
    return json_pack("{s:[b,b],s:s?}", "offered", hosted->wants_rematch[0],
                     hosted->wants_rematch[1], "id", hosted->rematch[0] ? hosted->rematch : NULL);
}

json_t *hosted_game_offers_json(const HostedGame *hosted)
{
    return json_pack("{s:[b,b],s:[b,b]}", "draw", hosted->offers[OFFER_DRAW][0],
                     hosted->offers[OFFER_DRAW][1], "takeback", hosted->offers[OFFER_TAKEBACK][0],
                     hosted->offers[OFFER_TAKEBACK][1]);
}

json_t *hosted_game_clock_json(const HostedGame *hosted)
{
    const GameClock *clock = &hosted->live.clock;
    int64_t          now_ns = clock_ns();
    if (!clock->is_on)
        return json_null();
    return json_pack("{s:I,s:I,s:[I,I],s:[b,b]}", "initial_ms", (json_int_t)clock->initial_ms,
                     "gain_ms", (json_int_t)clock->gain_ms, "left_ms",
                     (json_int_t)game_clock_left_ms(clock, 0, now_ns),
                     (json_int_t)game_clock_left_ms(clock, 1, now_ns), "running",
                     clock->since_ns[0] != 0, clock->since_ns[1] != 0);
}

const Finish *hosted_game_finish(const HostedGame *hosted)
{
    return hosted->live.is_over ? &hosted->live.finish : NULL;
}

/* For a person who is due: `legal_moves` with their effects, or `reach` where both move at once.
 * Long lists are left out, since channels keep events; clients then GET .../moves. */
static void add_legal_moves(const HostedGame *hosted, json_t **json)
{
    enum { MAX_LEGAL_BYTES = 32 << 10 };
    const MoveHistory *history = &hosted->live.history;
    bool               is_due = false;
    for (int side = 0; side < 2; side++)
        is_due |= hosted->seats[side].is_person && live_game_is_due(&hosted->live, side);
    if (!is_due)
        return;
    bool    are_both = game_is_simultaneous(history->game);
    json_t *legal = are_both ? view_of_reach(history->game, &history->state)
                             : view_of_moves(history->game, &history->state);
    if (legal && json_dumpb(legal, NULL, 0, JSON_COMPACT) > MAX_LEGAL_BYTES)
        json_decref(legal);
    else
        json_put(json, are_both ? "reach" : "legal_moves", legal);
}

void hosted_game_add_state(const HostedGame *hosted, json_t **json)
{
    const LiveGame *live = &hosted->live;
    view_add(json, live->history.game, &live->history.state, hosted_game_finish(hosted));
    json_put(json, "n_moves", json_integer((json_int_t)live->history.n_plies));
    json_put(json, "clock", hosted_game_clock_json(hosted));
    json_put(json, "can_undo",
             json_pack("[b,b]", live_game_undo_target(live, 0, UNDO_OWN) >= 0,
                       live_game_undo_target(live, 1, UNDO_OWN) >= 0));
    json_put(json, "pending", json_pack("[b,b]", live->pending[0].is_in, live->pending[1].is_in));
    json_put(json, "offers", hosted_game_offers_json(hosted));
    add_legal_moves(hosted, json);
}

json_t *hosted_game_json(const HostedGame *hosted)
{
    const Setup *setup = &hosted->setup;
    char         event[40];
    channel_last_id(hosted->channel, event);
    json_t *json = json_pack(
        "{s:s,s:s,s:o,s:o,s:b,s:b,s:o,s:o,s:o,s:o,s:s?,s:s,s:I}", "id", hosted->id, "game",
        setup->game->name, "created_at", moment_json(hosted->created_ms), "updated_at",
        moment_json(hosted->updated_ms), "is_listed", setup->is_listed, "is_paused",
        hosted->is_paused, "seats", hosted_game_seats_json(hosted), "start",
        setup->game->to_json(&setup->start), "moves", history_plies_view(&hosted->live.history),
        "rematch", hosted_game_rematch_json(hosted), "parent",
        setup->parent[0] ? setup->parent : NULL, "event", event, "seed", (json_int_t)setup->seed);
    hosted_game_add_state(hosted, &json);
    return json;
}

json_t *hosted_game_summary(const HostedGame *hosted)
{
    const TurfGame *game = hosted->setup.game;
    json_t         *position = game->to_json(&hosted->live.history.state),
           *values = json_object_get(position, "values");
    json_t *json = json_pack(
        "{s:s,s:s,s:b,s:o,s:I,s:o,s:o,s:o,s:O,s:o}", "id", hosted->id, "game", game->name,
        "is_paused", hosted->is_paused, "seats", hosted_game_seats_json(hosted), "n_moves",
        (json_int_t)hosted->live.history.n_plies, "scores",
        view_of_scores(game, &hosted->live.history.state), "mover",
        hosted->live.is_over ? json_null() : view_of_mover(game, &hosted->live.history.state),
        "over", finish_json(hosted_game_finish(hosted)), "board",
        json_object_get(position, "board"), "updated_at", moment_json(hosted->updated_ms));
    if (values)
        json_put(&json, "values", json_incref(values));
    json_decref(position);
    return json;
}
