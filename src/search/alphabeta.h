/* The strong search of the turn-based games: ever deeper, principal variations, a transposition
 * table, threads.
 *
 * To a fixed depth with one thread the value and the move are exactly those of plain minimax with
 * the same measure, with and without the table: an entry counts only at the depth it was made for,
 * and of equal moves the first in the game's order is taken. */
#ifndef TURF_SEARCH_ALPHABETA_H
#define TURF_SEARCH_ALPHABETA_H

#include "games/game.h"
#include "search/transposition.h"

#include <stdatomic.h>

enum { AB_DEEPEST = 64, AB_MAX_LINES = 16 };

typedef struct AbPlan {
    int                depth;       /* in moves; 0: as deep as the other limits allow */
    uint64_t           nodes;       /* 0: no limit */
    int64_t            deadline_ns; /* on the monotonic clock; 0: none */
    int64_t            enough_ns;   /* no further depth is begun after this; 0: none */
    const atomic_bool *stop;        /* may be NULL */
    int                n_threads;
    unsigned           without;  /* what is left out, as bits */
    bool               want_all; /* all the best moves, not only the first */
    size_t             n_lines;  /* so many moves get an exact value; at least 1 */
} AbPlan;

typedef struct AbMove {
    TurfMove move;
    int      value;    /* for the side to move at the root */
    bool     is_exact; /* otherwise the value is at most this */
} AbMove;

typedef struct AbResult {
    int      value, depth;          /* the last depth that was finished, or begun and better */
    uint64_t nodes;                 /* positions looked at, by all threads */
    AbMove   moves[TURF_MAX_MOVES]; /* all of them; the best first, and with want_all those that are
                                       as good next */
    size_t   n_moves, n_best;
    TurfMove line[AB_DEEPEST]; /* best play, from the first of the moves on */
    int      n_line;
} AbResult;

/* What one thread knows while it searches. */
typedef struct AbWorker {
    const TurfGame *game;
    const AbPlan   *plan;
    TtTable        *table;
    const void     *root_state,
        *context;         /* the second: what an instance wants to know about the game at hand */
    unsigned     without; /* as in the plan */
    atomic_bool *halt;    /* shared: give up */
    bool         is_first_thread, is_given_up;
    bool         may_give_up; /* the first depth is always finished */
    bool is_selective; /* looks less deep at moves that seem poor; never when the depth is fixed */
    uint64_t nodes, next_look;
    TurfMove killers[AB_DEEPEST + 1][2];
    TurfMove lines[AB_DEEPEST + 1][AB_DEEPEST + 1];
    int      n_line[AB_DEEPEST + 1];
    AbMove   moves[TURF_MAX_MOVES]; /* of the root, in the order of the last depth */
    size_t   n_moves;
    int      best_value;
} AbWorker;

/* One way to search a game: the body of alphabeta.inc.h, compiled for the table or for a game's
 * rules. */
typedef struct AbGame {
    const char *how;  /* for the bench */
    int         unit; /* a piece or a point is so much of the measure */
    /* One depth from the root: fills in values, and puts the best first. What was found before
     * giving up stands. */
    void (*search_root)(AbWorker *worker, int depth);
    /* What a position that is not over is taken to be worth for a side, and one that is. */
    int (*measure)(const TurfGame *game, const void *state, TurfSide side, unsigned without);
    int (*value_when_over)(const TurfGame *game, const void *state, TurfSide side);
} AbGame;

/* Through the game table, for every game. */
extern const AbGame ab_table;
/* The quickest there is for a position on this processor. */
const AbGame *ab_game_for(const TurfGame *game, const void *state);

/* Searches a position that is not over. The table is forgotten first. */
void ab_search(const AbGame *how, const TurfGame *game, const void *state, const AbPlan *plan,
               TtTable *table, AbResult *result);

/* alphabeta.c, for the instances: is it time to give up? Asked now and then. */
bool ab_must_give_up(AbWorker *worker);
/* Puts the best move of the root first, and the others in the order of their values where those are
 * exact. */
void ab_sort_root(AbWorker *worker);

#endif
