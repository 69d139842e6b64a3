/* Positions and moves as JSON, for any game: all that is said here comes from the game table. */
#include "web/views.h"

#include "base/checked_json.h"
#include "games/cells.h"

/* ---- endings ------------------------------------------------------------------------------ */

json_t *finish_json(const Finish *finish)
{
    if (!finish)
        return json_null();
    json_t *json = json_pack("{s:s,s:s,s:o}", "outcome", finish->outcome, "reason", finish->reason,
                             "text", json_sentence(finish->text));
    json_put(&json, "winner", finish->winner >= 0 ? json_integer(finish->winner) : json_null());
    return json;
}

/* ---- moves -------------------------------------------------------------------------------- */

json_t *ply_text(const TurfGame *game, const TurfState *state, const Ply *ply)
{
    char text[64] = "";
    if (ply->side == SIDE_NOBODY)
        return json_string(text);
    if (ply->side == SIDE_BOTH)
        snprintf(text, 64, "%zu and %zu cells", ply->actions[0].n_cells, ply->actions[1].n_cells);
    else if (game->move_label)
        game->move_label(state, ply->move, text);
    else
        turf_move_to_text(game, state, ply->move, text);
    return text[0] ? json_string(text) : NULL; /* out of memory */
}

static void append_cell(json_t **list, int row, int col)
{
    json_add(list, json_pack("[i,i]", row, col));
}

/* The cells that both sides list. */
static json_t *collisions_of(const TurfGame *game, const TurfState *state,
                             const TurfAction actions[2])
{
    int     rows, cols;
    bool    is_picked[TURF_MAX_CELLS] = {false};
    json_t *list = json_array();
    game->size(state, &rows, &cols);
    for (size_t i = 0; i < actions[0].n_cells; i++)
        is_picked[cols * actions[0].cells[i].row + actions[0].cells[i].col] = true;
    for (size_t i = 0; i < actions[1].n_cells; i++) {
        TurfCell cell = actions[1].cells[i];
        if (is_picked[cols * cell.row + cell.col])
            append_cell(&list, cell.row, cell.col);
        is_picked[cols * cell.row + cell.col] = false;
    }
    return list;
}

/* The cells that change hands from one position to the next. */
typedef struct Changes {
    json_t *born, *born_to; /* neither side's before, and whose afterwards */
    json_t *died;           /* neither side's afterwards */
    json_t *taken;          /* by `taker` from the other side */
} Changes;

static Changes changes_between(const TurfGame *game, const TurfState *from, const TurfState *to,
                               int taker)
{
    Changes changes = {json_array(), json_array(), json_array(), json_array()};
    int     rows, cols;
    game->size(from, &rows, &cols);
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++) {
            int was = game_owner(game, game->cell(from, row, col));
            int is = game_owner(game, game->cell(to, row, col));
            if (was < 0 && is >= 0) {
                append_cell(&changes.born, row, col);
                json_add(&changes.born_to, json_integer(is));
            } else if (was >= 0 && is < 0) {
                append_cell(&changes.died, row, col);
            } else if (was != is && is == taker) {
                append_cell(&changes.taken, row, col);
            }
        }
    return changes;
}

/* What a ply does. Where the world takes a step after it, that step, from the board between the
 * two; elsewhere what the mover takes and gains. */
static json_t *effect_of(const TurfGame *game, const TurfState *before, const TurfState *after,
                         const Ply *ply, Detail detail)
{
    TurfState between = *before;
    json_t   *effect = json_object();
    json_put(&effect, "kind", json_string(game->ply_kind ? game->ply_kind(before, ply) : "move"));
    if (game_is_simultaneous(game)) {
        json_put(&effect, "placed",
                 json_pack("[o,o]", cells_to_json(ply->actions[0].cells, ply->actions[0].n_cells),
                           cells_to_json(ply->actions[1].cells, ply->actions[1].n_cells)));
        json_put(&effect, "collisions", collisions_of(game, before, ply->actions));
    }
    if (game->play_before_step)
        game->play_before_step(&between, ply);
    Changes changes = changes_between(game, &between, after, ply->side);
    if (game->play_before_step) {
        json_put(&effect, "born", json_incref(changes.born));
        json_put(&effect, "born_to", json_incref(changes.born_to));
        json_put(&effect, "died", json_incref(changes.died));
        if (detail == WITH_BETWEEN)
            json_put(&effect, "between", game_board_json(game, &between));
    } else if (ply->side == TURF_FIRST || ply->side == TURF_SECOND) {
        TurfSide side = (TurfSide)ply->side;
        json_put(&effect, "taken", json_incref(changes.taken));
        json_put(&effect, "points", json_integer(game->own(after, side) - game->own(before, side)));
    }
    json_decref(changes.born);
    json_decref(changes.born_to);
    json_decref(changes.died);
    json_decref(changes.taken);
    return effect;
}

