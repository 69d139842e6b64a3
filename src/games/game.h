/* A game: one constant table of facts and functions, at the end of the game's file.
 *
 * Only the first part of the table is needed to play on the command line, in the arena, against
 * bots and in the page. The rest makes a game quicker, stronger or lovelier, and has defaults.
 *
 * A position is passed as a void pointer to a value of state_size bytes, which is copied with
 * memcpy. Functions about the moves of a position are called only while the game is not over. */
#ifndef TURF_GAMES_GAME_H
#define TURF_GAMES_GAME_H

#include "games/random_games.h"
#include "turf.h"

#include <jansson.h>
#include <stdio.h>

/* A start that has a name. */
typedef struct NamedStart {
    const char *name, *summary;
} NamedStart;

/* The time that a bot has for an answer. */
typedef struct BotTime {
    int64_t left_ms, gain_ms; /* for this turn, and gained for each turn; 0: no clock */
} BotTime;

/* A level for people: a player as users describe it, which moves at random so often. */
typedef struct GameLevel {
    const char *spec;
    int         random_percent;
} GameLevel;

enum { LEVEL_LOWEST = 1, LEVEL_HIGHEST = 10 };

/* How to draw a position. */
typedef struct DrawStyle {
    bool has_colour; /* the terminal shows colours */
    int  n_columns;  /* of the terminal; 0: as many as it takes */
} DrawStyle;

enum { SIDE_BOTH = 2, SIDE_NOBODY = -1 };

/* What leads from a position to the next: where sides take turns a move of one side, where both
 * move at once the actions of both. */
typedef struct Ply {
    int        side; /* 0, 1, SIDE_BOTH, or SIDE_NOBODY for the board's own step */
    TurfMove   move;
    TurfAction actions[2]; /* where both move at once */
} Ply;

/* The longest side of a board, and the cells that people point at for one move. */
enum { MAX_BOARD_SIDE = 128, MAX_MOVE_CELLS = 16 };

/* Values of positions: a piece or a point counts GAME_UNIT, and a won game more than any lead. */
enum { GAME_UNIT = 16, GAME_WON = 30000, GAME_DECIDED = 29000 };

struct TurfGame {
    /* ---- needed ---- */

    const char       *name, *short_name, *title, *summary;
    const char       *side_names[2];                /* "blue", "red" */
    const char       *side_letters[2];              /* "b", "r": as in JSON and on cells */
    const char       *ending_names[TURF_N_ENDINGS]; /* NULL: this game has no such ending */
    const NamedStart *starts;                       /* the default first; ends with a NULL name */
    const char       *start_forms;                  /* how to write out a position, for messages */
    const char       *move_form;                    /* an example of a move, for messages */
    const char       *json_move_form;               /* the same in JSON */
    bool              is_on_points;                 /* the side with more at the end wins */
    size_t            state_size;
    uint32_t          longest_game; /* in moves */

    /* Sets up a start by name; false if the game has no such start, which is no error. */
    bool (*start)(void *state, const char *name, TurfRng *rng);
    /* A position written out as text, in any form that is not a JSON object. */
    bool (*parse)(void *state, const char *text, TurfError *error);
    /* JSON has the rows of the board, as `cell` gives them, under "board". */
    bool (*from_json)(void *state, const json_t *json, TurfError *error);
    json_t *(*to_json)(const void *state);
    /* The board: at most MAX_BOARD_SIDE each way; on a cell, a side's letter or another symbol. */
    void (*size)(const void *state, int *rows, int *cols);
    char (*cell)(const void *state, int row, int col);

    TurfMover (*to_move)(const void *state);
    bool (*is_over)(const void *state, TurfEnding *ending);
    int (*own)(const void *state, TurfSide side); /* pieces or points */
    uint64_t (*hash)(const void *state);

