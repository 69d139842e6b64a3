/* Asks one player for its move in one position. */
#include "web/think.h"

static bool think_of_cells(TurfPlayer *player, Thought *thought, const TurnContext *turn,
                           TurfCell *cells)
{
    thought->n_cells = player_choose_cells(player, &thought->state, thought->side, turn, cells);
    if (thought->n_cells == PLAYER_FORFEITS)
        return false;
    TurfAction action = {cells, thought->n_cells};
    if (!thought->game->is_legal_action(&thought->state, thought->side, &action, NULL))
        thought->n_cells = 0;
    return true;
}

bool think(TurfPlayer *player, Thought *thought, TurfCell *cells, TurfError *error)
{
    const TurfGame *game = thought->game;
    TurfMove        moves[TURF_MAX_MOVES];
    int64_t         used_ns = 0;
    TurnContext     turn = {.rng = &thought->rng,
                            .stop = thought->stop,
                            .deadline_ns = thought->deadline_ns,
                            .time_gain_ms = thought->gain_ms,
                            .used_ns = &used_ns,
                            .forfeit = &thought->forfeit,
                            .error = error};
    *error = (TurfError){.code = TURF_OK};
    if (!player_ask(player, &thought->state, thought->side, &turn))
        return false;
    if (game_is_simultaneous(game))
        return think_of_cells(player, thought, &turn, cells);
    Choice choice = player_choose_move(player, &thought->state, false, &turn, moves);
    if (choice.n_moves == 0 && player->kind->is_external)
        return false;
    /* The answer of a search that was stopped may be illegal: play the first legal move instead. */
    if (choice.n_moves == 0 || !game->is_legal(&thought->state, moves[0], NULL))
        (void)game->moves(&thought->state, moves);
    thought->move = moves[0];
    return true;
}
