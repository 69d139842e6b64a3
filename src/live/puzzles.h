/* Puzzles: positions with one best move by a clear margin, for games where sides take turns.
 *
 * Puzzle `number` of a seed is a function of the game, the seed and the number alone. It comes from
 * a game between weak players; a quick search finds it, and a search of PUZZLE_VERIFY_NODES, or in
 * SquirrelWar the solver, confirms that one move is the best by the margin, and proves that it wins
 * or that all others lose. Its grade is how many moves ahead one must look to find that move.
 *
 * It knows no server, file or terminal. A maker belongs to one thread at a time. */
#ifndef TURF_LIVE_PUZZLES_H
#define TURF_LIVE_PUZZLES_H

#include "live/analyst.h"

enum { PUZZLE_FIND_NODES = 4000, PUZZLE_VERIFY_NODES = 300000, PUZZLE_MAX_GRADE = 6 };

/* How much better than the second the best move is, at least, in winning chance. */
#define PUZZLE_MARGIN 0.3

typedef enum PuzzleTheme {
    PUZZLE_WIN,    /* the move wins by force */
    PUZZLE_SAVE,   /* all others lose by force */
    PUZZLE_STRIKE, /* a raid or a kill */
    PUZZLE_QUIET,  /* any other move */
    N_PUZZLE_THEMES
} PuzzleTheme;

const char *puzzle_theme_name(PuzzleTheme theme);

typedef struct Puzzle {
    const TurfGame *game;
    uint64_t        seed, number;
    TurfState       state;
    Judgement       judgement; /* by the search that verified it; lines[0] is the solution */
    int             grade;     /* moves to look ahead, 1 to PUZZLE_MAX_GRADE */
    PuzzleTheme     theme;
    int             win_in; /* moves of the side to move until it has won; 0: not known */
} Puzzle;

typedef struct PuzzleMaker PuzzleMaker;

PuzzleMaker *puzzle_maker_new(const TurfGame *game, TurfError *error);
void         puzzle_maker_free(PuzzleMaker *maker); /* accepts NULL */
/* False if `stop` was set (INTERRUPTED), or if no such position was found, which is unlikely. */
bool puzzle_make(PuzzleMaker *maker, uint64_t seed, uint64_t number, const atomic_bool *stop,
                 Puzzle *puzzle, TurfError *error);

/* What to do, in a sentence: "Blue to move and win in two." */
void puzzle_task(const Puzzle *puzzle, char *text, size_t room);
/* NULL without memory. */
json_t *puzzle_json(const Puzzle *puzzle);

#endif
