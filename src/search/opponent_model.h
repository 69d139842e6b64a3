/* Opponent model: Bayesian inference of how deep the opponent searches, and swindles that exploit
 * it.
 *
 * A position that loses against best play may still win against a shallow greedy searcher. Its
 * moves reveal its depth; then its replies can be predicted, and a beam search finds a line that
 * wins against them. For games in which the sides alternate move by move. */
#ifndef TURF_SEARCH_OPPONENT_MODEL_H
#define TURF_SEARCH_OPPONENT_MODEL_H

#include "games/game.h"
#include "search/network.h"

#include <stdatomic.h>

/* Kinds of opponent: kind k > 0 is minimax on the points to depth k, kind 0 is unpredictable. */
enum { MAX_OPPONENT_DEPTH = 4, N_OPPONENT_KINDS = MAX_OPPONENT_DEPTH + 1 };

typedef struct OpponentModel {
    double    belief[N_OPPONENT_KINDS]; /* probability of each kind */
    bool      has_position;             /* `position` is valid */
    TurfState position;                 /* after our last move */
} OpponentModel;

/* Starts a new game with the prior. */
void opponent_reset(OpponentModel *opponent);
/* To be called with the position the player is to move in: finds the opponent's move since
 * opponent_note_move and updates the beliefs. Resets if no single move leads here. */
void opponent_observe(OpponentModel *opponent, const TurfGame *game, const void *state);
/* To be called with the move the player makes. */
void opponent_note_move(OpponentModel *opponent, const TurfGame *game, const void *state,
                        TurfMove move);

/* The opponent's likely search depth; 0 unless one depth has a probability above one half. */
int opponent_depth(const OpponentModel *opponent);

typedef struct SwindlePlan {
    int      opponent_depth;
    uint64_t n_replies; /* maximum number of predictions, deep ones counting several times; 0: no
                           limit */
    int64_t            deadline_ns; /* on the monotonic clock; 0: none */
    const atomic_bool *stop;        /* may be NULL */
    unsigned           without;     /* terms left out of the measure, as in AbPlan */
    int (*measure)(const TurfGame *game, const void *state, TurfSide side, unsigned without,
                   const Network *network);
    int unit;
} SwindlePlan;

typedef struct Swindle {
    bool     is_found;
    TurfMove move;
    int      hope; /* the final lead if the predictions hold, in units of the measure */
} Swindle;

/* The best move found against an opponent of that depth. */
Swindle opponent_swindle(const TurfGame *game, const void *state, const SwindlePlan *plan);

#endif