    /* Where sides take turns. Moves are below 65536, and listed in ascending order. */
    size_t (*moves)(const void *state, TurfMove *moves);
    bool (*is_legal)(const void *state, TurfMove move, TurfError *why_not);
    void (*apply)(void *state, TurfMove move);
    /* As people type it, without quotes and blanks around it (turf_move_from_text). */
    bool (*move_from_text)(const void *state, const char *text, TurfMove *move, TurfError *error);
    bool (*move_from_json)(const void *state, const json_t *json, TurfMove *move, TurfError *error);
    json_t *(*move_to_json)(const void *state, TurfMove move);

    /* Where both move at once. */
    bool (*is_legal_action)(const void *state, TurfSide side, const TurfAction *action,
                            TurfError *why_not);
    void (*apply_both)(void *state, const TurfAction actions[2]);

    /* ---- optional: for people ---- */

    const char *side_symbols[2]; /* in UTF-8; NULL: the letters */
    const char *side_colours[2]; /* in the page, as in CSS; NULL: its default */
    const char *unit;            /* of `own`, such as "pieces"; NULL: "points" */
    bool        has_letters;     /* columns are A, B, C and so on; else they are numbered from 1 */
    const int  *sizes; /* of boards to offer, ends with 0: a start may be any size, such as 8x8.
                          NULL: there is one size */
    bool is_console;   /* 'turf play' lists the moves, and asks for the size and another game */
    /* LEVEL_HIGHEST of them, the weakest first. NULL: those of players/levels.c, or none where both
     * move at once. */
    const GameLevel *levels;
    /* Of 100 games a level plays so many as the level above, and as many as the one below: for
     * long games, in which luck averages out and the stronger of two always wins. */
    int level_spread;
    /* The cells to point at for a move, in order. NULL: those that it fills. */
    size_t (*move_cells)(const void *state, TurfMove move, TurfCell cells[MAX_MOVE_CELLS]);
    /* A move in words. NULL: as in JSON. */
    void (*move_label)(const void *state, TurfMove move, char text[32]);
    /* What kind of ply it is, such as "raid". NULL: "move". */
    const char *(*ply_kind)(const void *before, const Ply *ply);
    /* Why a game that is over is won, such as "O is stuck", where the score does not say it; else
     * NULL. */
    const char *(*why_won)(const void *state);
    /* Pictures for the terminal: a position, and what a move does. NULL: the cells. */
    void (*draw)(const void *state, const DrawStyle *style, FILE *out);
    void (*draw_move)(const void *before, TurfMove move, const DrawStyle *style, FILE *out);

    /* ---- optional: rules that few games have ---- */

    int moves_per_turn;                   /* the maximum of a side in a row; 0: one */
    int (*moves_left)(const void *state); /* in this turn; NULL: one */
    /* Where the board takes a step after each ply: that step alone (`turf step` without a move),
     * and the ply without it, which makes the position in between. */
    void (*pass)(void *state);
    void (*play_before_step)(void *state, const Ply *ply);
    /* Where both move at once: writes the cells that a side may list, row by row, and returns how
     * many (NULL: each is tried); and how many it may list in this turn (NULL: as are legal). */
    size_t (*reach)(const void *state, TurfSide side, TurfCell *cells);
    size_t (*max_cells)(const void *state, TurfSide side);
    /* Changes the rules of a position; `is_new` unless the position was given whole. */
    bool (*configure)(void *state, const json_t *changes, bool is_new, TurfError *error);
    /* Is a game from here small enough to be hosted by a server? NULL: all are. */
    bool (*is_within)(const void *state, uint32_t max_turns, TurfError *error);
    /* A bot protocol of the game's own, and the position of a question with the bot as the first
     * side. Such a bot is not told when a new game begins. NULL: see question.h. */
    char *(*question)(const void *state, TurfSide side, const BotTime *time);
    bool (*read_question)(const json_t *question, void *state, TurfError *error);

    /* ---- optional: strength and speed ---- */

