/* The analyst: what a position is worth, and which moves are best there, for people who look at
 * their games. For games where sides take turns.
 *
 * Invariant: with a limit of nodes, a judgement depends on the position, the move asked about and
 * the limit alone, on every machine. A judgement that is exact is a proof.
 *
 * Thread safety: an analyst has tables of its own and belongs to one thread at a time. */
#ifndef TURF_LIVE_ANALYST_H
#define TURF_LIVE_ANALYST_H

#include "games/game.h"

#include <stdatomic.h>

enum {
    ANALYST_LINES = 3,
    ANALYST_LINE_MOVES = 8,
    ANALYST_DEFAULT_NODES = 150000,
    /* SquirrelWar is solved from so many empty squares on: the first always, up to the last with a
     * higher limit. */
    ANALYST_EXACT_SQUARES = 16,
    ANALYST_MAX_EXACT_SQUARES = 20
};

/* For each position. All zero: ANALYST_DEFAULT_NODES. */
typedef struct AnalystLimits {
    uint64_t nodes;
    int64_t  time_ms;
} AnalystLimits;

/* A move and how the game might go on. Value and chance are of the side that makes the move. */
typedef struct AnalystLine {
    TurfMove moves[ANALYST_LINE_MOVES];
    size_t   n_moves;
    int      value;  /* in parts of the judgement's unit; GAME_DECIDED or more: a proven win */
    double   chance; /* of winning, from 0 to 1; a draw is half a win */
} AnalystLine;

typedef struct Judgement {
    TurfMover   mover;    /* none: the game is over, and there are no lines */
    bool        is_exact; /* solved: values are final scores under best play */
    int         unit;     /* of values: so many parts make a piece or a point */
    int         depth;    /* in moves */
    uint64_t    nodes;
    AnalystLine lines[ANALYST_LINES]; /* the best first */
    size_t      n_lines;
    AnalystLine played; /* the move that was asked about, judged in the same search */
    double      chance; /* of the first side */
    double      lead; /* of the first side, in pieces or points; if a win is proven, only a sign */
} Judgement;

typedef struct Analyst Analyst;

/* False for games that it cannot judge, with the reason. */
bool analyst_knows(const TurfGame *game, TurfError *why_not);
/* `limits` as for its judgements: they decide the size of its tables. */
Analyst        *analyst_new(const TurfGame *game, const AnalystLimits *limits, TurfError *error);
void            analyst_free(Analyst *analyst); /* accepts NULL */
const TurfGame *analyst_game(const Analyst *analyst);

/* Judges a position, and in it the legal move `played`, unless that is NULL. False if `stop` was
 * set, which may be NULL. */
bool analyst_judge(Analyst *analyst, const TurfState *state, const TurfMove *played,
                   const AnalystLimits *limits, const atomic_bool *stop, Judgement *judgement);

/* The best move that a search to this depth finds, in a position that is not over. */
TurfMove analyst_best_to_depth(Analyst *analyst, const TurfState *state, int depth);

/* Is a win or a loss proven? */
bool judgement_is_decided(const Judgement *judgement, const AnalystLine *line);
/* Sorts the lines again, and draws chance and lead from the best. */
void judgement_settle(Judgement *judgement);
/* Its move is proven to win (1) or to lose (-1). */
void judgement_prove(AnalystLine *line, int result);

/* From how many empty squares on SquirrelWar is solved in games from such a start; 0: it is not, or
 * another game. */
int analyst_exact_squares(const TurfGame *game, const TurfState *start,
                          const AnalystLimits *limits);

#endif
