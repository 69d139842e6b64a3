#include "web/live_game.h"

#include "base/clock.h"
#include "base/checked_json.h"
#include "web/server.h"

#include <stdlib.h>
#include <string.h>

/* ---- life --------------------------------------------------------------------------------- */

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

LiveGame *live_game_new(Server *server, const char *id, Setup *setup, Seat seats[2])
{
    LiveGame *live_game = calloc(1, sizeof *live_game);
    Channel  *channel = channel_new(setup->has_clock ? SNAPSHOT_AGES : SNAPSHOT_LASTS);
    if (!live_game || !channel) {
        free(live_game);
        channel_release(channel);
        setup_release(setup);
        seat_release(&seats[0]);
        seat_release(&seats[1]);
        return NULL;
    }
    atomic_init(&live_game->n_references, 1);
    pthread_mutex_init(&live_game->lock, NULL);
    live_game->server = server;
    snprintf(live_game->id, sizeof live_game->id, "%s", id);
    live_game->channel = channel;
    live_game->setup = *setup;
    history_init(&live_game->history, setup->game, &setup->start);
    for (int side = 0; side < 2; side++) {
        live_game->seats[side] = seats[side];
        live_game->left_ns[side] = setup->initial_ms * 1000000;
    }
    live_game->created_ms = now_ms();
    atomic_init(&live_game->updated_ms, live_game->created_ms);
    live_game->changed_ns = clock_ns();
    atomic_init(&live_game->touched_ns, live_game->changed_ns);
    live_game->is_news = true;
    live_game->is_over = finish_by_rules(setup->game, &setup->start, &live_game->finish);
    *setup = (Setup){.game = NULL};
    seats[0] = seats[1] = (Seat){.is_person = false};
    return live_game;
}

LiveGame *live_game_retain(LiveGame *live_game)
{
    atomic_fetch_add(&live_game->n_references, 1);
    return live_game;
}

void live_game_release(LiveGame *live_game)
{
    if (!live_game || atomic_fetch_sub(&live_game->n_references, 1) != 1)
        return;
    if (live_game->has_place)
        quota_give_back(&live_game->server->places, &live_game->maker);
    history_release(&live_game->history);
    for (int side = 0; side < 2; side++) {
        player_leave(live_game->server, live_game->kept[side]);
        free(live_game->pending[side].cells);
        seat_release(&live_game->seats[side]);
    }
    setup_release(&live_game->setup);
    channel_release(live_game->channel);
    pthread_mutex_destroy(&live_game->lock);
    free(live_game);
}

/* ---- showing it --------------------------------------------------------------------------- */

int live_game_side_of(const LiveGame *live_game, const char *token)
{
    /* Both are always compared, so that the time says nothing about which. */
    bool is_of[2];
    for (int side = 0; side < 2; side++)
        is_of[side] = token_matches(token, live_game->seats[side].token_hash);
    return is_of[0] ? 0 : is_of[1] ? 1 : -1;
}

json_t *live_game_seats_json(const LiveGame *live_game)
{
    json_t *list = json_array();
    for (int side = 0; side < 2; side++) {
        const Seat *seat = &live_game->seats[side];
        const char *holdup = live_game->holdups[side].text;
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

json_t *live_game_rematch_json(const LiveGame *live_game)
{
    return json_pack("{s:[b,b],s:s?}", "offered", live_game->wants_rematch[0],
                     live_game->wants_rematch[1], "id",
                     live_game->rematch[0] ? live_game->rematch : NULL);
}

json_t *live_game_clock_json(const LiveGame *live_game)
{
    const Setup *setup = &live_game->setup;
    if (!setup->has_clock)
        return json_null();
    return json_pack("{s:I,s:I,s:[I,I],s:[b,b]}", "initial_ms", (json_int_t)setup->initial_ms,
                     "gain_ms", (json_int_t)setup->gain_ms, "left_ms",
                     (json_int_t)live_game_left_ms(live_game, 0),
                     (json_int_t)live_game_left_ms(live_game, 1), "running",
                     live_game->since_ns[0] != 0, live_game->since_ns[1] != 0);
}

void live_game_add_standing(LiveGame *live_game, json_t **json)
{
    view_add(json, live_game->setup.game, &live_game->history.state,
             live_game->is_over ? &live_game->finish : NULL);
    json_put(json, "n_moves", json_integer((json_int_t)live_game->history.n_plies));
    json_put(json, "clock", live_game_clock_json(live_game));
    json_put(json, "can_undo",
             json_pack("[b,b]", live_game_undo_target(live_game, 0) >= 0,
                       live_game_undo_target(live_game, 1) >= 0));
    json_put(json, "pending",
             json_pack("[b,b]", live_game->pending[0].is_in, live_game->pending[1].is_in));
}

json_t *live_game_json(LiveGame *live_game)
{
    const Setup *setup = &live_game->setup;
    char         event[40];
    channel_last_id(live_game->channel, event);
    json_t *json = json_pack(
        "{s:s,s:s,s:o,s:o,s:b,s:o,s:o,s:o,s:o,s:s?,s:s,s:I}", "id", live_game->id, "game",
        setup->game->name, "created_at", moment_json(live_game->created_ms), "updated_at",
        moment_json(live_game->updated_ms), "is_listed", setup->is_listed, "seats",
        live_game_seats_json(live_game), "start", setup->game->to_json(&setup->start), "moves",
        history_plies_view(&live_game->history), "rematch", live_game_rematch_json(live_game),
        "parent", setup->parent[0] ? setup->parent : NULL, "event", event, "seed",
        (json_int_t)setup->seed);
    live_game_add_standing(live_game, &json);
    return json;
}

json_t *live_game_summary(LiveGame *live_game)
{
    const TurfGame *game = live_game->setup.game;
    json_t         *position = game->to_json(&live_game->history.state),
           *values = json_object_get(position, "values");
    json_t *json = json_pack(
        "{s:s,s:s,s:o,s:I,s:o,s:o,s:o,s:O,s:o}", "id", live_game->id, "game", game->name, "seats",
        live_game_seats_json(live_game), "n_moves", (json_int_t)live_game->history.n_plies,
        "scores", view_of_scores(game, &live_game->history.state), "mover",
        live_game->is_over ? json_null() : view_of_mover(game, &live_game->history.state), "over",
        finish_json(live_game->is_over ? &live_game->finish : NULL), "board",
        json_object_get(position, "board"), "updated_at", moment_json(live_game->updated_ms));
    if (values)
        json_put(&json, "values", json_incref(values));
    json_decref(position);
    return json;
}
