/* The War of Life coursework, answered: the figures, and the page made of them. Measuring them is
 * the command's work (cmd/cmd_worksheet.c); every sentence here follows from a figure. */
#ifndef TURF_REPORT_WORKSHEET_H
#define TURF_REPORT_WORKSHEET_H

#include "games/war_of_life.h"
#include "report/document.h"

enum { WORKSHEET_STRATEGIES = 5, WORKSHEET_PAIRINGS = 25, WORKSHEET_GENERATIONS = 4 };

/* A tournament, and more games of each strategy against itself. */
typedef struct WorksheetTournament {
    const TurfPlayer *players[WORKSHEET_STRATEGIES];
    TurfPairing       pairings[WORKSHEET_PAIRINGS];
    TurfTotals        totals[WORKSHEET_PAIRINGS];
    TurfTotals        mirror[WORKSHEET_STRATEGIES]; /* against itself */
} WorksheetTournament;

/* One start played twice, with sides changed: who decided? */
typedef struct WorksheetPairs {
    uint64_t n_starts;
    uint64_t better_twice; /* the better player won from both sides */
    uint64_t colour_twice; /* blue won both, or red won both, whoever played it */
    uint64_t worse_twice;
    uint64_t others; /* a draw in it */
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
    double              start_share; /* of the variance of random games, explained by the start */
} WorksheetFigures;

void worksheet_write(const WorksheetFigures *figures, const Document *document);

#endif
