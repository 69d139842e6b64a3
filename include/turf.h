/* turf: rules, players and an arena for four two-player territory games on a grid.
 *
 * This is the complete public interface and the only installed header.
 *
 * Errors: the library never prints and never exits. A function that can fail takes a TurfError,
 * returns false or NULL on failure and fills the error in; `error` may be NULL. Such a function
 * answers any argument, a NULL as well, with an error. The others need what a successful call gave
 * them, or, for a position, all zeros.
 *
 * Ownership: games are constants. The caller frees what a function returns if its comment says
 * so, with the function that it names.
 *
 * Threads: there are no global variables. Objects may be used from several threads as long as
 * only one thread changes each of them. */
#ifndef TURF_H
#define TURF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/* Only the symbols declared here are exported. */
#pragma GCC visibility push(default)

#define TURF_VERSION "0.1.0"

/* The code is for programs, the text for people. */
typedef enum TurfErrorCode {
    TURF_OK,
    TURF_ERROR_INVALID,    /* bad input: an argument, the contents of a file, a move */
    TURF_ERROR_NOT_FOUND,  /* no such file, game, player or run */
    TURF_ERROR_BUSY,       /* in use by another process or thread; try again later */
    TURF_ERROR_NO_MEMORY,  /* out of memory, file descriptors or threads */
    TURF_ERROR_IO,         /* a read, write, connection or process start failed */
    TURF_ERROR_INTERRUPTED /* stopped on request */
} TurfErrorCode;

typedef struct TurfError {
    TurfErrorCode code;
    char          text[400]; /* one line, no control characters */
} TurfError;

/* ---- games and positions ------------------------------------------------------------------ */

typedef struct TurfGame TurfGame; /* opaque; see turf_game_at */

typedef enum TurfSide { TURF_FIRST = 0, TURF_SECOND = 1 } TurfSide;

typedef enum TurfMover {
    TURF_MOVER_FIRST,
    TURF_MOVER_SECOND,
    TURF_MOVER_BOTH, /* simultaneous moves: see TurfAction */
    TURF_MOVER_NONE  /* the game is over */
} TurfMover;

/* How a game ended. turf_game_ending_name has each game's own words; not every game has all. */
typedef enum TurfEnding {
    TURF_WON_BY_FIRST,
    TURF_WON_BY_SECOND,
    TURF_DRAWN,
    TURF_STALEMATE, /* drawn: the side to move has no move */
    TURF_EXHAUSTED, /* drawn: the limit of moves was reached */
    TURF_N_ENDINGS
} TurfEnding;

/* A move, encoded by its game. Numerical order is the order in which the game lists its moves. */
typedef uint32_t TurfMove;

/* Upper bound on the legal moves of any position of any game. */
#define TURF_MAX_MOVES 1024

/* One side's part of a turn in a game with simultaneous moves: up to TURF_MAX_CELLS cells. */
#define TURF_MAX_CELLS (128 * 128)
typedef struct TurfCell {
    int32_t row, col; /* counted from 0 */
} TurfCell;

typedef struct TurfAction {
    const TurfCell *cells;
    size_t          n_cells;
} TurfAction;

/* A position of any game. A plain value: copy it by assignment. */
#define TURF_STATE_WORDS 524
typedef struct TurfState {
    uint64_t words[TURF_STATE_WORDS];
} TurfState;

/* A random number generator. The same seed gives the same numbers on every machine. */
typedef struct TurfRng {
    uint64_t state;
} TurfRng;

TurfRng turf_rng(uint64_t seed);
/* Draws 64 random bits; draws from 0 to n - 1, each with the same probability (0 if n is 0). */
uint64_t turf_rng_next(TurfRng *rng);
uint32_t turf_rng_below(TurfRng *rng, uint32_t n);

/* The games in a fixed order, from index 0; NULL past the last. */
const TurfGame *turf_game_at(size_t index);
/* Finds a game by its name, short name or a unique prefix of its name; NULL if there is none. */
const TurfGame *turf_game_find(const char *name, TurfError *error);
const char     *turf_game_name(const TurfGame *game);
/* The game's word for an ending ("blue", "stalemate"); NULL if it has no such ending. */
const char *turf_game_ending_name(const TurfGame *game, TurfEnding ending);