/* The cells that a move is about, in the order in which a person would point at them. */
static json_t *cells_of_ply(const TurfGame *game, const TurfState *before, const Ply *ply)
{
    TurfCell cells[MAX_MOVE_CELLS];
    if (ply->side == SIDE_NOBODY)
        return json_array();
    if (ply->side != SIDE_BOTH)
        return cells_to_json(cells, game_move_cells(game, before, ply->move, cells));
    json_t *list = json_array();
    for (int side = 0; side < 2; side++)
        json_add_all(&list, cells_to_json(ply->actions[side].cells, ply->actions[side].n_cells));
    return list;
}

json_t *view_of_side(int side)
{
    if (side == SIDE_BOTH)
        return json_string("both");
    return side == SIDE_NOBODY ? json_null() : json_integer(side);
}

json_t *view_of_move(const TurfGame *game, const TurfState *before, const Ply *ply, Detail detail)
{
    TurfState after = *before;
    ply_apply(game, &after, ply);
    return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o}", "move", ply_to_json(game, before, ply), "text",
                     ply_text(game, before, ply), "side", view_of_side(ply->side), "cells",
                     cells_of_ply(game, before, ply), "scores", view_of_scores(game, &after),
                     "effect", effect_of(game, before, &after, ply, detail));
}

/* ---- positions ---------------------------------------------------------------------------- */

json_t *view_of_mover(const TurfGame *game, const TurfState *state)
{
    TurfMover mover = game->to_move(state);
    if (mover == TURF_MOVER_NONE)
        return json_null();
    return view_of_side(mover == TURF_MOVER_BOTH ? SIDE_BOTH : (int)mover);
}

json_t *view_of_scores(const TurfGame *game, const TurfState *state)
{
    return json_pack("[i,i]", game->own(state, TURF_FIRST), game->own(state, TURF_SECOND));
}

void view_add(json_t **json, const TurfGame *game, const TurfState *state, const Finish *finish)
{
    Finish by_rules;
    if (!finish && finish_by_rules(game, state, &by_rules))
        finish = &by_rules;
    json_put(json, "position", game->to_json(state));
    json_put(json, "mover", finish ? json_null() : view_of_mover(game, state));
    json_put(json, "scores", view_of_scores(game, state));
    json_put(json, "moves_left", json_integer(game->moves_left ? game->moves_left(state) : 1));
    json_put(json, "over", finish_json(finish));
}

json_t *view_of_moves(const TurfGame *game, const TurfState *state)
{
    TurfMove moves[TURF_MAX_MOVES];
    size_t   n_moves = game->to_move(state) == TURF_MOVER_NONE ? 0 : game->moves(state, moves);
    json_t  *list = json_array();
    for (size_t i = 0; i < n_moves; i++) {
        Ply ply = {.side = (int)game->to_move(state), .move = moves[i]};
        json_add(&list, view_of_move(game, state, &ply, WITHOUT_BETWEEN));
    }
    return list;
}

json_t *view_of_reach(const TurfGame *game, const TurfState *state)
{
    static const char symbols[] = ".123";
    TurfCell          cells[TURF_MAX_CELLS];
    uint8_t           sides[TURF_MAX_CELLS] = {0};
    int               rows, cols;
    json_t           *list = json_array();
    game->size(state, &rows, &cols);
    for (int side = 0; side < 2; side++) {
        size_t n_cells = game_reach(game, state, (TurfSide)side, cells);
        for (size_t i = 0; i < n_cells; i++)
            sides[cols * cells[i].row + cells[i].col] |= (uint8_t)(1 << side);
    }
    for (int row = 0; row < rows; row++) {
        char text[MAX_BOARD_SIDE];
        for (int col = 0; col < cols; col++)
            text[col] = symbols[sides[cols * row + col]];
        json_add(&list, json_stringn(text, (size_t)cols));
    }
    return list;
}
