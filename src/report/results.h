/* The results of a run as people and programs read them. */
#ifndef TURF_REPORT_RESULTS_H
#define TURF_REPORT_RESULTS_H

#include "base/sprt.h"
#include "games/game.h"
#include "report/standings.h"

typedef struct ResultStyle {
    bool hides_times; /* print only what is the same on every machine */
    /* Of a match; each may be NULL. */
    const ScoreCounts *scores; /* by pairs of games, where they are known */
    const Sprt        *sprt;
    const SprtStatus  *test; /* where that stands */
} ResultStyle;

/* The coursework's test_strategy for one pairing, from totals by side. */
Table *results_match_table(const TurfGame *game, const TurfPairing *pairing,
                           const TurfTotals sides[2], const ResultStyle *style);
/* The coursework's table of a tournament, a row a pairing. */
Table *results_tournament_table(const TurfPairing *pairings, const TurfTotals *totals,
                                size_t n_pairings, const ResultStyle *style);
/* Who forfeited how many games and why, a line each; nothing if nobody did. */
void results_print_forfeits(const TurfPairing *pairings, const TurfTotals *totals,
                            size_t n_pairings, FILE *out);
/* What standings_new wants, from totals by side; freed by the caller. NULL when memory is short. */
PairingResult *results_by_side(const TurfPairing *pairings, TurfTotals (*totals)[2],
                               size_t             n_pairings);
/* The standings where nobody changed sides, or it does not matter who did. NULL when memory is
 * short. */
Standings *results_standings(const TurfPairing *pairings, const TurfTotals *totals,
                             size_t n_pairings);

/* From totals by side too. */
json_t *results_json(const TurfGame *game, const TurfPairing *pairing, const TurfTotals sides[2],
                     const ResultStyle *style);

/* A duration with a unit that suits it: "3.2 us", "0.58 ms", "1.25 s". */
void results_format_seconds(double seconds, char text[32]);

#endif
