/* Positions and moves as the page sees them: with whose turn it is, the score, and what a move
 * does. */
#ifndef TURF_WEB_VIEWS_H
#define TURF_WEB_VIEWS_H

#include "games/ply.h"
#include "live/finish.h"

json_t *finish_json(const Finish *finish); /* NULL: JSON's null */

/* A ply as people write it. */
json_t *ply_text(const TurfGame *game, const TurfState *state, const Ply *ply);

typedef enum Detail { WITHOUT_BETWEEN, WITH_BETWEEN } Detail;

/* The move with its cells, scores and effect; `before` is the position it is made in. */
json_t *view_of_move(const TurfGame *game, const TurfState *before, const Ply *ply, Detail detail);

/* Adds position, mover, scores, moves_left and over to an object. `finish` is NULL while the game
 * goes on by the rules or has ended by them. */
void view_add(json_t **json, const TurfGame *game, const TurfState *state, const Finish *finish);

/* Every legal move with its effect; where both move at once, rows of which cells the sides may
 * list: 1, 2, 3 for both, or a dot. */
json_t *view_of_moves(const TurfGame *game, const TurfState *state);
json_t *view_of_reach(const TurfGame *game, const TurfState *state);

json_t *view_of_side(int side);
json_t *view_of_mover(const TurfGame *game, const TurfState *state);
json_t *view_of_scores(const TurfGame *game, const TurfState *state);

#endif
