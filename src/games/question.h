/* What a bot is asked on its turn: one line of JSON (docs/protocol.md). A game may have a wire of
 * its own; every other question is the position, the game's name, the side, the legal moves and the
 * time. */
#ifndef TURF_GAMES_QUESTION_H
#define TURF_GAMES_QUESTION_H

#include "games/game.h"

/* The question, without the end of the line; freed by the caller. NULL: out of memory. */
char *question_text(const TurfGame *game, const void *state, TurfSide side, const BotTime *time);

/* The position of a question, and the side that it is put to. */
bool question_read(const TurfGame *game, const json_t *question, void *state, TurfSide *side,
                   TurfError *error);

#endif
