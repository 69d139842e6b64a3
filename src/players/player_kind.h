/* The interface between a kind of player and those who use players.
 *
 * A kind is one table of facts and functions (PlayerKind); a player is a kind with its options,
 * bound to a game (TurfPlayer). kinds.c lists the kinds, player.c makes players of descriptions.
 *
 * Thread safety: a kind with `open` gives each player a memory, so a player belongs to one game at
 * a time; each worker of a run plays with copies of its own (player_copy). */
#ifndef TURF_PLAYERS_PLAYER_KIND_H
#define TURF_PLAYERS_PLAYER_KIND_H

#include "bots/process.h"
#include "games/game.h"
#include "search/lookahead.h"
#include "turf.h"

/* Why a player cannot go on. */
typedef struct Forfeit {
    TurfForfeit reason;
    char        text[240];
} Forfeit;

enum { SEARCH_INFO_MOVES = 5, MAX_PV = 64 };

typedef struct SearchInfoMove {
    TurfMove move;
    int      value; /* in parts of a unit, such as a piece or a point */
} SearchInfoMove;

/* What a search found besides its move, for people. */
typedef struct SearchInfo {
    int            unit;                     /* so many parts make one */
    int            depth;                    /* in moves */
    uint64_t       nodes;                    /* positions searched */
    uint64_t       n_sims;                   /* playouts */
    bool           is_exact;                 /* the game is solved from here */
    bool           is_percent;               /* values are chances of winning */
    SearchInfoMove moves[SEARCH_INFO_MOVES]; /* the best and the runners-up */
    size_t         n_moves;
    TurfMove       line[MAX_PV]; /* the principal variation */
    size_t         n_line;
} SearchInfo;

/* What a player may use while it decides. */
typedef struct TurnContext {
    TurfRng           *rng;
    const atomic_bool *stop; /* set when the answer is no longer needed; may be NULL */
    SearchInfo        *info; /* filled in by players that search; NULL: not needed */
    /* With a clock, each turn adds `time_gain_ms`, and the clock runs out at the deadline. The gain
     * is 0 without a clock; then the deadline is the cap of one move, or 0. */
    int64_t deadline_ns, time_gain_ms;
    /* For bots, which time themselves and may forfeit. */
    int64_t *used_ns; /* gets the time that was used */
    Forfeit *forfeit; /* gets the reason when there is no answer */
} TurnContext;

/* Returned by `choose_cells` instead of a number of cells when the player forfeits. */
#define PLAYER_FORFEITS SIZE_MAX

/* What a player decided: its best moves, and their value if it has one. */
typedef struct Choice {
    size_t n_moves;
    bool   has_value;
    int    value;
} Choice;

/* The limits under which a bot runs. The caller keeps the strings alive. */
typedef struct BotTerms {
    ProcessTerms       process;
    bool               is_sandboxed; /* runs inside bubblewrap */
    const char *const *writable;  /* folders it may write to there; ends with NULL, may be NULL */
    bool               is_reused; /* one process plays many games */
} BotTerms;

typedef enum Ties { TIES_FIRST, TIES_RANDOM } Ties;

/* The values of a player's options. player_options.c describes each field. */
typedef struct PlayerOptions {
    int64_t level;    /* 1 to 10; 0: none */
    int64_t depth;    /* of a search to a fixed depth, in moves; 0: none */
    int64_t time_ms;  /* for a move; 0: as the clock allows */
    int64_t n_nodes;  /* positions for a move; 0: no limit */
    int64_t n_sims;   /* playouts for a move; 0: no limit */
    int64_t hash_mib; /* of a table or tree */
    int64_t n_threads;
    int64_t without; /* bits of the evaluation's terms that are left out */
    int64_t ties;    /* Ties */
    int64_t wins;    /* 1: a won game is worth more than any lead */
} PlayerOptions;

typedef struct PlayerKind {
    const char     *name, *alias, *summary;
    unsigned        options; /* bits of PlayerOptionId: those that can be set */
    PlayerOptions   defaults;
    int64_t         default_time_ms;             /* for a move, with neither a limit nor a clock */
    int             own_weight, opponent_weight; /* what a simple player maximises */
    const TurfGame *only_game;                   /* NULL: every game */
    const TurfGame *cells_game;          /* the one that choose_cells knows; NULL: every game */
    bool (*plays)(const TurfGame *game); /* optional: false for games that it cannot play */
    bool is_strategy;                    /* in a tournament for which no players are named */
    bool is_bot;      /* what follows the colon is a command, its answers are not trusted */
    bool plays_alone; /* in one game at a time */
    bool draws_lots;  /* plays by luck, whatever its options are */
    bool has_clock;   /* searches for as long as it may, unless an option limits it */
    /* Optional: makes and frees the player's memory. */
    bool (*open)(TurfPlayer *player, TurfError *error);
    void (*close)(TurfPlayer *player);
    /* Optional: makes the memory of a copy; without it the copy is opened like the first. */
    bool (*copy)(const TurfPlayer *from, TurfPlayer *to, TurfError *error);
    /* Optional: a game begins, or is over. A wait ends when `stop` is set; it may be NULL. */
    bool (*begin_game)(TurfPlayer *player, const atomic_bool *stop, TurfError *error);
    void (*end_game)(TurfPlayer *player, const char *reason);
    /* Optional: see player_is_deterministic; without it the options decide. */
    bool (*is_deterministic)(const TurfPlayer *player);
    /* Writes the best moves: all of them, or just one, which is the first in the game's order
     * unless ties are broken at random. No move at all is a forfeit. */
    Choice (*choose_move)(const TurfPlayer *player, const void *state, bool want_all,
                          const TurnContext *turn, TurfMove *moves);
    /* For games where both sides move at once: writes the cells of one side's action, and returns
     * how many. A kind that lacks one of the two functions cannot play those games. */
    size_t (*choose_cells)(const TurfPlayer *player, const void *state, TurfSide side,
                           const TurnContext *turn, TurfCell *cells);
} PlayerKind;

struct TurfPlayer {
    const TurfGame   *game;
    const PlayerKind *kind;
    char             *name; /* as shown */
    char             *spec; /* the canonical description: the same spec plays the same games */
    PlayerOptions     options;
    LookaheadSearch  *search;
    int64_t           time_gain_ms; /* of a clock of its own; 0: as the others */
    char             *command;      /* of a bot */
    BotTerms          terms;        /* of a bot */
    void             *memory;
    TurfChooser      *chooser; /* of a custom player */
    void             *context;
};

/* Does it make the same move in the same position, every time? */
bool player_is_deterministic(const TurfPlayer *player);

/* A game begins, or is over; see PlayerKind. */
bool player_begin_game(TurfPlayer *player, const atomic_bool *stop, TurfError *error);
void player_end_game(TurfPlayer *player, const char *reason);

/* All best moves, or one; `moves` has room for TURF_MAX_MOVES. */
Choice player_choose_move(const TurfPlayer *player, const void *state, bool want_all,
                          const TurnContext *turn, TurfMove *moves);

#endif
