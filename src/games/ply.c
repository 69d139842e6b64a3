/* Plies of any game, by its table. */
#include "games/ply.h"

#include "base/error.h"
#include "games/cells.h"

void ply_apply(const TurfGame *game, TurfState *state, const Ply *ply)
{
    if (ply->side == SIDE_NOBODY)
        game->pass(state);
    else if (ply->side == SIDE_BOTH)
        game->apply_both(state, ply->actions);
    else
        game->apply(state, ply->move);
}

json_t *ply_to_json(const TurfGame *game, const TurfState *state, const Ply *ply)
{
    if (ply->side == SIDE_NOBODY)
        return json_null();
    if (ply->side == SIDE_BOTH)
        return game_actions_to_json(game, ply->actions);
    return game->move_to_json(state, ply->move);
}

bool ply_from_json(const TurfGame *game, const TurfState *state, const json_t *json,
                   TurfCell *cells, Ply *ply, TurfError *error)
{
    TurfMover  mover = game->to_move(state);
    TurfEnding ending;
    *ply = (Ply){.side = (int)mover};
    if (game->is_over(state, &ending))
        return error_invalid(error, "the game is over before this move");
    if (mover != TURF_MOVER_BOTH)
        return game->move_from_json(state, json, &ply->move, error) &&
               game->is_legal(state, ply->move, error);
    TurfCell *room[2] = {cells, cells + TURF_MAX_CELLS};
    ply->side = SIDE_BOTH;
    return game_actions_from_json(game, json, room, ply->actions, error) &&
           game->is_legal_action(state, TURF_FIRST, &ply->actions[0], error) &&
           game->is_legal_action(state, TURF_SECOND, &ply->actions[1], error);
}