/* Sets up a start position. `start` is the name of one of the game's starts or a position as text;
 * NULL is the game's default start. Only random starts use `rng`; for the others it may be NULL. */
bool      turf_start(const TurfGame *game, const char *start, TurfRng *rng, TurfState *state,
                     TurfError *error);
TurfMover turf_to_move(const TurfGame *game, const TurfState *state);
/* Writes the legal moves in the game's order and returns their number. `moves` must have room for
 * TURF_MAX_MOVES. There are none if both sides move at once. */
size_t turf_moves(const TurfGame *game, const TurfState *state, TurfMove *moves);
/* Plays a move. An illegal move is an error and leaves the position unchanged. */
bool turf_play(const TurfGame *game, TurfState *state, TurfMove move, TurfError *error);
/* Plays a turn of both sides, in games with simultaneous moves. */
bool turf_play_both(const TurfGame *game, TurfState *state, const TurfAction actions[2],
                    TurfError *error);
/* `ending` is set if the game is over; it may be NULL. */
bool turf_is_over(const TurfGame *game, const TurfState *state, TurfEnding *ending);
/* The pieces, cells or points of one side. */
int turf_own(const TurfGame *game, const TurfState *state, TurfSide side);
/* Move notation, as people type it. turf_move_from_text does not check that the move is legal. */
void turf_move_to_text(const TurfGame *game, const TurfState *state, TurfMove move, char text[32]);
bool turf_move_from_text(const TurfGame *game, const TurfState *state, const char *text,
                         TurfMove *move, TurfError *error);
/* One line of JSON, to be released with free(); NULL if out of memory. */
char *turf_position_to_json(const TurfGame *game, const TurfState *state);
/* Reads a position: JSON, or one of the game's other forms, as for turf_start but without names. */
bool turf_position_from_text(const TurfGame *game, const char *text, TurfState *state,
                             TurfError *error);

/* ---- positions for programs that search and learn ------------------------------------------ */

/* The bytes of a TurfState that a game uses, from the first on. A table of many positions needs to
 * keep no others; the rest may be anything. */
size_t turf_state_size(const TurfGame *game);
/* Equal positions have equal hashes, on every machine. */
uint64_t turf_hash(const TurfGame *game, const TurfState *state);
bool     turf_equal(const TurfGame *game, const TurfState *a, const TurfState *b);
/* 1 if the side has won, -1 if it has lost; 0 if the game was drawn or is not over. */
int turf_reward(const TurfGame *game, const TurfState *state, TurfSide side);

/* The board: its size, and a symbol for each of its rows x cols cells, row by row, without a 0 at
 * the end. The symbols of the sides' cells are those of the position as JSON. */
void turf_board_size(const TurfGame *game, const TurfState *state, int *rows, int *cols);
void turf_board(const TurfGame *game, const TurfState *state, char *cells);

/* The board as planes of rows x cols bytes each, as `side` sees it: its own cells (1, others 0),
 * the other side's, then those with a further symbol such as Amoeba Wars' shaded ones, and last the
 * values of the cells where they have any. Where it matters who killed a cell, that is with chains
 * in Amoeba Wars, shaded cells are 1 if `side` killed them and 2 if the other side did. */
size_t turf_n_planes(const TurfGame *game);
void   turf_planes(const TurfGame *game, const TurfState *state, TurfSide side, uint8_t *planes);
/* What the planes do not show, as `side` sees it, at most TURF_MAX_NUMBERS: moves left in this turn
 * and the like. The name of each is NULL past the last. */
#define TURF_MAX_NUMBERS 4
size_t      turf_n_numbers(const TurfGame *game);
const char *turf_number_name(const TurfGame *game, size_t index);
void turf_numbers(const TurfGame *game, const TurfState *state, TurfSide side, int32_t *numbers);

/* Actions: the moves of all positions of a board numbered from 0, like the outputs of a network.
 * Where both sides move at once, an action is a cell that a side may list, cols * row + col. */
size_t turf_n_actions(const TurfGame *game, const TurfState *state);
/* Writes 1 for each legal action and 0 for the others, turf_n_actions bytes: all 0 unless it is
 * this side's turn. */
