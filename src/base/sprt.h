/* The sequential probability ratio test (SPRT) between two Elo differences, and the Elo difference
 * of a match.
 *
 * Results are counted from the first player's side: single games (0, 1/2 or 1 point: trinomial) or,
 * where each start is played from both sides, pairs of games (0 to 2 points in halves:
 * pentanomial), because the two games of a start are not independent. Elo is logistic: a difference
 * of d is an expected score of 1 / (1 + 10^(-d/400)). */
#ifndef TURF_BASE_SPRT_H
#define TURF_BASE_SPRT_H

#include "base/stats.h"

enum { SPRT_GAME_KINDS = 3, SPRT_PAIR_KINDS = 5 };

/* How often each score occurred, from no points to all. */
typedef struct ScoreCounts {
    uint64_t counts[SPRT_PAIR_KINDS];
    size_t   n_kinds; /* SPRT_GAME_KINDS or SPRT_PAIR_KINDS */
} ScoreCounts;

typedef struct Sprt {
    double elo0, elo1;  /* the two hypotheses, elo0 < elo1 */
    double alpha, beta; /* error rates: accepting elo1 if elo0 is true, and the reverse */
} Sprt;

typedef enum SprtState { SPRT_CONTINUE, SPRT_ACCEPT_0, SPRT_ACCEPT_1 } SprtState;

typedef struct SprtStatus {
    double    llr;       /* log-likelihood ratio of elo1 to elo0 */
    double    low, high; /* the bounds at which the test ends */
    SprtState state;
} SprtStatus;

/* "0,10" or "0,10,0.05,0.05". */
bool sprt_parse(const char *text, Sprt *sprt, TurfError *error);
/* The reverse. */
void sprt_to_text(const Sprt *sprt, char text[96]);

SprtStatus sprt_status(const Sprt *sprt, const ScoreCounts *scores);

/* The number of games after which the test is evaluated next: at 64, and then after an eighth more
 * each time, but at least 64 more. Returns n_played itself if that is one; never more than n_max.
 */
uint64_t sprt_look(uint64_t n_played, uint64_t n_max);

typedef struct EloDifference {
    Estimate elo;
    bool     has_value;         /* false if all games were won, or all lost */
    bool     has_low, has_high; /* false where the interval is unbounded */
    double   superiority;       /* the probability that the first player is stronger */
} EloDifference;

EloDifference elo_difference(const ScoreCounts *scores);

#endif
