/* Static evaluation of War of Life: pieces now, pieces after the next crank, and mobility. */
#ifndef TURF_GAMES_WOL_MEASURE_H
#define TURF_GAMES_WOL_MEASURE_H

#include "games/game.h"
#include "games/war_of_life.h"

/* The bits of the terms in the game's measure_terms. */
enum { WOL_WITHOUT_CRANK = 1, WOL_WITHOUT_MOBILITY = 2, WOL_WITHOUT_REDUCTIONS = 4 };

static inline int wol_measure(const WolState *state, TurfSide side, unsigned without)
{
    uint64_t own = state->pieces[side], enemy = state->pieces[!side], empty = ~(own | enemy);
    int      value = GAME_UNIT * (bits_count(own) - bits_count(enemy));
    if (!(without & WOL_WITHOUT_CRANK)) {
        uint64_t next_own = own, next_enemy = enemy;
        wol_crank(&next_own, &next_enemy);
        value += 8 * (bits_count(next_own) - bits_count(next_enemy));
    }
    if (!(without & WOL_WITHOUT_MOBILITY))
        value += 4 * (bits_count(wol_beside(own) & empty) - bits_count(wol_beside(enemy) & empty));
    return value;
}

/* An early win is better, and so is a late loss. */
static inline int wol_value_when_over(const WolState *state, TurfSide side)
{
    TurfEnding ending = TURF_STALEMATE;
    (void)wol_is_decided(state, &ending);
    if (ending != TURF_WON_BY_FIRST && ending != TURF_WON_BY_SECOND)
        return 0;
    int value = GAME_WON - (int)state->moves_made;
    return (ending == TURF_WON_BY_FIRST) == (side == TURF_FIRST) ? value : -value;
}

#endif
