/* A game: one constant table of facts and functions, at the end of the game's file. A function
 * that asks about the moves of a position is called only while the game is not over; positions are
 * passed as void pointers to a value of state_size bytes, which is copied with memcpy. */
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

/* How to draw a position. */
typedef struct DrawStyle {
    bool has_colour; /* the terminal shows colours */
} DrawStyle;

/* Values of positions: a piece or a point counts GAME_UNIT, and a won game more than any lead. */
enum { GAME_UNIT = 16, GAME_WON = 30000, GAME_DECIDED = 29000 };

struct TurfGame {
    const char       *name, *short_name, *title, *summary;
    const char       *side_names[2];                /* "blue", "red" */
    const char       *side_letters[2];              /* "b", "r": as in JSON */
    const char       *ending_names[TURF_N_ENDINGS]; /* NULL: this game has no such ending */
    const NamedStart *starts;                       /* the usual one first; ends with a NULL name */
    const char       *start_forms;                  /* how to write out a position, for messages */
    const char       *move_form;                    /* an example of a move, for messages */
    const char       *json_move_form;               /* the same in JSON */
    bool              is_on_points;                 /* whoever owns more at the end has won */
    bool              has_sizes;                    /* a start may be a size, such as 8x8 */
    bool     is_console; /* 'turf play' lists the moves, and asks for the size and another game */
    size_t   state_size;
    uint32_t longest_game;   /* in moves */
    int      moves_per_turn; /* the most a side makes running; 0: one */

    /* A start by name; false, without a message, if there is none of that name. */
    bool (*start)(void *state, const char *name, TurfRng *rng);
    /* A position written out as text, in any form that is not a JSON object. */
    bool (*parse)(void *state, const char *text, TurfError *error);
    bool (*from_json)(void *state, const json_t *json, TurfError *error);
    json_t *(*to_json)(const void *state);

    TurfMover (*to_move)(const void *state);
    size_t (*moves)(const void *state, TurfMove *moves);
    bool (*is_legal)(const void *state, TurfMove move, TurfError *why_not);
    void (*apply)(void *state, TurfMove move);
    bool (*is_over)(const void *state, TurfEnding *ending);
    int (*own)(const void *state, TurfSide side);
    int (*moves_left)(const void *state); /* in this turn; NULL: one */
    uint64_t (*hash)(const void *state);

    /* Optional: what a position that is not over is worth to a side, in GAME_UNITs; `without` has a
     * bit for each term to leave out. NULL: the lead. And what one that is over is worth; NULL: the
     * lead where the game is on points, else GAME_WON for a win. */
    int (*measure)(const void *state, TurfSide side, unsigned without);
    int (*value_when_over)(const void *state, TurfSide side);
    /* Optional: what `without=` can leave out of a search, by bits from the lowest; ends with NULL.
     */
    const char *const *measure_terms;

    bool (*move_from_text)(const void *state, const char *text, TurfMove *move, TurfError *error);
    bool (*move_from_json)(const void *state, const json_t *json, TurfMove *move, TurfError *error);
    json_t *(*move_to_json)(const void *state, TurfMove move);
    /* Only where both move at once, and there instead of moves, is_legal, apply and the move's
     * JSON. */
    bool (*is_legal_action)(const void *state, TurfSide side, const TurfAction *action,
                            TurfError *why_not);
    void (*apply_both)(void *state, const TurfAction actions[2]);
    /* An object with both sides' cells; `cells` has room for TURF_MAX_CELLS of each. */
    bool (*actions_from_json)(const void *state, const json_t *json, TurfCell *cells[2],
                              TurfAction actions[2], TurfError *error);
    json_t *(*actions_to_json)(const void *state, const TurfAction actions[2]);
    /* Pictures for the terminal: a position, and the step from one to the next where there is
     * something in between to see. */
    void (*draw)(const void *state, const DrawStyle *style, FILE *out);
    void (*draw_move)(const void *before, TurfMove move, const DrawStyle *style, FILE *out);

    /* Optional. What the world does when nobody moves (`turf step` without a move). */
    void (*pass)(void *state);
    /* Optional. A move drawn evenly from the legal ones, quicker than listing them. */
    TurfMove (*random_move)(const void *state, TurfRng *rng);
    /* Optional. Whole games between two players that use random_move, with the results that playing
     * them one by one would have; false if it cannot play games from such a start. */
    bool (*play_random_games)(const RandomGames *games, TurfTotals *totals);
};

extern const TurfGame war_of_life, amoeba_wars, ai_battleground, squirrel_war;

/* The index of a name in a list, by exact match or unique prefix; -1 if none or several fit. */
int name_find(const char *name, const char *const *names, size_t n_names);

/* Reads a position that is written out, as JSON or in the game's other forms. */
bool game_parse(const TurfGame *game, const char *text, void *state, TurfError *error);

/* Reads a start from what a user wrote: a name, or a position written out. */
bool game_start(const TurfGame *game, const char *start, TurfRng *rng, void *state,
                TurfError *error);

/* Do both sides move at the same time? */
static inline bool game_is_simultaneous(const TurfGame *game) { return game->apply_both != NULL; }

/* The measure and the value when over of the table, with the defaults where it has none. */
int game_measure(const TurfGame *game, const void *state, TurfSide side, unsigned without);
int game_value_when_over(const TurfGame *game, const void *state, TurfSide side);

/* A position with "over", "winner" and "outcome" added if the game has ended. */
json_t *game_to_json(const TurfGame *game, const void *state);

#endif
