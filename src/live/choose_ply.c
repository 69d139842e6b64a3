/* One player's ply. A search that was stopped may return nothing or nonsense: since any legal ply
 * is better than a forfeit, the first one stands in for it. */
#include "live/choose_ply.h"

static bool choose_action(const TurfPlayer *player, const TurfState *state, TurfSide side,
                          const TurnContext *turn, TurfCell *cells, Ply *ply)
{
    size_t n_cells = player_choose_cells(player, state, side, turn, cells);
    if (n_cells == PLAYER_FORFEITS)
        return false;
    TurfAction action = {cells, n_cells};
    if (!player->game->is_legal_action(state, side, &action, NULL))
        action.n_cells = 0;
    ply->actions[side] = action;
    return true;
}

bool choose_ply(const TurfPlayer *player, const TurfState *state, TurfSide side,
                const TurnContext *turn, TurfCell *cells, Ply *ply)
{
    const TurfGame *game = player->game;
    TurfMove        moves[TURF_MAX_MOVES];
    *ply = (Ply){.side = (int)side};
    if (!player_ask(player, state, side, turn))
        return false;
    if (game_is_simultaneous(game))
        return choose_action(player, state, side, turn, cells, ply);
    Choice choice = player_choose_move(player, state, false, turn, moves);
    if (choice.n_moves == 0 && player->kind->is_external)
        return false;
    if (choice.n_moves == 0 || !game->is_legal(state, moves[0], NULL))
        (void)game->moves(state, moves);
    ply->move = moves[0];
    return true;
}
