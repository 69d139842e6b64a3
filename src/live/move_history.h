/* The move history of a game: its start, the plies made from there, and the current position.
 *
 * Going back keeps the plies after the current position, until another is added, so that an undo
 * can be taken back and a recorded game can be stepped through in both directions. The position
 * after every CHECKPOINT_PLIES plies is kept, so that any other is at most that many plies away. */
#ifndef TURF_LIVE_MOVE_HISTORY_H
#define TURF_LIVE_MOVE_HISTORY_H

#include "games/ply.h"

enum { CHECKPOINT_PLIES = 64 };

typedef struct PlayedPly {
    Ply       ply;
    TurfCell *cells;     /* those that the ply's actions point to; NULL where sides take turns */
    int       scores[2]; /* after it */
    int64_t   ms;        /* how long it took */
} PlayedPly;

typedef struct MoveHistory {
    const TurfGame *game;
    TurfState       start, state; /* the current position */
    PlayedPly      *plies;
    size_t          n_plies; /* up to the current position */
    size_t          n_kept;  /* with those after it */
    size_t          room;
    size_t          n_cells; /* in the actions of n_plies */
    TurfState      *checkpoints;
    size_t          checkpoint_room;
} MoveHistory;

void history_init(MoveHistory *history, const TurfGame *game, const TurfState *start);
/* Reads a recorded game; `moves` and `times` are arrays, and times may be NULL. Released on
 * failure.
 */
bool history_read(MoveHistory *history, const TurfGame *game, const json_t *start,
                  const json_t *moves, const json_t *times, TurfError *error);
/* A copy of the plies up to the current position. False without memory. */
bool history_copy(MoveHistory *copy, const MoveHistory *history);
/* A history that begins after the first `first` plies, with up to `n` of those that follow. False
 * without memory. */
bool history_copy_range(MoveHistory *copy, const MoveHistory *history, size_t first, size_t n);
void history_release(MoveHistory *history);
/* How much memory it takes, about. */
size_t history_n_bytes(const MoveHistory *history);

/* Adds a legal ply to the current position; those that were after it are gone. False without
 * memory, and then nothing has changed. */
bool history_add(MoveHistory *history, const Ply *ply, int64_t ms);
/* The same from JSON, if it is legal. */
bool history_add_json(MoveHistory *history, const json_t *move, int64_t ms, TurfError *error);
/* Makes the position after `n_plies` of those that are kept the current one. */
void history_seek(MoveHistory *history, size_t n_plies);
void history_position_at(const MoveHistory *history, size_t n_plies, TurfState *state);

/* One ply, and the list of those up to the current position, as the game writes moves in JSON. */
json_t *history_move_json(const MoveHistory *history, size_t index);
json_t *history_moves_json(const MoveHistory *history);

#endif
