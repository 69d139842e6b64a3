/* The results of a run that was just played, as tables and as JSON. */
#ifndef TURF_REPORT_RESULTS_H
#define TURF_REPORT_RESULTS_H

#include "base/sprt.h"
#include "games/game.h"
#include "report/standings.h"

typedef struct ResultStyle {
    bool hides_times; /* print only figures that are the same on every machine */
    /* For matches; each may be NULL. */
    const ScoreCounts *scores; /* by pairs of games */
    const Sprt        *sprt;
    const SprtStatus  *test;
} ResultStyle;

/* The table of a match, as test_strategy of the coursework prints it, from totals by side. */
Table *results_match_table(const TurfGame *game, const TurfPairing *pairing,
                           const TurfTotals sides[2], const ResultStyle *style);
/* The table of a tournament as in the coursework: one row for each pairing. */
Table *results_tournament_table(const TurfPairing *pairings, const TurfTotals *totals,
                                size_t n_pairings, const ResultStyle *style);
/* One line for each player that forfeited games, with the reasons. */
void results_print_forfeits(const TurfPairing *pairings, const TurfTotals *totals,
                            size_t n_pairings, FILE *out);
/* The argument of standings_new, from totals by side; free it with free. NULL when out of memory.
 */
PairingResult *results_by_side(const TurfPairing *pairings, TurfTotals (*totals)[2],
                               size_t             n_pairings);
/* The standings of pairings whose totals are not split by side. NULL when out of memory. */
Standings *results_standings(const TurfPairing *pairings, const TurfTotals *totals,
                             size_t n_pairings, const SwissEvent *swiss);

/* The JSON of a match, from totals by side. */
json_t *results_json(const TurfGame *game, const TurfPairing *pairing, const TurfTotals sides[2],
                     const ResultStyle *style);

/* A duration with a unit that suits it: "3.2 us", "0.58 ms", "1.25 s". */
void results_format_seconds(double seconds, char text[32]);

#endif
