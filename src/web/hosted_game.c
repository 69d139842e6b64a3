#include "web/hosted_game.h"

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

HostedGame *hosted_game_new(Server *server, const char *id, Setup *setup, Seat seats[2])
{
    HostedGame *hosted = calloc(1, sizeof *hosted);
    Channel    *channel = channel_new(setup->has_clock ? SNAPSHOT_AGES : SNAPSHOT_LASTS);
    if (!hosted || !channel) {
        free(hosted);
        channel_release(channel);
        setup_release(setup);
        seat_release(&seats[0]);
        seat_release(&seats[1]);
        return NULL;
    }
    atomic_init(&hosted->n_references, 1);
    pthread_mutex_init(&hosted->lock, NULL);
    hosted->server = server;
    snprintf(hosted->id, sizeof hosted->id, "%s", id);
    hosted->channel = channel;
    hosted->setup = *setup;
    history_init(&hosted->history, setup->game, &setup->start);
    for (int side = 0; side < 2; side++) {
        hosted->seats[side] = seats[side];
        hosted->left_ns[side] = setup->initial_ms * 1000000;
    }
    hosted->created_ms = now_ms();
    atomic_init(&hosted->updated_ms, hosted->created_ms);
    hosted->changed_ns = clock_ns();
    atomic_init(&hosted->touched_ns, hosted->changed_ns);
    hosted->is_news = true;
    hosted->is_over = finish_by_rules(setup->game, &setup->start, &hosted->finish);
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
    if (hosted->has_place)
        quota_give_back(&hosted->server->quota, &hosted->maker, SLOT_LIVE_GAME);
    history_release(&hosted->history);
    for (int side = 0; side < 2; side++) {
        player_leave(hosted->server, hosted->kept[side]);
        free(hosted->pending[side].cells);
        seat_release(&hosted->seats[side]);
    }
    setup_release(&hosted->setup);
    channel_release(hosted->channel);
    pthread_mutex_destroy(&hosted->lock);
    free(hosted);
}

/* ---- showing it --------------------------------------------------------------------------- */

int hosted_game_side_of(const HostedGame *hosted, const char *token)
{
    /* Both are always compared, so that the time says nothing about which. */
    bool is_of[2];
    for (int side = 0; side < 2; side++)
        is_of[side] = token_matches(token, hosted->seats[side].token_hash);
    return is_of[0] ? 0 : is_of[1] ? 1 : -1;
}

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

json_t *hosted_game_clock_json(const HostedGame *hosted)
{
    const Setup *setup = &hosted->setup;
    if (!setup->has_clock)
        return json_null();
    return json_pack("{s:I,s:I,s:[I,I],s:[b,b]}", "initial_ms", (json_int_t)setup->initial_ms,
                     "gain_ms", (json_int_t)setup->gain_ms, "left_ms",
                     (json_int_t)hosted_game_left_ms(hosted, 0),
                     (json_int_t)hosted_game_left_ms(hosted, 1), "running",
                     hosted->since_ns[0] != 0, hosted->since_ns[1] != 0);
}

void hosted_game_add_standing(HostedGame *hosted, json_t **json)
{
    view_add(json, hosted->setup.game, &hosted->history.state,
             hosted->is_over ? &hosted->finish : NULL);
    json_put(json, "n_moves", json_integer((json_int_t)hosted->history.n_plies));
    json_put(json, "clock", hosted_game_clock_json(hosted));
    json_put(json, "can_undo",
             json_pack("[b,b]", hosted_game_undo_target(hosted, 0) >= 0,
                       hosted_game_undo_target(hosted, 1) >= 0));
    json_put(json, "pending",
             json_pack("[b,b]", hosted->pending[0].is_in, hosted->pending[1].is_in));
}

json_t *hosted_game_json(HostedGame *hosted)
{
    const Setup *setup = &hosted->setup;
    char         event[40];
    channel_last_id(hosted->channel, event);
    json_t *json = json_pack(
        "{s:s,s:s,s:o,s:o,s:b,s:o,s:o,s:o,s:o,s:s?,s:s,s:I}", "id", hosted->id, "game",
        setup->game->name, "created_at", moment_json(hosted->created_ms), "updated_at",
        moment_json(hosted->updated_ms), "is_listed", setup->is_listed, "seats",
        hosted_game_seats_json(hosted), "start", setup->game->to_json(&setup->start), "moves",
        history_plies_view(&hosted->history), "rematch", hosted_game_rematch_json(hosted), "parent",
        setup->parent[0] ? setup->parent : NULL, "event", event, "seed", (json_int_t)setup->seed);
    hosted_game_add_standing(hosted, &json);
    return json;
}

json_t *hosted_game_summary(HostedGame *hosted)
{
    const TurfGame *game = hosted->setup.game;
    json_t         *position = game->to_json(&hosted->history.state),
           *values = json_object_get(position, "values");
    json_t *json = json_pack(
        "{s:s,s:s,s:o,s:I,s:o,s:o,s:o,s:O,s:o}", "id", hosted->id, "game", game->name, "seats",
        hosted_game_seats_json(hosted), "n_moves", (json_int_t)hosted->history.n_plies, "scores",
        view_of_scores(game, &hosted->history.state), "mover",
        hosted->is_over ? json_null() : view_of_mover(game, &hosted->history.state), "over",
        finish_json(hosted->is_over ? &hosted->finish : NULL), "board",
        json_object_get(position, "board"), "updated_at", moment_json(hosted->updated_ms));
    if (values)
        json_put(&json, "values", json_incref(values));
    json_decref(position);
    return json;
}
