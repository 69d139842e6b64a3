/* The interface between a kind of player and those who use players.
 *
 * A kind is one table of facts and functions (PlayerKind); a player is a kind with its options,
 * bound to a game (TurfPlayer). kinds.c lists the kinds, player.c makes players of descriptions.
 *
 * Thread safety: a kind with `open` gives each player a memory, so a player belongs to one game at
 * a time; each worker of a run plays with copies of its own (player_copy). */
#ifndef TURF_PLAYERS_PLAYER_KIND_H
#define TURF_PLAYERS_PLAYER_KIND_H

#include "bots/home_bots.h"
#include "bots/process.h"
#include "bots/sandbox.h"
#include "games/game.h"
#include "search/lookahead.h"
#include "turf.h"

/* Why a player cannot go on. */
typedef struct Forfeit {
    TurfForfeit reason;
    char        text[320];
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
    bool           is_brief;                 /* asked for: the best move will do */
    SearchInfoMove moves[SEARCH_INFO_MOVES]; /* the best and the runners-up */
    size_t         n_moves;
    TurfMove       line[MAX_PV]; /* the principal variation */
    size_t         n_line;
} SearchInfo;

/* The moves of a tree search with their visits, in the game's order. */
typedef struct SearchVisits {
    TurfValuedMove moves[TURF_MAX_MOVES];
    size_t         n_moves;
} SearchVisits;

/* What a player may use while it decides. */
typedef struct TurnContext {
    TurfRng           *rng;
    const atomic_bool *stop;   /* set when the answer is no longer needed; may be NULL */
    SearchInfo        *info;   /* filled in by players that search; NULL: not needed */
    SearchVisits      *visits; /* filled in by tree searches; NULL: not needed */
    /* With a clock, each turn adds `time_gain_ms`, and the clock runs out at the deadline. The gain
     * is 0 without a clock; then the deadline is the cap of one move, or 0. */
    int64_t deadline_ns, time_gain_ms;
    /* For external players, which time themselves and may forfeit. */
    int64_t   *used_ns; /* gets the time that was used */
    Forfeit   *forfeit; /* gets the reason when there is no answer */
    TurfError *error; /* gets a shortage of the arena's, which is no forfeit; its code is TURF_OK */
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
    SandboxTerms       sandbox;
    const char *const *variables; /* of the environment that it gets there; NULL-terminated */
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
    char   *network; /* the path of a network file; NULL: the one that is built in */
} PlayerOptions;

/* The functions of a kind. */
typedef bool OpenPlayer(TurfPlayer *player, TurfError *error);
typedef bool CopyPlayer(const TurfPlayer *from, TurfPlayer *to, TurfError *error);
typedef void ClosePlayer(TurfPlayer *player);
/* A game begins, or is over. A wait ends when `stop` is set; it may be NULL. */
typedef bool BeginGame(TurfPlayer *player, const atomic_bool *stop, TurfError *error);
typedef void EndGame(TurfPlayer *player, const char *reason);
/* Sends the position to a player that decides elsewhere, so that both sides can think at the same
 * time; ChooseMove or ChooseCells then collects the answer. False: it could not be sent, see
 * turn->error. */
typedef bool AskPlayer(const TurfPlayer *player, const void *state, TurfSide side,
                       const TurnContext *turn);
/* Writes the best moves: all of them, or just one, which is the first in the game's order unless
 * ties are broken at random. No move at all is a forfeit. */
typedef Choice ChooseMove(const TurfPlayer *player, const void *state, bool want_all,
                          const TurnContext *turn, TurfMove *moves);
/* For games where both sides move at once: writes the cells of one side's action, and returns how
 * many. */
typedef size_t ChooseCells(const TurfPlayer *player, const void *state, TurfSide side,
                           const TurnContext *turn, TurfCell *cells);