void turf_action_mask(const TurfGame *game, const TurfState *state, TurfSide side, uint8_t *mask);
/* Where sides take turns. The move of an action need not be legal. */
bool   turf_move_of_action(const TurfGame *game, const TurfState *state, size_t action,
                           TurfMove *move, TurfError *error);
size_t turf_action_of_move(const TurfGame *game, const TurfState *state, TurfMove move);
/* Draws a legal move, each with the same probability, as the player "random" does. */
bool turf_random_move(const TurfGame *game, const TurfState *state, TurfRng *rng, TurfMove *move,
                      TurfError *error);

/* Symmetries: ways to turn and mirror the board that change nothing in the rules, numbered from 0,
 * which is the board as it is. The bits of the number say what happens to a cell: 4 swaps its row
 * and column (square boards only), then 1 mirrors left and right, 2 top and bottom. The inverse of
 * 5 is 6 and that of 6 is 5; the others are their own. There is just one if a game has none. */
size_t turf_n_symmetries(const TurfGame *game, const TurfState *state);
/* The position under a symmetry; `image` may be `state`. */
bool turf_transform(const TurfGame *game, const TurfState *state, size_t symmetry, TurfState *image,
                    TurfError *error);
/* Where a cell goes, cols * row + col, and which action an action becomes. What the board does not
 * have stays as it is. */
size_t turf_cell_under(const TurfGame *game, const TurfState *state, size_t symmetry, size_t cell);
size_t turf_action_under(const TurfGame *game, const TurfState *state, size_t symmetry,
                         size_t action);

/* ---- batches of games ---------------------------------------------------------------------- */

/* Games of one kind played side by side, for programs that learn. The caller gives an action for
 * each game, and after every step finds the new positions in arrays. Where a game ends the next one
 * begins in its place.
 *
 * Place i of a batch of n plays the games number i, i + n, i + 2n, ... of the seed. Together with
 * turf_batch_sample these are the games of 'turf match GAME random random' with that seed. */
typedef struct TurfBatch TurfBatch;

/* The arrays below have a row for each game, of this shape. */
typedef struct TurfBatchShape {
    size_t n_games;
    size_t n_planes, rows, cols;
    size_t n_numbers;
    size_t n_masks; /* 1, or 2 where both sides move at once */
    size_t n_actions;
} TurfBatchShape;

typedef struct TurfBatchArrays {
    uint8_t *observations; /* n_planes x rows x cols: turf_planes of the side to move, or of the
                              first side where both move at once */
    int32_t  *numbers;     /* n_numbers: turf_numbers of that side */
    uint8_t  *masks;       /* n_masks x n_actions: turf_action_mask */
    uint8_t  *to_move;     /* a TurfMover */
    float    *rewards;     /* of the side that has moved, or of the first: 1, 0 or -1 */
    uint8_t  *ended;       /* 1 if the last step ended a game; the next one has begun then */
    int8_t   *endings;     /* its TurfEnding; -1 if it did not end */
    uint32_t *lengths;     /* its moves; if it did not end, those of the game so far */
} TurfBatchArrays;

typedef struct TurfBatchOptions {
    size_t          n_games;
    uint64_t        seed;
    const char     *start;  /* as for turf_start */
    TurfBatchArrays arrays; /* the caller's, which must live as long as the batch; where one is
                               NULL the batch has its own */
    size_t n_threads;       /* that share each call, the caller's included; 0 or 1: that one */
} TurfBatchOptions;

/* Begins the games. Release the batch with turf_batch_free. One thread at a time may use it. */
TurfBatch *turf_batch_new(const TurfGame *game, const TurfBatchOptions *options, TurfError *error);
void       turf_batch_free(TurfBatch *batch); /* accepts NULL */

const TurfBatchShape  *turf_batch_shape(const TurfBatch *batch);
const TurfBatchArrays *turf_batch_arrays(const TurfBatch *batch);
/* A game's position, and its number. */
bool turf_batch_state(const TurfBatch *batch, size_t index, TurfState *state, uint64_t *game,
                      TurfError *error);

/* Begins all games anew with a seed. */
bool turf_batch_reset(TurfBatch *batch, uint64_t seed, TurfError *error);
/* Gives up the games with a 1 in `which`, n_games bytes, and begins the next in their places. */
bool turf_batch_restart(TurfBatch *batch, const uint8_t *which, TurfError *error);

