/* Amoeba Wars and its family: the rules, as inline functions over plain values. A board of up to
 * 8x8 has one word to a set of cells (AwSmall); a larger one, up to 26x26, has eleven (AwLarge). */
#ifndef TURF_GAMES_AMOEBA_WARS_H
#define TURF_GAMES_AMOEBA_WARS_H

#include "base/bits.h"
#include "games/ending.h"
#include "games/game.h"

#include <string.h>

enum {
    AW_LEAST_SIZE = 2,
    AW_MAX_SIZE = 26,
    AW_SMALL_SIZE = 8,
    AW_DEFAULT_STEPS = 3,
    AW_DEFAULT_FIRST = 1,
    AW_MAX_STEPS = 5,
    AW_LARGE_WORDS = 11
};

/* The bits of AwHeader.rules; none in the default game. */
enum {
    AW_CHAINS = 1, /* one also reaches through connected own kills that touch a live cell */
    AW_STUCK = 2   /* whoever cannot make all moves of a turn loses, whatever the score */
};

typedef struct AwHeader {
    uint8_t  rows, columns;
    uint8_t  to_move;    /* O is the first side, X the second */
    uint8_t  moves_left; /* in this turn, this one included */
    uint8_t  steps;      /* moves a turn */
    uint8_t  rules;
    uint16_t n_live[2], n_killed[2]; /* killed by this side */
    uint16_t n_feasible[2];
    uint8_t  unused[6];
} AwHeader;

_Static_assert(sizeof(AwHeader) == 24, "no hidden bytes: positions are compared by memcmp");

#define AW_STATE AwSmall
#define RULE(name) aw_small_##name
#define AW_WORDS 1
#define AW_STRIDE 8
#include "games/aw_rules.inc.h"
#undef AW_STATE
#undef RULE
#undef AW_WORDS
#undef AW_STRIDE

#ifndef TURF_DEVICE /* large boards and measures are the processor's */

#define AW_STATE AwLarge
#define RULE(name) aw_large_##name
#define AW_WORDS AW_LARGE_WORDS
#define AW_STRIDE 26
#include "games/aw_rules.inc.h"
#undef AW_STATE
#undef RULE
#undef AW_WORDS
#undef AW_STRIDE

typedef union AwState {
    AwHeader header;
    AwSmall  small;
    AwLarge  large;
} AwState;

static inline bool aw_is_small(const AwState *state)
{
    return state->header.rows <= AW_SMALL_SIZE && state->header.columns <= AW_SMALL_SIZE;
}

#endif

/* Are these the rules of the description, for which kernels and networks are made? */
static inline bool aw_has_default_rules(const AwHeader *header)
{
    return header->rules == 0 && header->steps == AW_DEFAULT_STEPS &&
           header->moves_left <= AW_DEFAULT_STEPS;
}

/* A move is 32 * row + column, whatever the size; row 0 is at the top. */
static inline TurfMove aw_move(int row, int column) { return (TurfMove)(32 * row + column); }
static inline int      aw_row(TurfMove move) { return (int)(move / 32); }
static inline int      aw_column(TurfMove move) { return (int)(move % 32); }

static inline bool aw_fits(TurfMove move, int size)
{
    return aw_row(move) < size && aw_column(move) < size;
}

/* The number of its cell on a small board and on a large one. */
static inline int aw_small_cell(TurfMove move) { return 8 * aw_row(move) + aw_column(move); }
static inline int aw_large_cell(TurfMove move)
{
    return AW_MAX_SIZE * aw_row(move) + aw_column(move);
}

static inline int aw_score(const AwHeader *header, TurfSide side)
{
    return header->n_live[side] + header->n_killed[side];
}

/* The game ends when the side to move cannot. */
static inline bool aw_is_over(const AwHeader *header, TurfEnding *ending)
{
    if (header->n_feasible[header->to_move] > 0)
        return false;
    if (header->rules & AW_STUCK) {
        *ending = header->to_move ? TURF_WON_BY_FIRST : TURF_WON_BY_SECOND;
        return true;
    }
    int lead = aw_score(header, TURF_FIRST) - aw_score(header, TURF_SECOND);
    *ending = ending_of_lead(lead);
    return true;
}

#ifndef TURF_DEVICE

static inline void aw_apply(AwState *state, TurfMove move)
{
    if (aw_is_small(state))
        aw_small_apply(&state->small, aw_small_cell(move));
    else
        aw_large_apply(&state->large, aw_large_cell(move));
}

/* ---- the measure ---------------------------------------------------------------------------- */

/* Static evaluation of Amoeba Wars. The weights are a least-squares fit of the final lead over
 * 130,000 positions from games between searching players, rounded. */

/* The bits of the terms in the game's measure_terms. */
enum { AW_WITHOUT_KILLS = 1, AW_WITHOUT_REACH = 2, AW_WITHOUT_NET = 4 };

static inline int aw_lead(const AwHeader *header, TurfSide side)
{
    return aw_score(header, side) - aw_score(header, (TurfSide)!side);
}

/* The value of a game that is over. */
static inline int aw_value_when_over(const AwHeader *header, TurfSide side)
{
    if (header->rules & AW_STUCK)
        return header->to_move == side ? -GAME_WON : GAME_WON;
    return GAME_UNIT * aw_lead(header, side);
}

/* The lead, the kills open to the mover in the rest of its turn (n_prey of them), and the
 * difference in mobility. */
static inline int aw_weigh(const AwHeader *header, TurfSide side, int n_prey, unsigned without)
{
    static const int worth_of_kill[AW_MAX_STEPS + 1] = {0, 14, 9, 7, 6, 5};
    int              value = GAME_UNIT * aw_lead(header, side), n_left = header->moves_left;
    if (!(without & AW_WITHOUT_KILLS)) {
        int kills = worth_of_kill[n_left] * (n_prey < n_left ? n_prey : n_left);
        value += header->to_move == side ? kills : -kills;
    }
    if (!(without & AW_WITHOUT_REACH))
        value += header->n_feasible[side] - header->n_feasible[!side];
    return value;
}

static inline int aw_small_measure(const AwSmall *state, TurfSide side, unsigned without)
{
    unsigned mover = state->header.to_move;
    return aw_weigh(&state->header, side,
                    bits_count(state->feasible[mover][0] & state->live[mover ^ 1][0]), without);
}

static inline int aw_measure(const AwState *state, TurfSide side, unsigned without)
{
    unsigned mover = state->header.to_move;
    int      n_prey = 0;
    if (aw_is_small(state))
        return aw_small_measure(&state->small, side, without);
    for (size_t i = 0; i < sizeof state->large.shaded / sizeof state->large.shaded[0]; i++)
        n_prey += bits_count(state->large.feasible[mover][i] & state->large.live[mover ^ 1][i]);
    return aw_weigh(&state->header, side, n_prey, without);
}

#endif

#endif
