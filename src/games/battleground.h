/* AI Battleground: the rules over a plain value. The board is a torus of up to 128x128 cells. A set
 * of cells is cut into stripes of 64 columns, one word to a row of a stripe, and the words of a
 * stripe stand one below the other: all that happens between rows is then the same on one stripe
 * and on two, and runs down plain arrays, which the compiler turns into vectors. */
#ifndef TURF_GAMES_BATTLEGROUND_H
#define TURF_GAMES_BATTLEGROUND_H

#include "base/bits.h"
#include "games/ending.h"
#include "turf.h"

enum { BG_MAX_SIDE = 128, BG_STRIPE_COLS = 64, BG_MAX_STRIPES = BG_MAX_SIDE / BG_STRIPE_COLS };

/* The description's rules of birth and death, by the difference of the two sides' neighbours, and
 * those of the old server's other ruleset. */
typedef enum BgRuleset { BG_DIFF, BG_CLASSIC } BgRuleset;

/* A cell that both sides pick stays dead; the old server gave it to player 2. */
typedef enum BgCollisions { BG_CANCEL, BG_TO_PLAYER_2 } BgCollisions;

/* Live cells at the end, or added up over the boards after every turn; the start is no turn. */
typedef enum BgScoring { BG_LAST_TURN, BG_SUM } BgScoring;

/* The names of the old config file. All numbers but the first two may be 0. */
typedef struct BgConfig {
    int32_t      rows, cols; /* 1 to 128 */
    int32_t      cell_gain_per_turn, max_cell_capacity;
    int32_t      starting_cells; /* may be above the capacity, until the end of the first turn */
    int32_t      max_colonisation_distance;
    int32_t      max_game_iterations;
    BgRuleset    ruleset;
    BgCollisions collisions;
    BgScoring    scoring;
} BgConfig;

/* A set of cells: bit col % 64 of stripes[col / 64][row]. What lies off the board is 0. */
typedef struct BgSet {
    uint64_t stripes[BG_MAX_STRIPES][BG_MAX_SIDE];
} BgSet;

/* No padding is left undefined, so that equal positions compare equal. */
typedef struct BgState {
    BgConfig config;
    int32_t  remaining[2]; /* cells that each side may list in this turn */
    int32_t  iteration;    /* turns played */
    int32_t  unused;
    int64_t  live_sum[2]; /* kept only where scoring asks for it */
    BgSet    cells[2];    /* live ones; no cell is in both */
} BgState;

/* Why an action is not legal. */
typedef enum BgFaultKind {
    BG_NO_FAULT,
    BG_TOO_MANY,
    BG_OFF_BOARD,
    BG_NOT_DEAD,
    BG_TOO_FAR
} BgFaultKind;

typedef struct BgFault {
    BgFaultKind kind;
    size_t      at; /* the first cell at fault; with too many, the first that cannot be paid for */
} BgFault;

static inline bool bg_has(const BgSet *set, int row, int col)
{
    return set->stripes[(unsigned)col / BG_STRIPE_COLS][row] >> (col % BG_STRIPE_COLS) & 1;
}

static inline void bg_add(BgSet *set, int row, int col)
{
    set->stripes[col / BG_STRIPE_COLS][row] |= UINT64_C(1) << (col % BG_STRIPE_COLS);
}

static inline void bg_remove(BgSet *set, int row, int col)
{
    set->stripes[col / BG_STRIPE_COLS][row] &= ~(UINT64_C(1) << (col % BG_STRIPE_COLS));
}

static inline int bg_n_stripes(const BgConfig *config)
{
    return config->cols > BG_STRIPE_COLS ? 2 : 1;
}

static inline int bg_count(const BgConfig *config, const BgSet *set)
{
    int n_cells = 0;
    for (int stripe = 0; stripe < bg_n_stripes(config); stripe++)
        for (int row = 0; row < config->rows; row++)
            n_cells += bits_count(set->stripes[stripe][row]);
    return n_cells;
}

static inline int bg_live(const BgState *state, TurfSide side)
{
    return bg_count(&state->config, &state->cells[side]);
}

/* How far a side may colonise: half the way round the torus is as far as one can go. */
static inline int bg_reach_distance(const BgConfig *config)
{
    int furthest = (config->rows > config->cols ? config->rows : config->cols) / 2;
    return config->max_colonisation_distance < furthest ? config->max_colonisation_distance
                                                        : furthest;
}

/* What the winner has more of. */
static inline int64_t bg_score(const BgState *state, TurfSide side)
{
    return state->config.scoring == BG_SUM ? state->live_sum[side] : bg_live(state, side);
}

/* The game always lasts max_game_iterations, even if no cell is alive. */
static inline bool bg_is_over(const BgState *state, TurfEnding *ending)
{
    if (state->iteration < state->config.max_game_iterations)
        return false;
    int64_t lead = bg_score(state, TURF_FIRST) - bg_score(state, TURF_SECOND);
    *ending = ending_of_lead(lead);
    return true;
}

/* Whether a game can be played with these numbers. */
bool bg_check_config(const BgConfig *config, TurfError *error);

/* An empty board before the first turn; the cells that players begin with are added by bg_add. */
void bg_start(BgState *state, const BgConfig *config);

/* Every cell that a side may colonise. */
void bg_reach(const BgState *state, TurfSide side, BgSet *reach);

BgFault bg_find_fault(const BgState *state, TurfSide side, const TurfAction *action);
/* The same as a yes or no, and a sentence for people. */
bool bg_is_legal(const BgState *state, TurfSide side, const TurfAction *action, TurfError *why_not);

/* The first part of a turn: both actions, which are legal; a cell that both picked falls as the
 * config says. */
void bg_colonise(BgState *state, const TurfAction actions[2]);
/* One generation of the two-coloured Life, and nothing else. */
void bg_step(BgState *state);

/* A whole turn: both actions, which are legal, then the step. */
void bg_play(BgState *state, const TurfAction actions[2]);

#endif
