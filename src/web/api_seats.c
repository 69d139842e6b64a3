/* What a seat of a live game may do, with its token; and the rematch. */
#include "web/api.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* ---- what a seat may do ------------------------------------------------------------------- */

/* The live game, retained and locked, and the side whose token came with the request. NULL:
 * answered already. */
static HostedGame *lock_seat(Request *request, int *side)
{
    const char *authorization = request_header(request, MHD_HTTP_HEADER_AUTHORIZATION);
    HostedGame *hosted = lock_live_game(request);
    if (!hosted)
        return NULL;
    if (!authorization || strncasecmp(authorization, "Bearer ", 7)) {
        respond_error(request, MHD_HTTP_UNAUTHORIZED, "no-token",
                      "say Authorization: Bearer TOKEN, with a seat's token");
        respond_header(request, MHD_HTTP_HEADER_WWW_AUTHENTICATE, "Bearer");
    } else if ((*side = hosted_game_side_of(hosted, authorization + 7)) < 0) {
        respond_error(request, MHD_HTTP_FORBIDDEN, "bad-token",
                      "this token opens no seat of this game");
    } else {
        hosted->asker = request->client;
        return hosted;
    }
    unlock_live_game(hosted);
    return NULL;
}

static void respond_or_error(Request *request, unsigned status, json_t *data,
                             const ApiError *api_error)
{
    if (data)
        respond_json(request, status, data);
    else
        respond_api_error(request, api_error);
}

static void respond_seat(Request *request, const HostedGame *hosted, int side)
{
    respond_json(request, MHD_HTTP_OK,
                 json_pack("{s:i,s:s}", "side", side, "name", hosted->seats[side].name));
}

void api_seat_get(Request *request)
{
    int         side;
    HostedGame *hosted = lock_seat(request, &side);
    if (!hosted)
        return;
    respond_seat(request, hosted, side);
    unlock_live_game(hosted);
}

void api_seat_put(Request *request)
{
    const char *name = NULL;
    int         side;
    HostedGame *hosted;
    ApiError    api_error;
    if (!request_read(request, "{s?:s}", "name", &name) || (name && !check_name(request, name)) ||
        !(hosted = lock_seat(request, &side)))
        return;
    if (hosted_game_take_seat(hosted, side, name, &api_error))
        respond_seat(request, hosted, side);
    else
        respond_api_error(request, &api_error);
    unlock_live_game(hosted);
}

void api_live_game_move(Request *request)
{
    json_t     *move;
    json_int_t  n_moves = -1;
    int         side;
    HostedGame *hosted;
    ApiError    api_error;
    if (!request_read(request, "{s:o,s?:I}", "move", &move, "n_moves", &n_moves) ||
        !(hosted = lock_seat(request, &side)))
        return;
    json_t *data = hosted_game_move(hosted, side, move, n_moves, &api_error);
    bool    is_half = data && !json_object_get(data, "position");
    respond_or_error(request, is_half ? MHD_HTTP_ACCEPTED : MHD_HTTP_OK, data, &api_error);
    unlock_live_game(hosted);
}

void api_live_game_undo(Request *request)
{
    const char *other = NULL; /* the token of the other seat: both want it */
    int         side;
    HostedGame *hosted;
    ApiError    api_error;
    if (!request_read(request, "{s?:s}", "other", &other) || !(hosted = lock_seat(request, &side)))
        return;
    json_t *data = hosted_game_undo(
        hosted, side, other && hosted_game_side_of(hosted, other) == !side, &api_error);
    respond_or_error(request, MHD_HTTP_OK, data, &api_error);
    unlock_live_game(hosted);
}

void api_live_game_resign(Request *request)
{
    int         side;
    HostedGame *hosted;
    ApiError    api_error;
    if (!request_read(request, "{}") || !(hosted = lock_seat(request, &side)))
        return;
    json_t *data = hosted_game_resign(hosted, side, &api_error);
    respond_or_error(request, MHD_HTTP_OK, data, &api_error);
    unlock_live_game(hosted);
}

/* ---- rematch ------------------------------------------------------------------------------ */

