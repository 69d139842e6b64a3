/* The charts of a report. Each is one SVG; players come best first. */
#ifndef TURF_REPORT_CHARTS_H
#define TURF_REPORT_CHARTS_H

#include "base/sprt.h"
#include "report/standings.h"

/* Ratings with their intervals. */
void chart_ratings(FILE *out, const Standings *standings);

/* The cross table as a heat map; `cells` come from standings_cross_cells. */
void chart_cross_table(FILE *out, const Standings *standings, const CrossCell *cells);

/* Each player's score so far after each of n_steps equal parts of the run; a negative number where
 * there is none yet. */
void chart_scores(FILE *out, const Standings *standings, const double *scores, size_t n_steps);

/* Histogram; counts[n] games had n moves. */
void chart_lengths(FILE *out, const uint64_t *counts, size_t n_lengths);
/* Shortest, average and longest game of each player, for runs without single records. */
void chart_length_ranges(FILE *out, const Standings *standings);

/* Each player's score on either side, against others. */
typedef struct SideScores {
    Estimate first, second;
    bool     has_first, has_second;
} SideScores;

void chart_sides(FILE *out, const Standings *standings, const SideScores *scores);

/* The log-likelihood ratio of an SPRT at each look, and its bounds. */
void chart_test(FILE *out, const SprtStatus *last, const uint64_t *looks, const double *llrs,
                size_t n_looks);

/* Forfeits by player and reason; nothing if there are none. */
void chart_forfeits(FILE *out, const Standings *standings);

#endif
