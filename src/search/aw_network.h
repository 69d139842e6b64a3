/* The network's value of an Amoeba Wars position on 8x8. Its planes, from the side to move: own
 * cells, the enemy's, shaded ones; the empty cells in reach of each; the cells that each can kill.
 * Its scalars: the lead, the difference in reach, the kills open in this turn, the kills open to
 * the enemy. */
#ifndef TURF_SEARCH_AW_NETWORK_H
#define TURF_SEARCH_AW_NETWORK_H

#include "games/amoeba_wars.h"
#include "search/network_eval.h"

/* By the moves left in this turn, and by how full the board is. */
static inline unsigned aw_network_bucket(const AwSmall *state)
{
    enum { CELLS_A_BUCKET = 16, FULL = 3 };
    unsigned n_taken =
        (unsigned)bits_count(state->live[0][0] | state->live[1][0] | state->shaded[0]);
    unsigned fullness = n_taken / CELLS_A_BUCKET;
    return (state->header.moves_left - 1U) * (FULL + 1) + (fullness < FULL ? fullness : FULL);
}

static inline int aw_network_measure(const Network *network, const AwSmall *state, TurfSide side)
{
    const AwHeader *header = &state->header;
    unsigned        mover = header->to_move;
    uint64_t        own = state->live[mover][0], enemy = state->live[mover ^ 1][0];
    uint64_t        reach = state->feasible[mover][0], enemy_reach = state->feasible[mover ^ 1][0];
    uint64_t        prey = reach & enemy, enemy_prey = enemy_reach & own;
    int             n_prey = bits_count(prey);
    unsigned        bucket = aw_network_bucket(state);
    const int32_t  *scalars = network->scalars[bucket];
    NetworkSums     sums;
    memcpy(&sums, network->biases, sizeof sums);
    network_add(network, 0, own, &sums);
    network_add(network, 1, enemy, &sums);
    network_add(network, 2, state->shaded[0], &sums);
    network_add(network, 3, reach & ~enemy, &sums);
    network_add(network, 4, enemy_reach & ~own, &sums);
    network_add(network, 5, prey, &sums);
    network_add(network, 6, enemy_prey, &sums);
    int64_t output = network_output(network, &sums, bucket);
    output += (int64_t)scalars[0] * aw_lead(header, (TurfSide)mover);
    output += (int64_t)scalars[1] * (header->n_feasible[mover] - header->n_feasible[mover ^ 1]);
    output += (int64_t)scalars[2] * (n_prey < header->moves_left ? n_prey : header->moves_left);
    output += (int64_t)scalars[3] * bits_count(enemy_prey);
    int value = network_scaled(network, output);
    return side == (TurfSide)mover ? value : -value;
}

/* A won game is worth more than any lead, and a larger lead is better still. */
static inline int aw_network_value_when_over(const AwSmall *state, TurfSide side)
{
    int lead = aw_lead(&state->header, side);
    if (lead == 0)
        return 0;
    return (lead > 0 ? GAME_DECIDED : -GAME_DECIDED) + lead;
}

#endif
