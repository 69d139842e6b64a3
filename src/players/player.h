/* Players: what decides. A kind of player is one table; a player is a kind with its options, bound
 * to a game. A kind with `open` has a memory, which only one game at a time may use, so each
 * batch of a run plays with copies (player_copy). */
#ifndef TURF_PLAYERS_PLAYER_H
#define TURF_PLAYERS_PLAYER_H

#include "bots/process.h"
#include "games/game.h"
#include "search/lookahead.h"
#include "turf.h"

typedef enum Ties { TIES_FIRST, TIES_RANDOM } Ties;

/* Why a player cannot go on. */
typedef struct Forfeit {
    TurfForfeit reason;
    char        text[240];
} Forfeit;

/* What a search found besides its move, for people. */
enum { SEARCH_INFO_MOVES = 5, MAX_PV = 64 };

typedef struct SearchInfoMove {
    TurfMove move;
    int      value; /* in parts of a unit, such as a piece or a point */
} SearchInfoMove;

typedef struct SearchInfo {
    int            unit;                     /* so many parts make one */
    int            depth;                    /* in moves */
    uint64_t       nodes;                    /* positions looked at */
    uint64_t       n_sims;                   /* playouts */
    bool           is_exact;                 /* the game is solved from here */
    bool           is_percent;               /* values are chances of winning */
    SearchInfoMove moves[SEARCH_INFO_MOVES]; /* the best and the runners-up */
    size_t         n_moves;
    TurfMove       line[MAX_PV]; /* best play */
    size_t         n_line;
} SearchInfo;

/* What a player may use while it thinks. */
typedef struct TurnContext {
    TurfRng           *rng;
    const atomic_bool *stop; /* set when nobody wants the answer any more; may be NULL */
    SearchInfo
        *info; /* filled in by players that search, where somebody wants to know; may be NULL */
    /* With a clock, each turn gains so much time, and the bucket is empty at the deadline. The gain
     * is 0 without a clock; then the deadline is the most that a move may take, or 0. */
    int64_t deadline_ns, time_gain_ms;
    /* For bots, which time themselves and may fail. */
    int64_t *used_ns; /* gets the time that was taken */
    Forfeit *forfeit; /* gets the reason when there is no answer */
} TurnContext;

/* What `act` returns instead of a number of cells when the player forfeits. */
#define PLAYER_FORFEITS SIZE_MAX

/* What a player thinks of a position: its best moves, and their value if it has one. */
typedef struct Choice {
    size_t n_moves;
    bool   has_value;
    int    value;
} Choice;

/* On what terms a bot plays. The strings belong to whoever set them. */
typedef struct BotTerms {
    ProcessTerms process;
    bool         is_sandboxed; /* runs inside bubblewrap */
    const char *const
        *writable;  /* folders in which it may write there; NULL-terminated, may be NULL */
    bool is_reused; /* one process plays many games */
} BotTerms;

/* Everything that options can set. */
typedef struct PlayerOptions {
    Lookahead lookahead; /* depth 0: it does not look ahead, or not to a fixed depth */
    Ties      ties;
    int64_t   time_ms; /* for a move; 0: as the clock allows */
    int64_t   n_nodes; /* positions for a move; 0: no limit */
    int64_t   n_sims;  /* playouts for a move; 0: no limit */
    int64_t   level;   /* 1 to 10; 0: it has none */
    unsigned  without; /* terms of the measure that are left out */
    int64_t   hash_mib;
    int64_t   n_threads;
} PlayerOptions;

typedef struct PlayerKind {
    const char *name, *alias, *summary;
    const char
        *options; /* their names, for messages and for what is allowed; NULL if it has none */
    const TurfGame *only_game;   /* NULL: every game */
    bool            is_strategy; /* takes part in a tournament when nobody is named */
    bool          is_bot; /* what follows the colon is a command, and its answers are not trusted */
    bool          plays_alone; /* in one game at a time */
    bool          has_level;   /* what follows the colon is a level */
    bool          draws_lots;  /* plays by luck, whatever its options are */
    bool          has_clock;   /* thinks as long as it may, unless an option says otherwise */
    PlayerOptions defaults;
    /* Optional: makes and frees the player's memory. */
    bool (*open)(TurfPlayer *player, TurfError *error);
    void (*close)(TurfPlayer *player);
    /* Optional: the memory of a copy; without it the copy is opened like the first. */
    bool (*copy)(const TurfPlayer *from, TurfPlayer *to, TurfError *error);
    /* Optional: a game begins, or is over. Who waits for something gives up when `stop` is set; it
     * may be NULL. */
    bool (*begin_game)(TurfPlayer *player, const atomic_bool *stop, TurfError *error);
    void (*end_game)(TurfPlayer *player, const char *reason);
    /* Writes the best moves; all of them, or just one: the first in the game's order unless ties
     * are broken at random. None at all is a forfeit. */
    Choice (*choose_move)(const TurfPlayer *player, const void *state, bool want_all,
                          const TurnContext *turn, TurfMove *moves);
    /* The same for games where both move at once: writes the cells of one side's action, and
     * returns how many. NULL: it cannot play those, as without `judge` it cannot play the others.
     */
    size_t (*choose_cells)(const TurfPlayer *player, const void *state, TurfSide side,
                           const TurnContext *turn, TurfCell *cells);
} PlayerKind;

struct TurfPlayer {
    const TurfGame   *game;
    const PlayerKind *kind;
    char             *name; /* as shown */
    char             *spec; /* written out in one way only: the same spec plays the same games */
    PlayerOptions     options;
    LookaheadSearch  *search;
    int64_t           time_gain_ms; /* of a clock of its own; 0: as the others */
    char             *command;      /* of a bot */
    BotTerms          terms;        /* of a bot */
    void             *memory;
    TurfChooser      *chooser; /* of a custom player */
    void             *context;
};

/* The built-in kinds, in the order of the course; NULL past the last. */
const PlayerKind *player_kind_at(size_t index);
bool              player_kind_plays(const PlayerKind *kind, const TurfGame *game);
/* The kind that a description names, in a game, or in any if that is NULL. NULL: `error` says which
 * there are. */
const PlayerKind *player_kind_named(const TurfGame *game, const char *spec, TurfError *error);

/* Is it the plain `random`? Two of them can be left to the game's play_random_games. */
bool player_is_random(const TurfPlayer *player);

/* Does it make the same move in the same position, every time? */
bool player_is_deterministic(const TurfPlayer *player);

/* Names are shown in tables and written to JSON: printable UTF-8, neither empty nor too long. */
enum { MAX_NAME_LETTERS = 40 };
bool player_is_good_name(const char *name, size_t length);

/* Gives a player another name, cut to the length of a name. False when memory is short. */
bool player_rename(TurfPlayer *player, const char *name);

/* Another player like this one, with a memory of its own. NULL when memory is short. */
TurfPlayer *player_copy(const TurfPlayer *player, TurfError *error);

/* A game begins; see PlayerKind. */
bool player_begin_game(TurfPlayer *player, const atomic_bool *stop, TurfError *error);
void player_end_game(TurfPlayer *player, const char *reason);

/* All best moves, or one; `moves` has room for TURF_MAX_MOVES. */
Choice player_choose_move(const TurfPlayer *player, const void *state, bool want_all,
                          const TurnContext *turn, TurfMove *moves);

#endif
