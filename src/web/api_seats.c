/* What a seat of a sitting may do, with its token; and the rematch. */
#include "web/api.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* ---- what a seat may do ------------------------------------------------------------------- */

/* The sitting, retained and locked, and the side whose token came with the request. NULL: answered already. */
static Sitting *lock_seat(Request *request, int *side)
{
    const char *authorization = request_header(request, MHD_HTTP_HEADER_AUTHORIZATION);
    Sitting    *sitting = lock_sitting(request);
    if (!sitting)
        return NULL;
    if (!authorization || strncasecmp(authorization, "Bearer ", 7)) {
        answer_error(request, MHD_HTTP_UNAUTHORIZED, "no-token",
                     "say Authorization: Bearer TOKEN, with a seat's token");
        answer_header(request, MHD_HTTP_HEADER_WWW_AUTHENTICATE, "Bearer");
    } else if ((*side = sitting_side_of(sitting, authorization + 7)) < 0) {
        answer_error(request, MHD_HTTP_FORBIDDEN, "bad-token", "this token opens no seat of this sitting");
    } else {
        sitting->asker = request->caller;
        return sitting;
    }
    unlock_sitting(sitting);
    return NULL;
}

static void answer_or_refuse(Request *request, unsigned status, json_t *data, const Refusal *refusal)
{
    if (data)
        answer_json(request, status, data);
    else
        answer_refusal(request, refusal);
}

static void answer_seat(Request *request, const Sitting *sitting, int side)
{
    answer_json(request, MHD_HTTP_OK, json_pack("{s:i,s:s}", "side", side, "name", sitting->seats[side].name));
}

void api_seat_get(Request *request)
{
    int      side;
    Sitting *sitting = lock_seat(request, &side);
    if (!sitting)
        return;
    answer_seat(request, sitting, side);
    unlock_sitting(sitting);
}

void api_seat_put(Request *request)
{
    const char *name = NULL;
    int         side;
    Sitting    *sitting;
    Refusal     refusal;
    if (!request_read(request, "{s?:s}", "name", &name) || (name && !check_name(request, name)) ||
        !(sitting = lock_seat(request, &side)))
        return;
    if (sitting_take_seat(sitting, side, name, &refusal))
        answer_seat(request, sitting, side);
    else
        answer_refusal(request, &refusal);
    unlock_sitting(sitting);
}

void api_sitting_move(Request *request)
{
    json_t    *move;
    json_int_t n_moves = -1;
    int        side;
    Sitting   *sitting;
    Refusal    refusal;
    if (!request_read(request, "{s:o,s?:I}", "move", &move, "n_moves", &n_moves) ||
        !(sitting = lock_seat(request, &side)))
        return;
    json_t *data = sitting_move(sitting, side, move, n_moves, &refusal);
    bool    is_half = data && !json_object_get(data, "position");
    answer_or_refuse(request, is_half ? MHD_HTTP_ACCEPTED : MHD_HTTP_OK, data, &refusal);
    unlock_sitting(sitting);
}

void api_sitting_undo(Request *request)
{
    const char *other = NULL; /* the token of the other seat: both want it */
    int         side;
    Sitting    *sitting;
    Refusal     refusal;
    if (!request_read(request, "{s?:s}", "other", &other) || !(sitting = lock_seat(request, &side)))
        return;
    json_t *data = sitting_undo(sitting, side, other && sitting_side_of(sitting, other) == !side, &refusal);
    answer_or_refuse(request, MHD_HTTP_OK, data, &refusal);
    unlock_sitting(sitting);
}

void api_sitting_resign(Request *request)
{
    int      side;
    Sitting *sitting;
    Refusal  refusal;
    if (!request_read(request, "{}") || !(sitting = lock_seat(request, &side)))
        return;
    json_t *data = sitting_resign(sitting, side, &refusal);
    answer_or_refuse(request, MHD_HTTP_OK, data, &refusal);
    unlock_sitting(sitting);
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
    return !copy->player == !seat->player && !copy->spec == !seat->spec && !copy->options == !seat->options;
}

/* The same again with sides changed; a start that was drawn is drawn anew. NULL: answered already. */
static Sitting *new_rematch(Request *request, const Sitting *old)
{
    Setup     setup = old->setup;
    Seat      seats[2] = {copy_of_seat(&old->seats[1]), copy_of_seat(&old->seats[0])};
    json_t   *text = setup.start_text ? json_string(setup.start_text) : NULL;
    TurfError error = {""};
    setup.start_text = setup.start_text ? strdup(setup.start_text) : NULL;
    setup.config = setup.config ? json_deep_copy(setup.config) : NULL;
    setup.seed = token_seed();
    snprintf(setup.parent, sizeof setup.parent, "%s", old->id);
    StartRequest start = {.game = setup.game, .start = text, .config = setup.config, .chosen_seed = setup.seed};
    bool         is_drawn = old->setup.is_start_named && make_start(&start, &error);
    if (is_drawn)
        setup.start = start.state;
    bool is_whole = is_copy(&seats[0], &old->seats[1]) && is_copy(&seats[1], &old->seats[0]) &&
                    !setup.start_text == !old->setup.start_text && !setup.config == !old->setup.config &&
                    !text == !old->setup.start_text && !error_is_out_of_memory(&error);
    json_decref(text);
    if (is_whole)
        return new_sitting(request, &setup, seats);
    setup_release(&setup);
    seat_release(&seats[0]);
    seat_release(&seats[1]);
    answer_json(request, 0, NULL);
    return NULL;
}

/* Everybody wants it: makes it in the place that was taken. False: answered already. */
static bool make_rematch(Request *request, Sitting *sitting)
{
    Sitting *next = new_rematch(request, sitting);
    bool     is_good = next && begin_sitting(request, next);
    if (is_good)
        snprintf(sitting->rematch, sizeof sitting->rematch, "%s", next->id);
    sitting_release(next);
    return is_good;
}

/* Notes that a side wants it, and makes it once all persons do. False: answered already. */
static bool offer_rematch(Request *request, Sitting *sitting, int side, bool *is_made)
{
    Refusal refusal;
    bool    is_agreed = !sitting->seats[!side].is_person || sitting->wants_rematch[!side];
    sitting->wants_rematch[side] = true;
    *is_made = is_agreed && make_rematch(request, sitting);
    if (is_agreed && !*is_made)
        return false;
    if (!sitting_save(sitting, SAVE_STANDING, &refusal)) {
        answer_refusal(request, &refusal);
        return false;
    }
    channel_publish(sitting->channel, "rematch", json_pack("{s:o}", "rematch", sitting_rematch_json(sitting)));
    return true;
}

void api_sitting_rematch(Request *request)
{
    int      side;
    Sitting *sitting = NULL;
    bool     is_made = false;
    /* Making room looks at every sitting, so it comes before this one is locked. */
    if (!request_read(request, "{}") || !take_place(request))
        return;
    if ((sitting = lock_seat(request, &side))) {
        bool is_good = sitting->is_over;
        if (!is_good)
            answer_error(request, MHD_HTTP_CONFLICT, "busy", "the game is not over yet");
        else if (!sitting->rematch[0])
            is_good = offer_rematch(request, sitting, side, &is_made);
        if (is_good)
            answer_json(request, MHD_HTTP_OK, json_pack("{s:o}", "rematch", sitting_rematch_json(sitting)));
        unlock_sitting(sitting);
    }
    if (!is_made)
        give_place_back(request);
}
