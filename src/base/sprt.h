/* The sequential probability ratio test between two Elo differences, and the Elo difference of a
 * match.
 *
 * A match is counted by what its first player got: in games (0, 1/2 or 1 point), or, where each
 * start is played from both sides, in pairs of games (0 to 2 points in halves), since the two games
 * of a start depend on each other. Elo is logistic: a score of 1 / (1 + 10^(-d/400)) is a
 * difference of d. */
#ifndef TURF_BASE_SPRT_H
#define TURF_BASE_SPRT_H

#include "base/stats.h"

enum { SPRT_GAME_KINDS = 3, SPRT_PAIR_KINDS = 5 };

/* How often each number of points came up, from none to all. */
typedef struct ScoreCounts {
    uint64_t counts[SPRT_PAIR_KINDS];
    size_t   n_kinds; /* SPRT_GAME_KINDS or SPRT_PAIR_KINDS */
} ScoreCounts;

typedef struct Sprt {
    double elo0, elo1;  /* the two hypotheses, elo0 < elo1 */
    double alpha, beta; /* how often each may be taken for the other: elo1 where elo0 is true, and
                           the reverse */
} Sprt;

typedef enum SprtState { SPRT_GOES_ON, SPRT_TAKES_0, SPRT_TAKES_1 } SprtState;

/* Where a test stands. */
typedef struct SprtStanding {
    double    llr; /* the logarithm of the likelihood ratio of elo1 to elo0 */
    double    low, high;
    SprtState state;
} SprtStanding;

/* "0,10" or "0,10,0.05,0.05". */
bool sprt_parse(const char *text, Sprt *sprt, TurfError *error);
/* The same in words that sprt_parse reads. */
void sprt_to_text(const Sprt *sprt, char text[96]);

SprtStanding sprt_standing(const Sprt *sprt, const ScoreCounts *scores);

/* After how many games a test is looked at next, if so many have been played: 64, and then an
 * eighth more each time but at least 64 more. The same number if it is one; never more than n_max.
 */
uint64_t sprt_look(uint64_t n_played, uint64_t n_max);

typedef struct EloDifference {
    Estimate elo;
    bool     has_value, has_low,
        has_high;       /* all won or all lost has no difference; few games bound nothing */
    double superiority; /* how likely it is that the first player is stronger */
} EloDifference;

EloDifference elo_difference(const ScoreCounts *scores);

#endif
