/* Players: what decides. A kind of player is one table; a player is a kind with its options, bound
 * to a game. The built-in strategies keep nothing between moves, so one player serves any number
 * of games at once. */
#ifndef TURF_PLAYERS_PLAYER_H
#define TURF_PLAYERS_PLAYER_H

#include "games/game.h"
#include "search/lookahead.h"
#include "turf.h"

typedef enum Ties { TIES_FIRST, TIES_RANDOM } Ties;

/* What a player may use while it thinks. */
typedef struct Thinking {
    TurfRng           *rng;
    const atomic_bool *stop; /* set when nobody wants the answer any more; may be NULL */
} Thinking;

/* What a player thinks of a position: its best moves, and their value if it has one. */
typedef struct Verdict {
    size_t n_moves;
    bool   has_value;
    int    value;
} Verdict;

typedef struct PlayerKind {
    const char *name, *alias, *summary;
    const char *options;     /* their names, for messages; NULL if it has none */
    bool        is_strategy; /* takes part in a tournament when nobody is named */
    Lookahead   lookahead;   /* depth 0: it does not look ahead */
    /* Writes the best moves; all of them, or just the first in the game's order. */
    Verdict (*judge)(const TurfPlayer *player, const void *state, bool want_all, TurfMove *moves);
    TurfMove (*choose)(const TurfPlayer *player, const void *state, const Thinking *thinking);
} PlayerKind;

struct TurfPlayer {
    const TurfGame   *game;
    const PlayerKind *kind;
    char             *name; /* as shown */
    char             *spec; /* written out in one way only: the same spec plays the same games */
    Ties              ties;
    Lookahead         lookahead;
    LookaheadSearch  *search;
    TurfChooser      *chooser; /* of a custom player */
    void             *context;
};

/* The built-in kinds, in the order of the course; NULL past the last. */
const PlayerKind *player_kind_at(size_t index);

/* Is it the plain `random`? Two of them can be left to the game's play_random_games. */
bool player_is_random(const TurfPlayer *player);

/* All best moves, or the first; `moves` has room for TURF_MOST_MOVES. */
Verdict player_judge(const TurfPlayer *player, const void *state, bool want_all, TurfMove *moves);

#endif
