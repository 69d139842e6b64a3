/* turf: one engine and one arena for two-player wars over territory on a grid.
 *
 * This is the whole public interface, and the only header that is installed. The library never
 * prints and never exits: a function that can fail returns false or NULL and leaves, in the
 * TurfError it was given, a sentence that a person can act on. Nothing here is a global: games are
 * constants, and everything else belongs to whoever made it. */
#ifndef TURF_H
#define TURF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/* What is declared here is what the shared library shows of itself. */
#pragma GCC visibility push(default)

#define TURF_VERSION "0.1.0"

/* Programs go by the code, people by the sentence. */
typedef enum TurfErrorCode {
    TURF_OK,
    TURF_ERROR_INVALID,    /* wrong input: an argument, a file's contents, a move */
    TURF_ERROR_NOT_FOUND,  /* there is nothing of that name or number */
    TURF_ERROR_BUSY,       /* somebody else is using it: try again later */
    TURF_ERROR_NO_MEMORY,  /* also when the system has no more files or threads to give */
    TURF_ERROR_IO,         /* the system could not read, write, start or connect */
    TURF_ERROR_INTERRUPTED /* it was asked to stop */
} TurfErrorCode;

typedef struct TurfError {
    TurfErrorCode code;
    char          text[400]; /* one line without control characters */
} TurfError;

/* ---- games and positions ------------------------------------------------------------------ */

typedef struct TurfGame TurfGame; /* one of a fixed list of constants */

typedef enum TurfSide { TURF_FIRST = 0, TURF_SECOND = 1 } TurfSide;

typedef enum TurfMover {
    TURF_MOVER_FIRST,
    TURF_MOVER_SECOND,
    TURF_MOVER_BOTH,  /* at the same time, by actions and not by moves */
    TURF_MOVER_NOBODY /* the game is over */
} TurfMover;

/* How a game ended. Each game uses the endings it knows and has its own words for them. */
typedef enum TurfEnding {
    TURF_WON_BY_FIRST,
    TURF_WON_BY_SECOND,
    TURF_DRAWN,
    TURF_STALEMATE, /* drawn: the side to move could not */
    TURF_EXHAUSTED, /* drawn: too long */
    TURF_N_ENDINGS
} TurfEnding;

/* A move, packed by its game so that the numerical order is the game's order of moves. */
typedef uint32_t TurfMove;

/* No position of any game has more legal moves than this. */
#define TURF_MAX_MOVES 1024

/* What one side does in a turn of a game where both move at once: any number of cells, though no
 * more than TURF_MAX_CELLS. */
#define TURF_MAX_CELLS (128 * 128)
typedef struct TurfCell {
    int32_t row, col; /* from 0 */
} TurfCell;

typedef struct TurfAction {
    const TurfCell *cells;
    size_t          n_cells;
} TurfAction;

/* Room for a position of any game: a plain value, copied by assignment. */
#define TURF_STATE_WORDS 524
typedef struct TurfState {
    uint64_t words[TURF_STATE_WORDS];
} TurfState;

/* A stream of random numbers; the same seed gives the same stream on every machine. */
typedef struct TurfRng {
    uint64_t state;
} TurfRng;

TurfRng turf_rng(uint64_t seed);

/* The games, in a fixed order; NULL past the last. */
const TurfGame *turf_game_at(size_t index);
/* By name, short name or unique prefix. */
const TurfGame *turf_game_find(const char *name, TurfError *error);
const char     *turf_game_name(const TurfGame *game);
/* What the game calls an ending ("blue", "stalemate"), or NULL if it has no such ending. */
const char *turf_game_ending_name(const TurfGame *game, TurfEnding ending);

/* The position a game begins from. `start` is the name of one of the game's starts or a position
 * written out; NULL means the game's usual start. Only a start that is drawn uses `rng`. */
bool      turf_start(const TurfGame *game, const char *start, TurfRng *rng, TurfState *state,
                     TurfError *error);
TurfMover turf_to_move(const TurfGame *game, const TurfState *state);
/* Writes the legal moves, TURF_MAX_MOVES at the most, in the game's order, and returns how many. */
size_t turf_moves(const TurfGame *game, const TurfState *state, TurfMove *moves);
/* Plays a move if it is legal; otherwise says why not and leaves the position alone. */
bool turf_play(const TurfGame *game, TurfState *state, TurfMove move, TurfError *error);
/* The same for both sides at once, where both move. */
bool turf_play_both(const TurfGame *game, TurfState *state, const TurfAction actions[2],
                    TurfError *error);
