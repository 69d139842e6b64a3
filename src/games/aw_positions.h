/* Positions of Amoeba Wars and its family as text and JSON, and the rules that come with them.
 *
 * A start is BOARD[,RULE]...: a size such as 8x8 (rows x columns), a name, or rows of cells; the
 * rules are chains, steps=N, first=N and end=score|stuck. JSON has "rules" where they are not the
 * default. */
#ifndef TURF_GAMES_AW_POSITIONS_H
#define TURF_GAMES_AW_POSITIONS_H

#include "games/amoeba_wars.h"

/* Who killed a cell is known with chains only. */
typedef enum AwCell {
    AW_EMPTY,
    AW_LIVE_O,
    AW_LIVE_X,
    AW_SHADED,
    AW_SHADED_BY_O,
    AW_SHADED_BY_X
} AwCell;

extern const char aw_letters[]; /* by AwCell */
extern const char aw_start_forms[];

AwCell aw_cell_at(const AwState *state, int row, int column);

/* These have the meaning of the members of the game's table. */
bool    aw_named_start(AwState *state, const char *name);
bool    aw_parse(void *state, const char *text, TurfError *error);
bool    aw_from_json(void *state, const json_t *json, TurfError *error);
json_t *aw_to_json(const void *state);
bool    aw_configure(void *state, const json_t *changes, bool is_new, TurfError *error);

#endif