/* Where sides take turns: plays an action in each game. If one is not legal none is played, and the
 * error names the game. */
bool turf_batch_step(TurfBatch *batch, const int32_t *actions, TurfError *error);
/* Draws a legal action for each game, every one with the same probability. */
bool turf_batch_sample(TurfBatch *batch, int32_t *actions, TurfError *error);

/* Where both sides move at once: n_games x 2 x rows x cols bytes, not 0 for the cells that a side
 * lists. A side may list as many as its first number says. */
bool turf_batch_step_cells(TurfBatch *batch, const uint8_t *cells, TurfError *error);
bool turf_batch_sample_cells(TurfBatch *batch, uint8_t *cells, TurfError *error);

/* ---- players ------------------------------------------------------------------------------ */

typedef struct TurfPlayer TurfPlayer;

/* Creates a player from its description, such as "bloodlust", "minimax:depth=3,ties=random" or
 * "bot:python3 my_bot.py". Release it with turf_player_free. */
TurfPlayer *turf_player_open(const TurfGame *game, const char *spec, TurfError *error);
/* Creates a custom player, in games where sides take turns. `choose` must return a legal move; it
 * gets `context` unchanged. A run with more than one job calls it from several threads at the same
 * time. */
typedef TurfMove TurfChooser(void *context, const TurfGame *game, const TurfState *state,
                             TurfRng *rng);
TurfPlayer      *turf_player_custom(const TurfGame *game, const char *name, TurfChooser *choose,
                                    void *context, TurfError *error);
/* The same where both sides move at once. `choose` writes the cells of a legal action, at most
 * TURF_MAX_CELLS, and returns how many. */
typedef size_t TurfCellChooser(void *context, const TurfGame *game, const TurfState *state,
                               TurfSide side, TurfRng *rng, TurfCell *cells);
TurfPlayer    *turf_player_custom_cells(const TurfGame *game, const char *name,
                                        TurfCellChooser *choose, void *context, TurfError *error);
const char    *turf_player_name(const TurfPlayer *player);
/* A player's move in a position of its game. False if there is none: the game is over, both sides
 * move at once, or the player is a bot, which plays in runs only. */
bool turf_player_choose(const TurfPlayer *player, const TurfState *state, TurfRng *rng,
                        TurfMove *move, TurfError *error);
/* The cells of one side's action, in games with simultaneous moves. `cells` must have room for
 * TURF_MAX_CELLS. */
bool turf_player_choose_cells(const TurfPlayer *player, const TurfState *state, TurfSide side,
                              TurfRng *rng, TurfCell *cells, size_t *n_cells, TurfError *error);
void turf_player_free(TurfPlayer *player); /* accepts NULL */

/* What a search found. Values are for the side to move, in pieces or points; with `has_chances`
 * they are chances of winning, from 0 to 1. */
typedef struct TurfValuedMove {
    TurfMove move;
    uint32_t n_visits; /* of a tree search; else 0 */
    double   value;
} TurfValuedMove;

#define TURF_MAX_LINE 64
typedef struct TurfAnalysis {
    TurfMove       move;                /* the player's choice */
    bool           has_value;           /* false: it does not look ahead, and the rest is empty */
    bool           has_chances;         /* values are chances of winning */
    bool           is_exact;            /* the value is that of perfect play */
    double         value;               /* of the choice */
    int            reward;              /* 1: a forced win was found, -1: a forced loss; else 0 */
    int            depth;               /* in moves */
    uint64_t       n_nodes, n_playouts; /* positions searched; games played by a tree search */
    TurfMove       line[TURF_MAX_LINE]; /* the best line, the choice first */
    size_t         n_line;
    TurfValuedMove moves[TURF_MAX_MOVES]; /* the best first: all of a tree search, else a few */
    size_t         n_moves;
} TurfAnalysis;

/* As turf_player_choose, and what the player saw. */
bool turf_player_analyse(const TurfPlayer *player, const TurfState *state, TurfRng *rng,
                         TurfAnalysis *analysis, TurfError *error);

typedef struct TurfSolveOptions {
    int64_t time_ms;   /* 0: as long as it takes; at most a day */
    size_t  hash_mib;  /* memory for the table; 0: 64 */
    int     n_threads; /* at most 1024; 0: one per processor */
} TurfSolveOptions;

