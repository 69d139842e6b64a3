/* The network's value of a War of Life position. Its planes: the pieces of the side to move and of
 * the other side, now and after the next crank. */
#ifndef TURF_SEARCH_WOL_NETWORK_H
#define TURF_SEARCH_WOL_NETWORK_H

#include "games/war_of_life.h"
#include "search/network_eval.h"

/* Positions of up to 5 pieces are in the first bucket, of 30 and more in the last. */
static inline unsigned wol_network_bucket(uint64_t taken)
{
    enum { PIECES_A_BUCKET = 4, FEWEST = 2, BUCKETS = 8 };
    unsigned n_pieces = (unsigned)bits_count(taken);
    unsigned bucket = n_pieces > FEWEST ? (n_pieces - FEWEST) / PIECES_A_BUCKET : 0;
    return bucket < BUCKETS ? bucket : BUCKETS - 1;
}

static inline int wol_network_measure(const Network *network, const WolState *state, TurfSide side)
{
    unsigned    mover = state->to_move;
    uint64_t    own = state->pieces[mover], enemy = state->pieces[mover ^ 1];
    uint64_t    next_own = own, next_enemy = enemy;
    NetworkSums sums;
    wol_crank(&next_own, &next_enemy);
    memcpy(&sums, network->biases, sizeof sums);
    network_add(network, 0, own, &sums);
    network_add(network, 1, enemy, &sums);
    network_add(network, 2, next_own, &sums);
    network_add(network, 3, next_enemy, &sums);
    int64_t output = network_output(network, &sums, wol_network_bucket(own | enemy));
    int     value = network_scaled(network, output);
    return side == (TurfSide)mover ? value : -value;
}

#endif
