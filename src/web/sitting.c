#include "web/sitting.h"

#include "base/clock.h"
#include "base/whole_json.h"
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

Sitting *sitting_new(Server *server, const char *id, Setup *setup, Seat seats[2])
{
    Sitting *sitting = calloc(1, sizeof *sitting);
    Channel *channel = channel_new(setup->has_clock ? SNAPSHOT_AGES : SNAPSHOT_LASTS);
    if (!sitting || !channel) {
        free(sitting);
        channel_release(channel);
        setup_release(setup);
        seat_release(&seats[0]);
        seat_release(&seats[1]);
        return NULL;
    }
    atomic_init(&sitting->n_references, 1);
    pthread_mutex_init(&sitting->lock, NULL);
    sitting->server = server;
    snprintf(sitting->id, sizeof sitting->id, "%s", id);
    sitting->channel = channel;
    sitting->setup = *setup;
    line_init(&sitting->line, setup->game, &setup->start);
    for (int side = 0; side < 2; side++) {
        sitting->seats[side] = seats[side];
        sitting->left_ns[side] = setup->initial_ms * 1000000;
    }
    sitting->created_ms = now_ms();
    atomic_init(&sitting->updated_ms, sitting->created_ms);
    sitting->changed_ns = clock_ns();
    atomic_init(&sitting->touched_ns, sitting->changed_ns);
    sitting->is_news = true;
    sitting->is_over = finish_by_rules(setup->game, &setup->start, &sitting->finish);
    *setup = (Setup){.game = NULL};
    seats[0] = seats[1] = (Seat){.is_person = false};
    return sitting;
}

Sitting *sitting_retain(Sitting *sitting)
{
    atomic_fetch_add(&sitting->n_references, 1);
    return sitting;
}

void sitting_release(Sitting *sitting)
{
    if (!sitting || atomic_fetch_sub(&sitting->n_references, 1) != 1)
        return;
    if (sitting->has_place)
        shares_give_back(&sitting->server->places, &sitting->maker);
    line_release(&sitting->line);
    for (int side = 0; side < 2; side++) {
        player_leave(sitting->server, sitting->kept[side]);
        free(sitting->pending[side].cells);
        seat_release(&sitting->seats[side]);
    }
    setup_release(&sitting->setup);
    channel_release(sitting->channel);
    pthread_mutex_destroy(&sitting->lock);
    free(sitting);
}

/* ---- showing it --------------------------------------------------------------------------- */

int sitting_side_of(const Sitting *sitting, const char *token)
{
    /* Both are always compared, so that the time says nothing about which. */
    bool is_of[2];
    for (int side = 0; side < 2; side++)
        is_of[side] = token_matches(token, sitting->seats[side].token_hash);
    return is_of[0] ? 0 : is_of[1] ? 1 : -1;
}

json_t *sitting_seats_json(const Sitting *sitting)
{
    json_t *list = json_array();
    for (int side = 0; side < 2; side++) {
        const Seat *seat = &sitting->seats[side];
        const char *holdup = sitting->holdups[side].text;
        json_t     *json = json_pack("{s:s,s:s,s:b}", "kind", seat->is_person ? "person" : "player", "name", seat->name,
                                     "is_taken", seat->is_taken);
        if (!seat->is_person) {
            json_put(&json, "player", json_string(seat->player));
            json_put(&json, "options", seat->options ? json_incref(seat->options) : json_object());
            json_put(&json, "held_up", holdup[0] ? json_sentence(holdup) : json_null());
        }
        json_add(&list, json);
    }
    return list;
}

json_t *sitting_rematch_json(const Sitting *sitting)
{
    return json_pack("{s:[b,b],s:s?}", "offered", sitting->wants_rematch[0], sitting->wants_rematch[1], "id",
                     sitting->rematch[0] ? sitting->rematch : NULL);
}

json_t *sitting_clock_json(const Sitting *sitting)
{
    const Setup *setup = &sitting->setup;
    if (!setup->has_clock)
        return json_null();
    return json_pack("{s:I,s:I,s:[I,I],s:[b,b]}", "initial_ms", (json_int_t)setup->initial_ms, "gain_ms",
                     (json_int_t)setup->gain_ms, "left_ms", (json_int_t)sitting_left_ms(sitting, 0),
                     (json_int_t)sitting_left_ms(sitting, 1), "running", sitting->since_ns[0] != 0,
                     sitting->since_ns[1] != 0);
}

void sitting_add_standing(Sitting *sitting, json_t **json)
{
    view_add(json, sitting->setup.game, &sitting->line.state, sitting->is_over ? &sitting->finish : NULL);
    json_put(json, "n_moves", json_integer((json_int_t)sitting->line.n_turns));
    json_put(json, "clock", sitting_clock_json(sitting));
    json_put(json, "can_undo",
             json_pack("[b,b]", sitting_undo_target(sitting, 0) >= 0, sitting_undo_target(sitting, 1) >= 0));
    json_put(json, "pending", json_pack("[b,b]", sitting->pending[0].is_in, sitting->pending[1].is_in));
}

json_t *sitting_json(Sitting *sitting)
{
    const Setup *setup = &sitting->setup;
    char         event[40];
    channel_last_id(sitting->channel, event);
    json_t *json = json_pack("{s:s,s:s,s:o,s:o,s:b,s:o,s:o,s:o,s:o,s:s?,s:s,s:I}", "id", sitting->id, "game",
                             setup->game->name, "created_at", moment_json(sitting->created_ms), "updated_at",
                             moment_json(sitting->updated_ms), "is_listed", setup->is_listed, "seats",
                             sitting_seats_json(sitting), "start", setup->game->to_json(&setup->start), "moves",
                             line_moves(&sitting->line), "rematch", sitting_rematch_json(sitting), "parent",
                             setup->parent[0] ? setup->parent : NULL, "event", event, "seed", (json_int_t)setup->seed);
    sitting_add_standing(sitting, &json);
    return json;
}

json_t *sitting_summary(Sitting *sitting)
{
    const TurfGame *game = sitting->setup.game;
    json_t         *position = game->to_json(&sitting->line.state), *values = json_object_get(position, "values");
    json_t *json = json_pack("{s:s,s:s,s:o,s:I,s:o,s:o,s:o,s:O,s:o}", "id", sitting->id, "game", game->name, "seats",
                             sitting_seats_json(sitting), "n_moves", (json_int_t)sitting->line.n_turns, "scores",
                             view_of_scores(game, &sitting->line.state), "mover",
                             sitting->is_over ? json_null() : view_of_mover(game, &sitting->line.state), "over",
                             finish_json(sitting->is_over ? &sitting->finish : NULL), "board",
                             json_object_get(position, "board"), "updated_at", moment_json(sitting->updated_ms));
    if (values)
        json_put(&json, "values", json_incref(values));
    json_decref(position);
    return json;
}
