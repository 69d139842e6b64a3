/* The War of Life coursework, answered: its figures, which cmd/cmd_worksheet.c measures, and the
 * document that presents them. */
#ifndef TURF_REPORT_WORKSHEET_H
#define TURF_REPORT_WORKSHEET_H

#include "base/stats.h"
#include "games/war_of_life.h"
#include "report/document.h"

enum { WORKSHEET_STRATEGIES = 5, WORKSHEET_PAIRINGS = 25, WORKSHEET_GENERATIONS = 4 };

/* A round robin, and more games of each strategy against itself. */
typedef struct WorksheetTournament {
    const TurfPlayer *players[WORKSHEET_STRATEGIES];
    TurfPairing       pairings[WORKSHEET_PAIRINGS];
    TurfTotals        totals[WORKSHEET_PAIRINGS];
    TurfTotals        mirror[WORKSHEET_STRATEGIES]; /* against itself */
} WorksheetTournament;

/* Starts played twice, with sides swapped, by who won. */
typedef struct WorksheetPairs {
    uint64_t n_starts;
    uint64_t better_twice; /* the better player won from both sides */
    uint64_t colour_twice; /* the same colour won both games */
    uint64_t worse_twice;
    uint64_t others;     /* a draw in it */
    uint64_t wins[2][2]; /* of the first and the second named, as blue and as red */
} WorksheetPairs;

typedef struct WorksheetFigures {
    uint64_t            seed;
    bool                hides_times;
    WolState            generations[WORKSHEET_GENERATIONS];
    TurfPairing         random_pairing;
    TurfTotals          random_few, random_many;
    WorksheetTournament first_ties, random_ties;
    WorksheetPairs      better_play; /* minimax and random */
    WorksheetPairs      same_play;   /* random and random */
    uint64_t            n_variance_starts, n_variance_games;
    Estimate            start_share; /* of the variance of random games, explained by the start */
} WorksheetFigures;

void worksheet_write(const WorksheetFigures *figures, const Document *document);

#endif
