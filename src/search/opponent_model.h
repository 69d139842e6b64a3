/* What sort of player the opponent is, by what it has played, and how to make use of it.
 *
 * A position that is lost against best play is not lost against everybody. Who looks a few moves
 * ahead and at the points alone gives itself away by its moves; then its replies can be foretold,
 * and a way to win that best play would refute is worth trying. For games in which the sides take
 * turns move by move. */
#ifndef TURF_SEARCH_OPPONENT_MODEL_H
#define TURF_SEARCH_OPPONENT_MODEL_H

#include "games/game.h"

#include <stdatomic.h>

/* Kinds of rival: looking one, two ... moves ahead; and at 0 one whose moves cannot be foretold. */
enum { MAX_OPPONENT_DEPTH = 4, N_OPPONENT_KINDS = MAX_OPPONENT_DEPTH + 1 };

typedef struct OpponentModel {
    double    belief[N_OPPONENT_KINDS]; /* adding up to 1 */
    bool      has_left;                 /* there is a position that was left to it */
    TurfState left;
} OpponentModel;

/* A new game. */
void opponent_reset(OpponentModel *opponent);
/* The player is to move again: learns from what the rival did with what was left to it. A position
 * that cannot come from there belongs to another game. */
void opponent_observe(OpponentModel *opponent, const TurfGame *game, const void *state);
/* The player makes this move. */
void opponent_note_move(OpponentModel *opponent, const TurfGame *game, const void *state,
                        TurfMove move);

/* How many moves the rival looks ahead; 0 unless one number is more likely than not. */
int opponent_depth(const OpponentModel *opponent);

typedef struct SwindlePlan {
    int      opponent_depth;
    uint64_t n_replies; /* so many may be foretold, those from far ahead counting for several; 0: no
                           limit */
    int64_t            deadline_ns; /* on the monotonic clock; 0: none */
    const atomic_bool *stop;        /* may be NULL */
    unsigned           without; /* for the measure, of positions that are not over: see AbGame */
    int (*measure)(const TurfGame *game, const void *state, TurfSide side, unsigned without);
    int unit;
} SwindlePlan;

typedef struct Swindle {
    bool     is_found;
    TurfMove move;
    int      hope; /* the lead at the end, in parts of a point, if the rival plays as foretold */
} Swindle;

/* What does best against a rival that looks so far ahead. */
Swindle opponent_swindle(const TurfGame *game, const void *state, const SwindlePlan *plan);

#endif