bool turf_is_over(const TurfGame *game, const TurfState *state, TurfEnding *ending);
/* Pieces, cells or points of one side. */
int turf_own(const TurfGame *game, const TurfState *state, TurfSide side);
/* A move as people write it, in room for 32 characters; and what they wrote as a move, legal or
 * not. */
void turf_move_to_text(const TurfGame *game, const TurfState *state, TurfMove move, char text[32]);
bool turf_move_from_text(const TurfGame *game, const TurfState *state, const char *text,
                         TurfMove *move, TurfError *error);
/* One line of JSON, to be freed by the caller; NULL when memory is short. */
char *turf_position_to_json(const TurfGame *game, const TurfState *state);

/* ---- players ------------------------------------------------------------------------------ */

typedef struct TurfPlayer TurfPlayer;

/* A player from its description: "bloodlust", "minimax:depth=3,ties=random", "bot:python3
 * my_bot.py". */
TurfPlayer *turf_player_open(const TurfGame *game, const char *spec, TurfError *error);
/* A player of your own: `choose` returns a legal move; `context` is handed through. It is called
 * from several threads at once when a run has more than one job. */
typedef TurfMove TurfChooser(void *context, const TurfGame *game, const TurfState *state,
                             TurfRng *rng);
TurfPlayer      *turf_player_custom(const TurfGame *game, const char *name, TurfChooser *choose,
                                    void *context, TurfError *error);
const char      *turf_player_name(const TurfPlayer *player);
TurfMove         turf_player_choose(const TurfPlayer *player, const TurfState *state, TurfRng *rng);
void             turf_player_free(TurfPlayer *player); /* NULL is fine */

/* ---- runs --------------------------------------------------------------------------------- */

/* Why a player lost a game that was not played to its end. */
typedef enum TurfForfeit {
    TURF_TIMEOUT,      /* no answer in time */
    TURF_CRASH,        /* ended by a signal or with a failure */
    TURF_DISCONNECTED, /* ended, or closed its output, without a failure */
    TURF_ILLEGAL,      /* an answer that the rules do not allow */
    TURF_GARBAGE,      /* an answer that cannot be read */
    TURF_FLOOD,        /* output without end */
    TURF_MEMORY,       /* more memory than it may have */
    TURF_N_FORFEITS
} TurfForfeit;

const char *turf_forfeit_name(TurfForfeit forfeit);

/* Sums over games. They add up in any order, so that threads and machines cannot change them. */
typedef struct TurfTotals {
    uint64_t n_games;
    uint64_t endings[TURF_N_ENDINGS];
    uint64_t forfeits[2][TURF_N_FORFEITS];  /* of players[0] and players[1]; such games are won by
                                               the other */
    uint64_t length_sum, length_square_sum; /* in moves */
    uint32_t shortest;                      /* UINT32_MAX before the first game */
    uint32_t longest;                       /* of the games that were not exhausted */
    double   seconds;                       /* spent inside the games, added over all threads */
} TurfTotals;

/* One pair of players, the first to move first, and how many games they play. */
typedef struct TurfPairing {
    const TurfPlayer *players[2];
    uint64_t          n_games;
    bool              swap_sides; /* every other game repeats the last start with sides changed */
} TurfPairing;

typedef struct TurfRunOptions {
    uint64_t    seed;
    const char *start;   /* as for turf_start */
    int         n_jobs;  /* threads; 0 means one per processor */
    int64_t     time_ms; /* gained for each turn, up to five times that; 0: no clock */
    int64_t move_cap_ms; /* without a clock, the most a bot may take for a move; 0: ten seconds */
    /* Called now and then from the calling thread; returning false asks for an early, clean end. */
    bool (*progress)(void *context, const TurfTotals *totals, size_t n_pairings);
    /* Called once for every game, in no order, never twice at the same time. Games that are told
     * one by one are played one by one, so this costs the fast path of built-in games. */
    void (*finished)(void *context, size_t pairing, uint64_t game, TurfEnding ending,
                     uint32_t length);
    /* Called in the same way for every forfeit: who, in which game, what happened, and the last of
     * what it wrote to standard error if it is a bot. */
    void (*forfeited)(void *context, const TurfPlayer *player, uint64_t game, TurfForfeit reason,
                      const char *text, const char *errors);
    void *context;
} TurfRunOptions;

/* Plays every game of every pairing. `totals` has one entry per pairing; with swap_sides, "first"
 * in the totals still means players[0], whichever side it played. Game i of a pairing depends on
 * the seed, the descriptions of the two players and i alone, unless a player watches the clock.
 * Returns false on an error; a run cut short by `progress` returns true with fewer games in the
 * totals. */
bool turf_run(const TurfGame *game, const TurfPairing *pairings, size_t n_pairings,
              const TurfRunOptions *options, TurfTotals *totals, TurfError *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
