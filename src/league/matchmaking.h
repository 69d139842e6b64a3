/* Who plays next: the pairs whose games narrow the table most.
 *
 * The table is as uncertain as the variances of its ratings together. Games of two players whose
 * ratings differ by d add p (1 - p) of information about d, where p is the chance to win; so
 * nearest ratings tell most, and players with wide intervals, who have played least, gain most by
 * them. A round takes the pair that lowers the sum of all variances most (A-optimal design), counts
 * its games as played, and goes on with the others.
 *
 * The pairs are a function of the input alone, and the same on every machine. */
#ifndef TURF_LEAGUE_MATCHMAKING_H
#define TURF_LEAGUE_MATCHMAKING_H

#include "arena/plan.h"

/* A player to be paired. */
typedef struct Candidate {
    double   elo;       /* the estimate so far; 0 for a newcomer */
    double   precision; /* of what is known besides the games in `played`, in 1 / Elo squared */
    uint64_t n_games;
    bool     is_resting; /* is not paired */
} Candidate;

/* A newcomer has a lot to catch up, so it may have more than one pair in a round. */
enum { PLACEMENT_GAMES = 30, MAX_NEWCOMER_PAIRS = 3 };

/* The information about the difference of two ratings in a game between them, in 1 / Elo squared.
 */
double matchmaking_information(double elo_difference);

/* Writes pairs of candidates into `pairs`, with room for 2 * n + 1, best first, and returns their
 * number; each candidate has one at most, a newcomer MAX_NEWCOMER_PAIRS. `played` is symmetric, n
 * by n: the games of each two so far. Each pair is about to play `n_pair_games`. False when out of
 * memory. */
bool matchmaking_pairs(const Candidate *candidates, size_t n, const uint32_t *played,
                       uint64_t n_pair_games, PlanPair *pairs, size_t *n_pairs);

#endif
