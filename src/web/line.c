#include "web/line.h"

#include "base/error.h"
#include "base/whole_json.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FRAMES_BYTES = 1 << 20 };

void line_init(Line *line, const TurfGame *game, const TurfState *start)
{
    *line = (Line){.game = game, .start = *start, .state = *start};
}

void line_release(Line *line)
{
    for (size_t i = 0; i < line->n_turns; i++)
        free(line->turns[i].cells);
    free(line->turns);
    line->turns = NULL;
    line->n_turns = line->room = line->n_cells = 0;
}

/* ---- moves -------------------------------------------------------------------------------- */

Deed turn_deed(const Turn *turn)
{
    const TurfCell *others =
        turn->n_cells[1] ? turn->cells + turn->n_cells[0] : NULL; /* there may be no cells at all */
    return (Deed){.side = turn->side,
                  .move = turn->move,
                  .actions = {{turn->cells, turn->n_cells[0]}, {others, turn->n_cells[1]}}};
}

static bool make_room(Line *line)
{
    if (line->n_turns < line->room)
        return true;
    size_t room = line->room ? 2 * line->room : 32;
    Turn  *turns = realloc(line->turns, room * sizeof *turns);
    if (!turns)
        return false;
    line->turns = turns;
    line->room = room;
    return true;
}

/* A turn keeps the cells of both sides in one piece of memory. */
static bool copy_cells(const Deed *deed, Turn *turn)
{
    size_t n_cells = deed->actions[0].n_cells + deed->actions[1].n_cells;
    turn->cells = malloc((n_cells ? n_cells : 1) * sizeof *turn->cells);
    if (!turn->cells)
        return false;
    for (int side = 0; side < 2; side++) {
        turn->n_cells[side] = deed->actions[side].n_cells;
        if (turn->n_cells[side])
            memcpy(turn->cells + (side ? turn->n_cells[0] : 0), deed->actions[side].cells,
                   turn->n_cells[side] * sizeof *turn->cells);
    }
    return true;
}

bool line_add(Line *line, const Deed *deed, int64_t ms)
{
    Turn turn = {.side = deed->side, .move = deed->move, .ms = ms};
    if (!make_room(line) || (deed->side == SIDE_BOTH && !copy_cells(deed, &turn)))
        return false;
    deed_apply(line->game, &line->state, deed);
    for (int side = 0; side < 2; side++)
        turn.scores[side] = line->game->own(&line->state, (TurfSide)side);
    line->turns[line->n_turns++] = turn;
    line->n_cells += turn.n_cells[0] + turn.n_cells[1];
    return true;
}

static bool read_actions(const Line *line, const json_t *move, TurfCell *cells, Deed *deed, TurfError *error)
{
    const TurfGame *game = line->game;
    TurfCell       *room[2] = {cells, cells + TURF_MOST_CELLS};
    deed->side = SIDE_BOTH;
    return game->actions_from_json(&line->state, move, room, deed->actions, error) &&
           game->is_legal_action(&line->state, TURF_FIRST, &deed->actions[0], error) &&
           game->is_legal_action(&line->state, TURF_SECOND, &deed->actions[1], error);
}

bool line_add_json(Line *line, const json_t *move, int64_t ms, TurfError *error)
{
    const TurfGame *game = line->game;
    TurfMover       mover = game->to_move(&line->state);
    Deed            deed = {.side = (int)mover};
    TurfCell       *cells = NULL;
    bool            is_good;
    if (mover == TURF_MOVER_NOBODY)
        is_good = error_set(error, "there is a move after the end of the game");
    else if (mover == TURF_MOVER_BOTH)
        is_good = ((cells = malloc(2 * TURF_MOST_CELLS * sizeof *cells)) || error_set(error, "out of memory")) &&
                  read_actions(line, move, cells, &deed, error);
    else
        is_good = game->move_from_json(&line->state, move, &deed.move, error) &&
                  game->is_legal(&line->state, deed.move, error);
    is_good = is_good && (line_add(line, &deed, ms) || error_set(error, "out of memory"));
    free(cells);
    return is_good;
}

void line_position_at(const Line *line, size_t ply, TurfState *state)
{
    *state = line->start;
    for (size_t i = 0; i < ply; i++) {
        Deed deed = turn_deed(&line->turns[i]);
        deed_apply(line->game, state, &deed);
    }
}

void line_cut(Line *line, size_t n_left)
{
    while (line->n_turns > n_left) {
        Turn *last = &line->turns[--line->n_turns];
        line->n_cells -= last->n_cells[0] + last->n_cells[1];
        free(last->cells);
    }
    line_position_at(line, n_left, &line->state);
}

/* ---- as JSON ------------------------------------------------------------------------------ */

/* Moves are written alike in every position of a game, so the start stands for all of them. */
json_t *line_move_json(const Line *line, size_t index)
{
    Deed deed = turn_deed(&line->turns[index]);
    return deed_move_json(line->game, &line->start, &deed);
}

static json_t *turn_json(const Line *line, size_t index)
{
    const Turn *turn = &line->turns[index];
    Deed        deed = turn_deed(turn);
    return json_pack("{s:I,s:o,s:o,s:o,s:[i,i],s:I}", "ply", (json_int_t)index + 1, "side", view_of_side(turn->side),
                     "move", line_move_json(line, index), "text", deed_text(line->game, &line->start, &deed), "scores",
                     turn->scores[0], turn->scores[1], "ms", (json_int_t)turn->ms);
}

json_t *line_moves(const Line *line)
{
    json_t *list = json_array();
    for (size_t i = 0; i < line->n_turns; i++)
        json_add(&list, turn_json(line, i));
    return list;
}

json_t *line_scores(const Line *line)
{
    json_t *list = json_array();
    json_add(&list, view_of_scores(line->game, &line->start));
    for (size_t i = 0; i < line->n_turns; i++)
        json_add(&list, json_pack("[i,i]", line->turns[i].scores[0], line->turns[i].scores[1]));
    return list;
}

json_t *line_frames(const Line *line, const Finish *finish, int64_t from, int64_t n)
{
    TurfState state = line->start;
    json_t   *frames = json_array();
    size_t    n_bytes = 0;
    for (size_t ply = 0; ply <= line->n_turns && (int64_t)ply < from + n && n_bytes < MOST_FRAMES_BYTES; ply++) {
        bool    is_wanted = (int64_t)ply >= from;
        json_t *move = NULL;
        if (ply > 0) {
            Deed deed = turn_deed(&line->turns[ply - 1]);
            if (is_wanted)
                move = view_of_move(line->game, &state, &deed, WITH_BETWEEN);
            deed_apply(line->game, &state, &deed);
        }
        if (!is_wanted)
            continue;
        json_t *frame = json_pack("{s:I,s:o}", "ply", (json_int_t)ply, "move", ply > 0 ? move : json_null());
        view_add(&frame, line->game, &state, ply == line->n_turns ? finish : NULL);
        n_bytes += json_dumpb(frame, NULL, 0, JSON_COMPACT);
        json_add(&frames, frame);
    }
    return json_pack("{s:I,s:I,s:o}", "from", (json_int_t)from, "n_frames", (json_int_t)line->n_turns + 1, "frames",
                     frames);
}
