/* Alpha-beta search for the turn-based games: iterative deepening, principal variation search,
 * a transposition table, killer moves, multi-PV and lazy SMP.
 *
 * Invariant: with a fixed depth and one thread, value and move are exactly those of plain minimax
 * with the same measure, whatever the size of the table. A table entry is used only at the depth
 * it was stored for, and of equal moves the first in the game's order is taken. */
#ifndef TURF_SEARCH_ALPHABETA_H
#define TURF_SEARCH_ALPHABETA_H

#include "games/game.h"
#include "search/network.h"
#include "search/transposition.h"

#include <stdatomic.h>

enum { AB_MAX_DEPTH = 64, AB_MAX_MULTI_PV = 16, AB_MAX_REPLIES = 7 };

typedef struct AbPlan {
    int                depth;       /* in plies; 0: no limit, and late moves are reduced */
    uint64_t           nodes;       /* 0: no limit */
    int64_t            deadline_ns; /* on the monotonic clock; 0: none */
    int64_t            enough_ns;   /* soft limit: start no further iteration after this; 0: none */
    const atomic_bool *stop;        /* may be NULL */
    int                n_threads;
    unsigned           without;  /* bits of the measure's terms to leave out */
    const Network     *network;  /* for an instance that judges by one */
    bool               want_all; /* find all moves of the best value, not only the first */
    size_t             multi_pv; /* number of root moves that get an exact value; at least 1 */
    bool               has_watched;
    TurfMove           watched; /* one more root move that gets one, however bad it is */
} AbPlan;

typedef struct AbMove {
    TurfMove move;
    int      value;    /* for the side to move at the root */
    bool     is_exact; /* false: the value is an upper bound */
    uint8_t  n_replies;
    uint16_t replies[AB_MAX_REPLIES]; /* where it is exact: how its line goes on */
} AbMove;

typedef struct AbResult {
    int value,
        depth; /* of the last iteration that was completed, or improved on before it was aborted */
    uint64_t nodes;               /* of all threads */
    AbMove moves[TURF_MAX_MOVES]; /* every root move, the best first, then (want_all) those of equal
                                     value */
    size_t   n_moves, n_best;
    TurfMove pv[AB_MAX_DEPTH]; /* principal variation, from moves[0] on */
    int      pv_length;
} AbResult;

/* The state of one search thread. */
typedef struct AbWorker {
    const TurfGame *game;
    const AbPlan   *plan;
    TtTable        *table;
    const void *root_state, *context; /* context: per-search data of an instance, set by its ROOT */
    unsigned    without;              /* copy of plan->without */
    const Network *network;           /* copy of plan->network */
    atomic_bool   *halt;              /* shared by all threads: abort the search */
    bool           is_first_thread, is_aborted;
    bool           may_abort;    /* false during the first iteration, which is always completed */
    bool           is_selective; /* late move reductions; never with a fixed depth */
    uint64_t       nodes, next_poll;
    TurfMove       killers[AB_MAX_DEPTH + 1][2];
    TurfMove       pv[AB_MAX_DEPTH + 1][AB_MAX_DEPTH + 1];
    int            pv_length[AB_MAX_DEPTH + 1];
    AbMove         moves[TURF_MAX_MOVES]; /* of the root, ordered by the last iteration */
    size_t         n_moves;
    int            best_value;
} AbWorker;

/* One instance of alphabeta.inc.h: compiled for the game table, or for one game's rules header. */
typedef struct AbGame {
    const char *how;  /* shown by the benchmark */
    int         unit; /* the measure of one piece or point */
    /* One iteration: searches all root moves to a depth and sorts them, best first. An aborted
     * iteration keeps the values it found. */
    void (*search_root)(AbWorker *worker, int depth);
    /* Static evaluation for a side, of a game in progress and of a finished one. `network` as in
     * AbPlan. */
    int (*measure)(const TurfGame *game, const void *state, TurfSide side, unsigned without,
                   const Network *network);
    int (*value_when_over)(const TurfGame *game, const void *state, TurfSide side);
} AbGame;

/* Works for every game, through the game table. */
extern const AbGame ab_table;
/* The fastest instance for a position on this processor. */
const AbGame *ab_game_for(const TurfGame *game, const void *state);
/* The instance that judges by plan->network; NULL: no network knows such positions. */
const AbGame *ab_game_with_network(const TurfGame *game, const void *state);

/* Searches a position that is not over. Clears the table first, so that the result depends on the
 * position and the plan alone. */
void ab_search(const AbGame *how, const TurfGame *game, const void *state, const AbPlan *plan,
               TtTable *table, AbResult *result);

/* For the instances: polls the limits and sets is_aborted; called every POLL_NODES nodes. */
bool ab_should_stop(AbWorker *worker);
/* Sorts the root moves: exact values first, descending. */
void ab_sort_root(AbWorker *worker);

#endif
