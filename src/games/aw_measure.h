/* Static evaluation of Amoeba Wars. The weights are a least-squares fit of the final lead over
 * 130,000 positions from games between searching players, rounded. */
#ifndef TURF_GAMES_AW_MEASURE_H
#define TURF_GAMES_AW_MEASURE_H

#include "games/amoeba_wars.h"
#include "games/game.h"

/* The bits of the terms in the game's measure_terms. */
enum { AW_WITHOUT_KILLS = 1, AW_WITHOUT_REACH = 2 };

static inline int aw_lead(const AwHeader *header, TurfSide side)
{
    return aw_score(header, side) - aw_score(header, (TurfSide)!side);
}

/* The lead, the kills open to the mover in the rest of its turn (n_prey of them), and the
 * difference in mobility. */
static inline int aw_weigh(const AwHeader *header, TurfSide side, int n_prey, unsigned without)
{
    static const int worth_of_kill[AW_MOVES_A_TURN + 1] = {0, 14, 9, 7};
    int              value = GAME_UNIT * aw_lead(header, side), n_left = header->moves_left;
    if (!(without & AW_WITHOUT_KILLS)) {
        int kills = worth_of_kill[n_left] * (n_prey < n_left ? n_prey : n_left);
        value += header->to_move == side ? kills : -kills;
    }
    if (!(without & AW_WITHOUT_REACH))
        value += header->n_feasible[side] - header->n_feasible[!side];
    return value;
}

static inline int aw_small_measure(const AwSmall *state, TurfSide side, unsigned without)
{
    unsigned mover = state->header.to_move;
    return aw_weigh(&state->header, side,
                    bits_count(state->feasible[mover][0] & state->live[mover ^ 1][0]), without);
}

static inline int aw_measure(const AwState *state, TurfSide side, unsigned without)
{
    unsigned mover = state->header.to_move;
    int      n_prey = 0;
    if (aw_is_small(state))
        return aw_small_measure(&state->small, side, without);
    for (size_t i = 0; i < sizeof state->large.shaded / sizeof state->large.shaded[0]; i++)
        n_prey += bits_count(state->large.feasible[mover][i] & state->large.live[mover ^ 1][i]);
    return aw_weigh(&state->header, side, n_prey, without);
}

#endif
