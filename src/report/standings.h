/* Standings: everybody's score and rating over all the games of a run, best first. */
#ifndef TURF_REPORT_STANDINGS_H
#define TURF_REPORT_STANDINGS_H

#include "base/ratings.h"
#include "games/game.h"
#include "report/table.h"

/* The games of one pairing. In the totals "first" is players[0]: [0] has the games in which it
 * moved first, [1] those in which it moved second. */
typedef struct PairingResult {
    const char *names[2];
    TurfTotals  totals[2];
} PairingResult;

typedef struct Standing {
    const char *name;
    TurfTotals  totals; /* against others; "first" is this player */
    Rating      rating;
    double      superiority; /* how likely it is that this player is stronger than the next one */
} Standing;

typedef struct Standings {
    Standing  *list;
    size_t     n;
    TurfTotals all; /* of all games, against themselves too; "first" is whoever moved first */
    Estimate   first_player;
    bool       knows_first, is_connected;
    Estimate   draw_share;
} Standings;

/* The names must live as long. NULL when memory is short. */
Standings *standings_new(const PairingResult *results, size_t n_results);
void       standings_free(Standings *standings);

/* What the row's player got from the column's. */
typedef struct CrossCell {
    uint64_t wins, draws, losses;
} CrossCell;

/* A square of them, row by row in the order of the standings; freed by the caller. NULL when memory
 * is short. */
CrossCell *standings_cross_cells(const Standings *standings, const PairingResult *results,
                                 size_t n_results);
/* The share of the points, or a negative number if they never met. */
double cross_cell_score(const CrossCell *cell);
/* The same as a table in text; NULL where it would be too wide, or too small to tell anything. */
Table *standings_cross_table(const Standings *standings, const PairingResult *results,
                             size_t n_results);

Table  *standings_table(const Standings *standings);
json_t *standings_json(const Standings *standings, const TurfGame *game);
/* What the fit says besides: the first-player term, and how often equals draw. */
json_t *standings_fit_json(const Standings *standings);
/* The same in sentences, a line each, and what the figures cannot tell. */
void standings_print_notes(const Standings *standings, const TurfGame *game, FILE *out);

/* An Elo interval as people read it: "-12 to +34", "+120 or more", "no bounds". */
void standings_interval_text(const Rating *rating, char text[48]);
/* A likelihood in percent, never rounded up to certainty: "93.1 %", "> 99.9 %". */
void standings_likelihood_text(double likelihood, char text[16]);

#endif
