/* A line of play: a start, the moves made from it, and where they lead. */
#ifndef TURF_WEB_MOVE_HISTORY_H
#define TURF_WEB_MOVE_HISTORY_H

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

typedef struct MoveHistory {
    const TurfGame *game;
    TurfState       start, state;
    Turn           *turns;
    size_t          n_turns, room;
    size_t          n_cells; /* in the moves of all turns, where these are lists of cells */
} MoveHistory;

void history_init(MoveHistory *history, const TurfGame *game, const TurfState *start);
void history_release(MoveHistory *history);

/* Adds a legal move; false when memory is short. */
bool history_add(MoveHistory *history, const Ply *ply, int64_t ms);
/* The same from JSON; false, with a message, if it cannot be read or is not legal. */
bool history_add_json(MoveHistory *history, const json_t *move, int64_t ms, TurfError *error);
void history_cut(MoveHistory *history, size_t n_left); /* and goes back to the position */
void history_position_at(const MoveHistory *history, size_t index, TurfState *state);

Ply     turn_ply(const Turn *turn);
json_t *history_move_json(const MoveHistory *history, size_t index);
/* The moves without their effects; and the scores of every position, the start first. */
json_t *history_moves(const MoveHistory *history);
json_t *history_scores(const MoveHistory *history);
/* Positions `from` to `from + n - 1` with the moves that led to them; `finish` is how it ended, or
 * NULL. */
json_t *history_frames(const MoveHistory *history, const Finish *finish, int64_t from, int64_t n);

#endif
