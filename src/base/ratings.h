/* Ratings: one joint fit of all games of a run, on the Elo scale.
 *
 * The model is Bradley-Terry with Davidson's draws and a first-player term. With x the first
 * player's strength less the second's plus that term, a win, a loss and a draw have odds
 * exp(x/2) : exp(-x/2) : nu. With Davidson's draws, unlike Rao and Kupper's, the log-likelihood is
 * concave and a player's score (a draw counting half) is a sufficient statistic: in a round robin,
 * ratings and scores never disagree about the order.
 *
 * Elo points are 400 log10 of the odds, times 2 / (2 + nu), because draws make the score less
 * steep: so a small difference means the same score as in the usual Elo formula. The mean rating is
 * 0.
 *
 * A weak normal prior (standard deviation 1000 points for a player, 400 for the first-player term)
 * keeps everything finite. Where results alone would leave a rating unbounded, has_low or has_high
 * is false. */
#ifndef TURF_BASE_RATINGS_H
#define TURF_BASE_RATINGS_H

#include "base/stats.h"

/* Games between two players; `first` moved first. Games of a player against itself count for the
 * first-player term and the draws. */
typedef struct RatingCount {
    size_t   first, second;
    uint64_t wins, draws, losses; /* of the first */
} RatingCount;

typedef struct Rating {
    Estimate elo;
    bool     has_low;  /* bounded below; false if it never scored against some of the others */
    bool     has_high; /* bounded above; false if some of the others never scored against it */
    uint64_t n_games;  /* against others; 0: the rating means nothing */
} Rating;

typedef struct Ratings {
    size_t   n_players;
    Rating  *players;
    double  *covariance;   /* n_players by n_players, in Elo points squared */
    Estimate first_player; /* the first-move advantage */
    bool     knows_first;  /* false: without swapped sides it cannot be told from strength */
    Estimate draw_share;   /* between equal players */
    bool     is_connected; /* a chain of opponents connects every two players */
} Ratings;

/* The result does not depend on the order of counts and players: sums are taken in the order of
 * `names`, which must differ. NULL when out of memory. */
Ratings *ratings_fit(const char *const *names, size_t n_players, const RatingCount *counts,
                     size_t n_counts);
void     ratings_free(Ratings *ratings);

/* The probability that a is stronger than b. */
double ratings_superiority(const Ratings *ratings, size_t a, size_t b);

#endif
