/* Standings: score and rating of every player over all games of a run, best first. */
#ifndef TURF_REPORT_STANDINGS_H
#define TURF_REPORT_STANDINGS_H

#include "base/ratings.h"
#include "games/game.h"
#include "report/table.h"
#include "store/runs.h"

/* The games of one pairing. In the totals "first" is players[0]: [0] has the games in which it
 * moved first, [1] those in which it moved second. */
typedef struct PairingResult {
    const char *names[2];
    TurfTotals  totals[2];
} PairingResult;

/* A Swiss tournament: a player without a pairing in a round has a bye. */
typedef struct SwissEvent {
    const EntrantRecord *entrants;
    size_t               n_entrants;
    const PairingRecord *pairings; /* one for each result */
} SwissEvent;

typedef struct Standing {
    const char *name;
    TurfTotals  totals; /* against others; "first" is this player */
    Rating      rating;
    double      superiority; /* the probability that it is stronger than the next player (LOS) */
    double      points;      /* wins and half the draws; a bye counts as winning every game */
    double      buchholz;    /* in a Swiss tournament: the points of its opponents */
    uint64_t    n_byes;
} Standing;

typedef struct Standings {
    Standing  *list;
    size_t     n;
    bool       is_swiss; /* ordered by points and Buchholz, not by rating */
    TurfTotals all; /* of all games, self-play included; "first" is the side that moved first */
    Estimate   first_player;
    bool       knows_first, is_connected;
    Estimate   draw_share;
} Standings;

/* Names are not copied. `swiss` is NULL for other schedules. NULL when out of memory. */
Standings *standings_new(const PairingResult *results, size_t n_results, const SwissEvent *swiss);
/* The same, but only players for which `is_listed` is true are listed; NULL: all. The others count
 * in the fit all the same. */
typedef bool PlayerFilter(const void *context, const char *name);
Standings *standings_new_of(const PairingResult *results, size_t n_results, PlayerFilter *is_listed,
                            const void *context);
void       standings_free(Standings *standings);

/* Results of the row's player against the column's. */
typedef struct CrossCell {
    uint64_t wins, draws, losses;
} CrossCell;

/* A square matrix in the order of the standings; free it with free. NULL when out of memory. */
CrossCell *standings_cross_cells(const Standings *standings, const PairingResult *results,
                                 size_t n_results);
/* The score, or a negative number if they never met. */
double cross_cell_score(const CrossCell *cell);
/* The same as text, for 3 to 16 players; NULL otherwise. */
Table *standings_cross_table(const Standings *standings, const PairingResult *results,
                             size_t n_results);

Table  *standings_table(const Standings *standings);
json_t *standings_json(const Standings *standings, const TurfGame *game);
/* The other terms of the fit: first-move advantage and share of draws. */
json_t *standings_fit_json(const Standings *standings);
/* The same in sentences, with the limits of the figures, one on each line. */
void standings_print_notes(const Standings *standings, const TurfGame *game, FILE *out);

/* Why a player has no rating, in a few words; NULL if it has one. */
const char *standings_unrated_text(const Rating *rating);
/* An Elo interval as people read it: "-12 to +34", "+120 or more", "no bounds". */
void standings_interval_text(const Rating *rating, char text[48]);
/* A likelihood in percent, never rounded up to certainty: "93.1 %", "> 99.9 %". */
void standings_likelihood_text(double likelihood, char text[16]);

json_t *json_real_or_null(bool is_known, double value);
json_t *json_interval(Estimate estimate);
json_t *json_elo_interval(const Rating *rating);             /* null where it is unbounded */
json_t *json_forfeits(const TurfTotals *totals, int player); /* counts by reason */

#endif
