/* One live game: the game itself, its seats, moves, frames and events, with GET, PUT and POST of
 * each resource side by side. A person acts with the token of a seat; see docs/api.md. */
#include "web/api.h"

#include "base/checked_json.h"
#include "web/history_views.h"

#include <string.h>

/* ---- finding the game and the seat --------------------------------------------------------- */

HostedGame *lock_live_game(Request *request)
{
    TurfError   error;
    HostedGame *hosted = registry_find(request->server, request->parts[0], &error);
    if (!hosted) {
        respond_turf_error(request, &error);
        return NULL;
    }
    pthread_mutex_lock(&hosted->lock);
    hosted_game_look(hosted);
    return hosted;
}

void unlock_live_game(HostedGame *hosted)
{
    pthread_mutex_unlock(&hosted->lock);
    hosted_game_release(hosted);
}

HostedGame *lock_seat(Request *request, int *side)
{
    const char *token = request_token(request);
    HostedGame *hosted = lock_live_game(request);
    if (!hosted)
        return NULL;
    if (!token) {
        respond_no_token(request, "say Authorization: Bearer TOKEN, with a seat's token");
    } else if ((*side = hosted_game_side_of(hosted, token)) < 0) {
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

/* ---- GET /api/live-games/ID ---------------------------------------------------------------- */

void api_live_game(Request *request)
{
    HostedGame *hosted = lock_live_game(request);
    if (!hosted)
        return;
    respond_json(request, MHD_HTTP_OK, hosted_game_json(hosted));
    unlock_live_game(hosted);
}

/* ---- GET and PUT .../seat ------------------------------------------------------------------- */

bool check_name(Request *request, const char *name)
{
    bool is_good = !*name || player_is_good_name(name, strlen(name));
    if (!is_good)
        respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                      "a name is at most %d printable characters", MAX_NAME_LETTERS);
    return is_good;
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

/* ---- GET and POST .../moves ----------------------------------------------------------------- */

void api_live_game_moves(Request *request)
{
    HostedGame *hosted = lock_live_game(request);
    if (!hosted)
        return;
    const TurfGame *game = hosted->setup.game;
    json_t         *json = json_pack("{s:s,s:I}", "game", game->name, "n_moves",
                                     (json_int_t)hosted->live.history.n_plies);
    view_add(&json, game, &hosted->live.history.state, hosted_game_finish(hosted));
    if (game_is_simultaneous(game))
        json_put(&json, "reach", view_of_reach(game, &hosted->live.history.state));
    else
        json_put(&json, "moves",
                 hosted->live.is_over ? json_array()
                                      : view_of_moves(game, &hosted->live.history.state));
    respond_json(request, MHD_HTTP_OK, json);
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

/* ---- POST .../undo and .../resign ----------------------------------------------------------- */

void api_live_game_undo(Request *request)
{
    const char *other = NULL; /* the token of the other seat: both want it */
    int         side;
    HostedGame *hosted;
    ApiError    api_error;
    if (!request_read(request, "{s?:s}", "other", &other) || !(hosted = lock_seat(request, &side)))
        return;
    bool    are_both = other && hosted_game_side_of(hosted, other) == !side;
    json_t *data = hosted_game_undo(hosted, side, are_both ? UNDO_TOGETHER : UNDO_OWN, &api_error);
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

/* ---- POST .../offers ------------------------------------------------------------------------ */

void api_live_game_offer(Request *request)
{
    static const char *const kinds[N_OFFERS] = {"draw", "takeback"};
    const char              *wanted;
    int                      side, kind, is_declined = false;
    HostedGame              *hosted;
    ApiError                 api_error;
    if (!request_read(request, "{s:s,s?:b}", "kind", &wanted, "is_declined", &is_declined))
        return;
    if ((kind = name_find(wanted, kinds, N_OFFERS)) < 0) {
        respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                      "'kind' must be draw or takeback");
        return;
    }
    if (!(hosted = lock_seat(request, &side)))
        return;
    json_t *data = is_declined ? hosted_game_decline(hosted, (OfferKind)kind, &api_error)
                               : hosted_game_offer(hosted, side, (OfferKind)kind, &api_error);
    respond_or_error(request, MHD_HTTP_OK, data, &api_error);
    unlock_live_game(hosted);
}

/* ---- GET .../frames and .../events ---------------------------------------------------------- */

void respond_frames(Request *request, Frames *frames)
{
    if (!frames) {
        respond_no_memory(request);
        return;
    }
    respond_json(request, MHD_HTTP_OK, frames_view(frames));
    frames_release(frames);
}

void api_live_game_frames(Request *request)
{
    int64_t     from = 0, n = 50;
    HostedGame *hosted;
    Frames      frames;
    if (!request_number(request, "from", 0, INT32_MAX, &from) ||
        !request_number(request, "n", 1, MAX_FRAMES, &n) || !(hosted = lock_live_game(request)))
        return;
    bool is_good = frames_copy(&frames, &hosted->live.history, hosted_game_finish(hosted), from, n);
    unlock_live_game(hosted);
    respond_frames(request, is_good ? &frames : NULL);
}

static json_t *snapshot_of_live_game(void *hosted) { return hosted_game_json(hosted); }

/* The event a client continues from: named by itself, or by its browser after a lost connection. */
static const char *last_event(const Request *request)
{
    const char *seen = request_header(request, "Last-Event-ID");
    return seen ? seen : request_parameter(request, "after");
}

void api_live_game_events(Request *request)
{
    HostedGame *hosted = lock_live_game(request);
    if (!hosted)
        return;
    /* Missed events hold clocks as they were: a game with clocks starts with a snapshot. */
    const char *after = hosted->live.clock.is_on ? NULL : last_event(request);
    respond_stream(request, channel_subscribe(hosted->channel, request->connection, after,
                                              "snapshot", snapshot_of_live_game, hosted));
    unlock_live_game(hosted);
}
