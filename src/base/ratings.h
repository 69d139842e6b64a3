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
 * A game that a player forfeited says nothing about moving first, nor about draws: it counts as a
 * lost game between the two strengths alone. A player without a game that was played to its end is
 * not rated, and its games do not count.
 *
 * Results bound a rating only within a group in which a chain of players who scored against the
 * next leads from each to each. The largest group is fitted by itself, so that those who lost or
 * won every game against it do not change its ratings: they get theirs from a second fit, with a
 * bound on one side, or none if they lost every game.
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
    uint64_t wins, draws, losses; /* of the first, in games played to their end */
    uint64_t forfeits[2];         /* by the first, and by the second */
} RatingCount;

/* Why a player has no rating. */
typedef enum RatingStatus {
    RATED,
    UNRATED_NO_GAMES,  /* against others */
    UNRATED_FORFEITS,  /* each of its games ended by a forfeit */
    UNRATED_LOST_EVERY /* it lost every game against a group whose members are rated */
} RatingStatus;

typedef struct Rating {
    RatingStatus status; /* unless it is RATED, the rest means nothing */
    Estimate     elo;
    bool         has_low;  /* bounded below; false if it never scored against the others */
    bool         has_high; /* bounded above; false if the others never scored against it */
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
