/* Adding up finished games. Inline, because kernels do it ten million times a second. */
#ifndef TURF_GAMES_TOTALS_H
#define TURF_GAMES_TOTALS_H

#include "turf.h"

#define TOTALS_NONE ((TurfTotals){.shortest = UINT32_MAX})

static inline void totals_add_game(TurfTotals *totals, TurfEnding ending, uint32_t length)
{
    totals->n_games++;
    totals->endings[ending]++;
    totals->length_sum += length;
    totals->length_square_sum += (uint64_t)length * length;
    if (length < totals->shortest)
        totals->shortest = length;
    if (ending != TURF_EXHAUSTED && length > totals->longest)
        totals->longest = length;
}

static inline void totals_add(TurfTotals *totals, const TurfTotals *more)
{
    totals->n_games += more->n_games;
    for (int e = 0; e < TURF_N_ENDINGS; e++)
        totals->endings[e] += more->endings[e];
    for (int f = 0; f < 2 * TURF_N_FORFEITS; f++)
        totals->forfeits[f / TURF_N_FORFEITS][f % TURF_N_FORFEITS] +=
            more->forfeits[f / TURF_N_FORFEITS][f % TURF_N_FORFEITS];
    totals->length_sum += more->length_sum;
    totals->length_square_sum += more->length_square_sum;
    if (more->shortest < totals->shortest)
        totals->shortest = more->shortest;
    if (more->longest > totals->longest)
        totals->longest = more->longest;
    totals->seconds += more->seconds;
}

/* Totals of a pairing whose players change sides come in two: [0] as they are listed, [1] with
 * sides changed. In both "first" is the player that is listed first. */
static inline TurfTotals totals_of_sides(const TurfTotals sides[2])
{
    TurfTotals both = sides[0];
    totals_add(&both, &sides[1]);
    return both;
}

/* The same games with the roles of the two players exchanged. */
static inline TurfTotals totals_exchanged(const TurfTotals *totals)
{
    TurfTotals other = *totals;
    other.endings[TURF_WON_BY_FIRST] = totals->endings[TURF_WON_BY_SECOND];
    other.endings[TURF_WON_BY_SECOND] = totals->endings[TURF_WON_BY_FIRST];
    for (int f = 0; f < TURF_N_FORFEITS; f++) {
        other.forfeits[0][f] = totals->forfeits[1][f];
        other.forfeits[1][f] = totals->forfeits[0][f];
    }
    return other;
}

/* Games won by the side that moves first (0) or second (1), whichever player had it. */
static inline uint64_t totals_won_by_side(const TurfTotals sides[2], int side)
{
    return sides[0].endings[side] + sides[1].endings[!side];
}

#endif