/* The exact value of a position and the best line to the end, where sides play perfectly. Only
 * SquirrelWar can be solved. TURF_ERROR_INTERRUPTED if the time is not enough; `options` may be
 * NULL. */
bool turf_solve(const TurfGame *game, const TurfState *state, const TurfSolveOptions *options,
                TurfAnalysis *analysis, TurfError *error);

/* ---- runs --------------------------------------------------------------------------------- */

/* Why a player lost a game before its end. */
typedef enum TurfForfeit {
    TURF_TIMEOUT,      /* exceeded its time */
    TURF_CRASH,        /* exited with a non-zero status, or was killed */
    TURF_DISCONNECTED, /* exited with status 0, or closed its output */
    TURF_ILLEGAL,      /* illegal move */
    TURF_GARBAGE,      /* malformed answer */
    TURF_FLOOD,        /* too much output */
    TURF_MEMORY,       /* exceeded its memory limit */
    TURF_N_FORFEITS
} TurfForfeit;

const char *turf_forfeit_name(TurfForfeit forfeit);

/* Sums over games. Addition is exact, so totals do not depend on the order of games. */
typedef struct TurfTotals {
    uint64_t n_games;
    uint64_t endings[TURF_N_ENDINGS];
    uint64_t forfeits[2][TURF_N_FORFEITS];  /* by players[0] and players[1]; the other one wins */
    uint64_t length_sum, length_square_sum; /* in moves */
    uint32_t shortest;                      /* UINT32_MAX before the first game */
    uint32_t longest;                       /* of games that did not end as TURF_EXHAUSTED */
    double   seconds;                       /* spent playing, summed over all threads */
} TurfTotals;

/* Two players and their number of games, at most 10^10. players[0] moves first. */
typedef struct TurfPairing {
    const TurfPlayer *players[2];
    uint64_t          n_games;
    bool              swap_sides; /* play each start twice, the second time with sides swapped */
} TurfPairing;

/* A game of a run that is over. Texts and moves are valid during the call. */
typedef struct TurfFinished {
    size_t     pairing;
    uint64_t   game;       /* in its pairing, from 0 */
    TurfEnding ending;     /* "first" is players[0] */
    uint32_t   length;     /* in moves */
    bool       is_swapped; /* players[1] moved first */
    /* With TurfRunOptions.wants_moves; else NULL. */
    const char *start;      /* a position as JSON */
    const char *moves_json; /* a list of moves, or of both sides' cells, as 'turf export' has it */
    const TurfMove *moves;  /* `length` of them; NULL where both sides move at once */
} TurfFinished;

typedef struct TurfRunOptions {
    uint64_t    seed;
    const char *start;   /* as for turf_start */
    int         n_jobs;  /* threads, at most 1024; 0: one per processor */
    int64_t     time_ms; /* clock: gained each turn, accumulating up to five times this; 0: none */
    int64_t     move_cap_ms; /* without a clock, a bot's maximum time per move; 0: 10,000 */
    /* The callbacks may be NULL. */
    /* Called from time to time, in the calling thread; return false to end the run early. */
    bool (*progress)(void *context, const TurfTotals *totals, size_t n_pairings);
    /* Called once per game, in no particular order, never concurrently. Disables the kernels that
     * play many games of built-in players at once, so runs may be slower. */
    void (*finished)(void *context, const TurfFinished *game);
    /* Called in the same way for every forfeit. `text` says what happened; `errors` is the end of
     * a bot's standard error output. */
    void (*forfeited)(void *context, const TurfPlayer *player, uint64_t game, TurfForfeit reason,
                      const char *text, const char *errors);
    void *context;
    bool  wants_moves; /* `finished` gets the moves of each game */
} TurfRunOptions;

/* Plays all games of all pairings. `totals` has one entry per pairing. With swap_sides, "first" in
 * the totals still means players[0], whichever side it played.
 *
 * Game i of a pairing is a function of the seed, the two players' descriptions and i, unless a
 * player depends on the clock. A run ended early by `progress` returns true, with fewer games in
 * the totals. */
bool turf_run(const TurfGame *game, const TurfPairing *pairings, size_t n_pairings,
              const TurfRunOptions *options, TurfTotals *totals, TurfError *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
