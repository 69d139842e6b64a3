/* Ratings: one joint fit of all games of a run, on the Elo scale.
 *
 * The model is Bradley and Terry's with Davidson's draws and a term for whoever plays first. With x
 * the first player's strength less the second's plus that term, a win, a loss and a draw have odds
 * exp(x/2) : exp(-x/2) : nu. Davidson's and not Rao and Kupper's, because then the likelihood is
 * concave, and a player's score (a draw counting half) is all that the fit knows of it: where
 * everybody plays everybody, ratings and scores never disagree about the order.
 *
 * Elo points are such that a small difference means what it means by the score: 400 points times
 * log10 of the odds, times 2 / (2 + nu), since draws make scores less steep. Ratings have the mean
 * 0.
 *
 * A weak prior (normal; 1000 points for a player, 400 for the first-player term) keeps everything
 * finite. Where results alone would not, the bound is missing, and says so: has_low and has_high.
 */
#ifndef TURF_BASE_RATINGS_H
#define TURF_BASE_RATINGS_H

#include "base/stats.h"

/* Games between two players, the first of whom played first. A player may meet itself, which tells
 * of the first-player term and of draws alone. */
typedef struct RatingCount {
    size_t   first, second;
    uint64_t wins, draws, losses; /* of the first */
} RatingCount;

typedef struct Rating {
    Estimate elo;
    bool     has_low;  /* false: nothing bounds it below; it never got anything from some others */
    bool     has_high; /* false: nothing bounds it above; some others never got anything from it */
    uint64_t n_games;  /* against others; without any, nothing is known */
} Rating;

typedef struct Ratings {
    size_t   n_players;
    Rating  *players;
    double  *covariance;   /* n_players by n_players, in Elo points squared */
    Estimate first_player; /* what playing first is worth */
    bool     knows_first; /* false: nobody changed sides, so that it cannot be told from strength */
    Estimate draw_share;  /* of equals */
    bool is_connected;    /* every player can be compared with every other through some opponents */
} Ratings;

/* The same for any order of the counts and of the players: `names` (no two alike) give the order in
 * which sums are taken. NULL when memory is short. */
Ratings *ratings_fit(const char *const *names, size_t n_players, const RatingCount *counts,
                     size_t n_counts);
void     ratings_free(Ratings *ratings);

/* How likely it is that a is stronger than b. */
double ratings_superiority(const Ratings *ratings, size_t a, size_t b);

#endif