    /* The evaluation of a position that is not over, where a piece or a point is GAME_UNIT;
     * `without` has a bit for each term to leave out. NULL: the lead. */
    int (*measure)(const void *state, TurfSide side, unsigned without);
    /* And of one that is over. NULL: the lead on points, else GAME_WON, 0 or -GAME_WON. */
    int (*value_when_over)(const void *state, TurfSide side);
    /* The value with which a side wins 85 games in 100. NULL: eight pieces or points. */
    int (*telling_lead)(const void *state);
    const char *const *measure_terms; /* for `without=`, by bits from the lowest; ends with NULL */
    unsigned hand_made_terms; /* of them, those that mean that no network judges the position */
    /* For planes.h: the symbols of cells besides the letters of the sides, a list of those of each
     * plane, which ends with NULL; and how many bits the values of cells have, where they have
     * any. */
    const char *const *plane_symbols;
    const char        *rival_symbols[2]; /* of these, what is the other side's doing; NULL: none */
    int                cell_value_bits;
    int (*cell_value)(const void *state, int row, int col);
    /* is_legal and apply in one, for single steps. NULL: one after the other. */
    bool (*play)(void *state, TurfMove move, TurfError *why_not);
    /* A move drawn evenly from the legal ones, faster than listing them. */
    TurfMove (*random_move)(const void *state, TurfRng *rng);
    /* Whole games between two players that use random_move, with the same results as playing them
     * one by one; false if it cannot play games from such a start. */
    bool (*play_random_games)(const RandomGames *games, TurfTotals *totals);

    /* ---- optional: for programs that learn ---- */

    /* The moves numbered densely from 0, whether legal or not, like the outputs of a network; those
     * that no board has become an illegal move. random_move draws evenly in this order. NULL: the
     * moves themselves, of which there are MAX_ACTIONS; NULL conversions: n_actions moves. */
    size_t (*n_actions)(const void *state);
    TurfMove (*move_of_action)(const void *state, size_t action);
    size_t (*action_of_move)(const void *state, TurfMove move);
    /* At most MAX_NUMBERS facts about a position that its cells do not show, as `side` sees them;
     * the names end with NULL. NULL: none. */
    const char *const *number_names;
    void (*numbers)(const void *state, TurfSide side, int32_t *numbers);
    /* Do turning and mirroring the board leave the rules as they are? Then also an action under a
     * symmetry of turf.h; NULL: actions below rows x cols are cells, and the others stay. */
    bool is_symmetric;
    size_t (*action_under)(const void *state, size_t symmetry, size_t action);
};

enum { MAX_ACTIONS = 65536, MAX_NUMBERS = 4 };

extern const TurfGame war_of_life, amoeba_wars, ai_battleground, squirrel_war;

/* The index of a name in a list, by exact match or unique prefix; -1 if none or several fit. */
int name_find(const char *name, const char *const *names, size_t n_names);

/* Reads a position that is written out, as JSON or in the game's other forms. */
bool game_parse(const TurfGame *game, const char *text, void *state, TurfError *error);

/* Rejects a position written by a person that has a key no position of the game has, which is a
 * misspelt one. */
bool game_check_keys(const TurfGame *game, const json_t *position, TurfError *error);

/* Reads a start from what a user wrote: a name, or a position written out. */
bool game_start(const TurfGame *game, const char *start, TurfRng *rng, void *state,
                TurfError *error);

/* Do both sides move at the same time? */
static inline bool game_is_simultaneous(const TurfGame *game) { return game->apply_both != NULL; }

/* The measure and the value when over of the table, with the defaults where it has none. */
int game_measure(const TurfGame *game, const void *state, TurfSide side, unsigned without);
int game_value_when_over(const TurfGame *game, const void *state, TurfSide side);

/* Where a symmetry of turf.h takes a cell of a board. */
TurfCell cell_under(size_t symmetry, int rows, int cols, TurfCell cell);

/* A legal move, each with the same probability. */
TurfMove game_random_move(const TurfGame *game, const void *state, TurfRng *rng);

/* A position with "over", "winner" and "outcome" added if the game has ended. */
json_t *game_to_json(const TurfGame *game, const void *state);

#endif