static Seat copy_of_seat(const Seat *seat)
{
    Seat copy = *seat;
    copy.player = seat->player ? strdup(seat->player) : NULL;
    copy.spec = seat->spec ? strdup(seat->spec) : NULL;
    copy.options = seat->options ? json_deep_copy(seat->options) : NULL;
    return copy;
}

/* Was there memory for all of it? */
static bool is_copy(const Seat *copy, const Seat *seat)
{
    return !copy->player == !seat->player && !copy->spec == !seat->spec &&
           !copy->options == !seat->options;
}

/* The same again with sides changed; a start that was drawn is drawn anew. NULL: answered already.
 */
static HostedGame *new_rematch(Request *request, const HostedGame *old)
{
    Setup     setup = old->setup;
    Seat      seats[2] = {copy_of_seat(&old->seats[1]), copy_of_seat(&old->seats[0])};
    json_t   *text = setup.start_text ? json_string(setup.start_text) : NULL;
    TurfError error = {0};
    setup.start_text = setup.start_text ? strdup(setup.start_text) : NULL;
    setup.config = setup.config ? json_deep_copy(setup.config) : NULL;
    setup.seed = token_seed();
    snprintf(setup.parent, sizeof setup.parent, "%s", old->id);
    StartRequest start = {
        .game = setup.game, .start = text, .config = setup.config, .chosen_seed = setup.seed};
    bool is_drawn = old->setup.is_start_named && make_start(&start, &error);
    if (is_drawn)
        setup.start = start.state;
    bool is_whole = is_copy(&seats[0], &old->seats[1]) && is_copy(&seats[1], &old->seats[0]) &&
                    !setup.start_text == !old->setup.start_text &&
                    !setup.config == !old->setup.config && !text == !old->setup.start_text &&
                    !(error.code == TURF_ERROR_NO_MEMORY);
    json_decref(text);
    if (is_whole)
        return new_live_game(request, &setup, seats);
    setup_release(&setup);
    seat_release(&seats[0]);
    seat_release(&seats[1]);
    respond_no_memory(request);
    return NULL;
}

/* Everybody wants it: makes it in the place that was taken. False: answered already. */
static bool make_rematch(Request *request, HostedGame *hosted)
{
    HostedGame *next = new_rematch(request, hosted);
    bool        is_good = next && begin_live_game(request, next);
    if (is_good)
        snprintf(hosted->rematch, sizeof hosted->rematch, "%s", next->id);
    hosted_game_release(next);
    return is_good;
}

/* Notes that a side wants it, and makes it once all persons do. False: answered already. */
static bool offer_rematch(Request *request, HostedGame *hosted, int side, bool *is_made)
{
    ApiError api_error;
    bool     is_agreed = !hosted->seats[!side].is_person || hosted->wants_rematch[!side];
    hosted->wants_rematch[side] = true;
    *is_made = is_agreed && make_rematch(request, hosted);
    if (is_agreed && !*is_made)
        return false;
    if (!hosted_game_save(hosted, SAVE_STATE, &api_error)) {
        respond_api_error(request, &api_error);
        return false;
    }
    channel_publish(hosted->channel, "rematch",
                    json_pack("{s:o}", "rematch", hosted_game_rematch_json(hosted)));
    return true;
}

void api_live_game_rematch(Request *request)
{
    int         side;
    HostedGame *hosted = NULL;
    bool        is_made = false;
    /* Making room looks at every live game, so it comes before this one is locked. */
    if (!request_read(request, "{}") || !take_place(request))
        return;
    if ((hosted = lock_seat(request, &side))) {
        bool is_good = hosted->live.is_over;
        if (!is_good)
            respond_error(request, MHD_HTTP_CONFLICT, "busy", "the game is not over yet");
        else if (!hosted->rematch[0])
            is_good = offer_rematch(request, hosted, side, &is_made);
        if (is_good)
            respond_json(request, MHD_HTTP_OK,
                         json_pack("{s:o}", "rematch", hosted_game_rematch_json(hosted)));
        unlock_live_game(hosted);
    }
    if (!is_made)
        give_place_back(request);
}
