/* A line of play: a start, the moves made from it, and where they lead. */
#ifndef TURF_WEB_LINE_H
#define TURF_WEB_LINE_H

#include "web/views.h"

/* A move that was made. */
typedef struct Turn {
    int       side; /* or SIDE_BOTH */
    TurfMove  move;
    TurfCell *cells; /* of both, those of the first side first */
    size_t    n_cells[2];
    int       scores[2];
    int64_t   ms;
} Turn;

typedef struct Line {
    const TurfGame *game;
    TurfState       start, state;
    Turn           *turns;
    size_t          n_turns, room;
    size_t          n_cells; /* in the moves of all turns, where these are lists of cells */
} Line;

void line_init(Line *line, const TurfGame *game, const TurfState *start);
void line_release(Line *line);

/* Adds a legal move; false when memory is short. */
bool line_add(Line *line, const Deed *deed, int64_t ms);
/* The same from JSON; false, with a message, if it cannot be read or is not legal. */
bool line_add_json(Line *line, const json_t *move, int64_t ms, TurfError *error);
void line_cut(Line *line, size_t n_left); /* and goes back to the position */
void line_position_at(const Line *line, size_t ply, TurfState *state);

Deed    turn_deed(const Turn *turn);
json_t *line_move_json(const Line *line, size_t index);
/* The moves without their effects; and the scores of every position, the start first. */
json_t *line_moves(const Line *line);
json_t *line_scores(const Line *line);
/* Positions `from` to `from + n - 1` with the moves that led to them; `finish` is how it ended, or NULL. */
json_t *line_frames(const Line *line, const Finish *finish, int64_t from, int64_t n);

#endif
