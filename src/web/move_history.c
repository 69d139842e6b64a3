#include "web/move_history.h"

#include "base/error.h"
#include "base/checked_json.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FRAMES_BYTES = 1 << 20 };

void history_init(MoveHistory *history, const TurfGame *game, const TurfState *start)
{
    *history = (MoveHistory){.game = game, .start = *start, .state = *start};
}

void history_release(MoveHistory *history)
{
    for (size_t i = 0; i < history->n_turns; i++)
        free(history->turns[i].cells);
    free(history->turns);
    history->turns = NULL;
    history->n_turns = history->room = history->n_cells = 0;
}

/* ---- moves -------------------------------------------------------------------------------- */

Ply turn_ply(const Turn *turn)
{
    const TurfCell *others =
        turn->n_cells[1] ? turn->cells + turn->n_cells[0] : NULL; /* there may be no cells at all */
    return (Ply){.side = turn->side,
                 .move = turn->move,
                 .actions = {{turn->cells, turn->n_cells[0]}, {others, turn->n_cells[1]}}};
}

static bool make_room(MoveHistory *history)
{
    if (history->n_turns < history->room)
        return true;
    size_t room = history->room ? 2 * history->room : 32;
    Turn  *turns = realloc(history->turns, room * sizeof *turns);
    if (!turns)
        return false;
    history->turns = turns;
    history->room = room;
    return true;
}

/* A turn keeps the cells of both sides in one piece of memory. */
static bool copy_cells(const Ply *ply, Turn *turn)
{
    size_t n_cells = ply->actions[0].n_cells + ply->actions[1].n_cells;
    turn->cells = malloc((n_cells ? n_cells : 1) * sizeof *turn->cells);
    if (!turn->cells)
        return false;
    for (int side = 0; side < 2; side++) {
        turn->n_cells[side] = ply->actions[side].n_cells;
        if (turn->n_cells[side])
            memcpy(turn->cells + (side ? turn->n_cells[0] : 0), ply->actions[side].cells,
                   turn->n_cells[side] * sizeof *turn->cells);
    }
    return true;
}

bool history_add(MoveHistory *history, const Ply *ply, int64_t ms)
{
    Turn turn = {.side = ply->side, .move = ply->move, .ms = ms};
    if (!make_room(history) || (ply->side == SIDE_BOTH && !copy_cells(ply, &turn)))
        return false;
    ply_apply(history->game, &history->state, ply);
    for (int side = 0; side < 2; side++)
        turn.scores[side] = history->game->own(&history->state, (TurfSide)side);
    history->turns[history->n_turns++] = turn;
    history->n_cells += turn.n_cells[0] + turn.n_cells[1];
    return true;
}

static bool read_actions(const MoveHistory *history, const json_t *move, TurfCell *cells, Ply *ply,
                         TurfError *error)
{
    const TurfGame *game = history->game;
    TurfCell       *room[2] = {cells, cells + TURF_MAX_CELLS};
    ply->side = SIDE_BOTH;
    return game->actions_from_json(&history->state, move, room, ply->actions, error) &&
           game->is_legal_action(&history->state, TURF_FIRST, &ply->actions[0], error) &&
           game->is_legal_action(&history->state, TURF_SECOND, &ply->actions[1], error);
}

bool history_add_json(MoveHistory *history, const json_t *move, int64_t ms, TurfError *error)
{
    const TurfGame *game = history->game;
    TurfMover       mover = game->to_move(&history->state);
    Ply             ply = {.side = (int)mover};
    TurfCell       *cells = NULL;
    bool            is_good;
    if (mover == TURF_MOVER_NOBODY)
        is_good = error_invalid(error, "there is a move after the end of the game");
    else if (mover == TURF_MOVER_BOTH)
        is_good =
            ((cells = malloc(2 * TURF_MAX_CELLS * sizeof *cells)) || error_no_memory(error)) &&
            read_actions(history, move, cells, &ply, error);
    else
        is_good = game->move_from_json(&history->state, move, &ply.move, error) &&
                  game->is_legal(&history->state, ply.move, error);
    is_good = is_good && (history_add(history, &ply, ms) || error_no_memory(error));
    free(cells);
    return is_good;
}

void history_position_at(const MoveHistory *history, size_t index, TurfState *state)
{
    *state = history->start;
    for (size_t i = 0; i < index; i++) {
        Ply ply = turn_ply(&history->turns[i]);
        ply_apply(history->game, state, &ply);
    }
}

void history_cut(MoveHistory *history, size_t n_left)
{
    while (history->n_turns > n_left) {
        Turn *last = &history->turns[--history->n_turns];
        history->n_cells -= last->n_cells[0] + last->n_cells[1];
        free(last->cells);
    }
    history_position_at(history, n_left, &history->state);
}

/* ---- as JSON ------------------------------------------------------------------------------ */

/* Moves are written alike in every position of a game, so the start stands for all of them. */
json_t *history_move_json(const MoveHistory *history, size_t index)
{
    Ply ply = turn_ply(&history->turns[index]);
    return ply_move_json(history->game, &history->start, &ply);
}

static json_t *turn_json(const MoveHistory *history, size_t index)
{
    const Turn *turn = &history->turns[index];
    Ply         ply = turn_ply(turn);
    return json_pack("{s:I,s:o,s:o,s:o,s:[i,i],s:I}", "ply", (json_int_t)index + 1, "side",
                     view_of_side(turn->side), "move", history_move_json(history, index), "text",
                     ply_text(history->game, &history->start, &ply), "scores", turn->scores[0],
                     turn->scores[1], "ms", (json_int_t)turn->ms);
}

json_t *history_moves(const MoveHistory *history)
{
    json_t *list = json_array();
    for (size_t i = 0; i < history->n_turns; i++)
        json_add(&list, turn_json(history, i));
    return list;
}

json_t *history_scores(const MoveHistory *history)
{
    json_t *list = json_array();
    json_add(&list, view_of_scores(history->game, &history->start));
    for (size_t i = 0; i < history->n_turns; i++)
        json_add(&list,
                 json_pack("[i,i]", history->turns[i].scores[0], history->turns[i].scores[1]));
    return list;
}

json_t *history_frames(const MoveHistory *history, const Finish *finish, int64_t from, int64_t n)
{
    TurfState state = history->start;
    json_t   *frames = json_array();
    size_t    n_bytes = 0;
    for (size_t index = 0;
         index <= history->n_turns && (int64_t)index < from + n && n_bytes < MAX_FRAMES_BYTES;
         index++) {
        bool    is_wanted = (int64_t)index >= from;
        json_t *move = NULL;
        if (index > 0) {
            Ply ply = turn_ply(&history->turns[index - 1]);
            if (is_wanted)
                move = view_of_move(history->game, &state, &ply, WITH_BETWEEN);
            ply_apply(history->game, &state, &ply);
        }
        if (!is_wanted)
            continue;
        json_t *frame = json_pack("{s:I,s:o}", "ply", (json_int_t)index, "move",
                                  index > 0 ? move : json_null());
        view_add(&frame, history->game, &state, index == history->n_turns ? finish : NULL);
        n_bytes += json_dumpb(frame, NULL, 0, JSON_COMPACT);
        json_add(&frames, frame);
    }
    return json_pack("{s:I,s:I,s:o}", "from", (json_int_t)from, "n_frames",
                     (json_int_t)history->n_turns + 1, "frames", frames);
}
