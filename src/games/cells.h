/* Boards as cells, for every game: lists of cells in JSON, both sides' actions, the rows of a
 * board, and what the game table leaves out about cells. */
#ifndef TURF_GAMES_CELLS_H
#define TURF_GAMES_CELLS_H

#include "games/game.h"

/* Reads [[row,col],...] into `cells`, which has room for TURF_MAX_CELLS. Numbers that no board can
 * have are read as the nearest that a cell can hold: off the board, as the rules will say. */
bool    cells_from_json(const json_t *list, TurfCell *cells, size_t *n_cells, TurfError *error);
json_t *cells_to_json(const TurfCell *cells, size_t n_cells);

/* What both sides do, {"1":[[row,col],...],"2":[]} under the letters of the sides; a side that is
 * not there does nothing. `cells` has room for TURF_MAX_CELLS of each. */
bool    game_actions_from_json(const TurfGame *game, const json_t *json, TurfCell *cells[2],
                               TurfAction actions[2], TurfError *error);
json_t *game_actions_to_json(const TurfGame *game, const TurfAction actions[2]);

/* The first cell of an illegal action without which what precedes it would be legal. */
size_t game_find_bad_cell(const TurfGame *game, const void *state, TurfSide side,
                          const TurfAction *action);

/* Where both move at once: the cells that a side may list, row by row, and how many of them. */
size_t game_reach(const TurfGame *game, const void *state, TurfSide side, TurfCell *cells);
size_t game_max_cells(const TurfGame *game, const void *state, TurfSide side);

/* The side that a cell's symbol belongs to; -1: neither. */
int game_owner(const TurfGame *game, char symbol);

/* The rows of the board as strings, a symbol for each cell. */
json_t *game_board_json(const TurfGame *game, const void *state);

/* The cells to point at for a move, in order; returns how many. */
size_t game_move_cells(const TurfGame *game, const void *state, TurfMove move,
                       TurfCell cells[MAX_MOVE_CELLS]);

/* Pictures for the terminal: a position, and the position after a move. */
void game_draw(const TurfGame *game, const void *state, const DrawStyle *style, FILE *out);
/* Must a picture do with fewer columns than n_columns? */
bool draw_is_narrow(const DrawStyle *style, int n_columns);
/* Says, below a board that was cut, how many columns it needs. */
void draw_needed_columns(const DrawStyle *style, int n_columns, FILE *out);
void game_draw_move(const TurfGame *game, const void *before, TurfMove move, const DrawStyle *style,
                    FILE *out);

#endif