/* Solving the end of a game, for players that otherwise search. */
typedef struct ExactPlay {
    void *(*solver_new)(size_t n_bytes, int n_threads); /* NULL when out of memory */
    void (*solver_free)(void *solver);                  /* NULL is fine */
    int always_solved;                /* so many moves before the end, whatever the time */
    int (*n_left)(const void *state); /* moves to the end */
    int (*reach)(int64_t time_ms);    /* how many moves before it a time suffices, to be safe */
    int (*reach_by_nodes)(int64_t n_nodes);
    /* Solves a position before the deadline; 0: none. False if that was too short, with nothing
     * changed. With `want_all` the deadline does not count. */
    bool (*solve)(void *solver, const void *state, bool want_all, const TurnContext *turn,
                  int64_t deadline_ns, Choice *choice, TurfMove *moves);
    /* A move that is proved to win; false if none was found in time. */
    bool (*find_win)(void *solver, const void *state, const TurnContext *turn, int64_t deadline_ns,
                     TurfMove *move);
    unsigned without_opponent_model; /* the term of `without` that means: no swindles */
} ExactPlay;

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
    /* Its moves come from outside of this program, and what follows the colon says from where. It
     * times itself, may forfeit, and its games cannot be played again from their seed. */
    bool             is_external;
    bool             starts_process; /* which runs under the player's BotTerms */
    bool             plays_alone;    /* in one game at a time */
    bool             is_stochastic;  /* draws random numbers, whatever its options are */
    bool             uses_clock; /* searches for as long as it may, unless an option limits it */
    OpenPlayer      *open;       /* optional: makes the player's memory */
    ClosePlayer     *close;
    CopyPlayer      *copy;  /* optional: makes the memory of a copy; else the copy is opened */
    const ExactPlay *exact; /* optional: how it solves the ends of games of `exact_game` */
    const TurfGame  *exact_game;
    BeginGame       *begin_game; /* optional */
    EndGame         *end_game;   /* optional */
    AskPlayer       *ask;        /* optional */
    /* With `ask`: the process that answers. */
    Process *(*process)(const TurfPlayer *player);
    /* Of a bot that its team keeps at home: its seat. Such a bot plays only while it is connected,
     * and needs neither a program nor a port here, so no plan with it needs anybody's trust. */
    HomeSeat *(*home_seat)(const TurfPlayer *player);
    /* Optional: the last of what it wrote to standard error, until its next game. */
    const char *(*error_output)(const TurfPlayer *player);
    /* Optional: see player_is_deterministic; without it the options decide. */
    bool (*is_deterministic)(const TurfPlayer *player);
    /* A kind that lacks one of the two cannot play those games. */
    ChooseMove  *choose_move;
    ChooseCells *choose_cells;
} PlayerKind;

struct TurfPlayer {
    const TurfGame   *game;
    const PlayerKind *kind;
    char             *name; /* as shown */
    char             *spec; /* the canonical description: the same spec plays the same games */
    PlayerOptions     options;
    LookaheadSearch  *search;
    int64_t           time_gain_ms;  /* of a clock of its own; 0: as the others */
    char             *command;       /* of a bot */
    bool              may_be_absent; /* a bot without a program forfeits instead of being refused */
    BotTerms          terms;         /* of a bot */
    void             *memory;
    TurfChooser      *chooser; /* of a custom player */
    TurfCellChooser  *cell_chooser;
    void             *context;
};

/* Is it the caller's own function, whose choices have to be checked? */
static inline bool player_is_custom(const TurfPlayer *player)
{
    return player->chooser || player->cell_chooser;
}

/* Does it make the same move in the same position, every time? */
bool player_is_deterministic(const TurfPlayer *player);

/* Before a game: waits for the bots that are kept at home, for `patience_ms` if they are not
 * connected. Only if they are present is there a game to begin and to end. */
HomePresence players_gather(TurfPlayer *const players[2], int64_t patience_ms,
                            const atomic_bool *stop, TurfError *error);

/* A game begins, or is over; see PlayerKind. */
bool player_begin_game(TurfPlayer *player, const atomic_bool *stop, TurfError *error);
void player_end_game(TurfPlayer *player, const char *reason);

/* A turn has two phases: first all players that are to move are asked, then each answer is
 * collected, in any order. Nothing is sent to players that decide here. False: it could not be
 * sent, and turn->error says why. */
static inline bool player_ask(const TurfPlayer *player, const void *state, TurfSide side,
                              const TurnContext *turn)
{
    return !player->kind->ask || player->kind->ask(player, state, side, turn);
}
/* Between the phases: waits for the answers of both sides, and times each by itself. */
void player_await_both(TurfPlayer *const players[2]);

/* The answer: all best moves, or one; `moves` has room for TURF_MAX_MOVES. None
 * is a forfeit, unless turn->error has a code. */
static inline Choice player_choose_move(const TurfPlayer *player, const void *state, bool want_all,
                                        const TurnContext *turn, TurfMove *moves)
{
    return player->kind->choose_move(player, state, want_all, turn, moves);
}
/* The answer where both sides move at once: the number of cells, or PLAYER_FORFEITS; `cells` has
 * room for TURF_MAX_CELLS. */
static inline size_t player_choose_cells(const TurfPlayer *player, const void *state, TurfSide side,
                                         const TurnContext *turn, TurfCell *cells)
{
    return player->kind->choose_cells(player, state, side, turn, cells);
}

/* The last of what it wrote to standard error, until its next game; "" if it writes nothing. */
const char *player_error_output(const TurfPlayer *player);

#endif
