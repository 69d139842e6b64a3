/* AI Battleground's own wire: what the original contest's server asked a bot. */
#ifndef TURF_GAMES_BG_WIRE_H
#define TURF_GAMES_BG_WIRE_H

#include "games/game.h"

/* The question with its keys in their old order: byte for byte what the original server wrote.
 * One's own cells are '#', the enemy's 'O'. Freed by the caller. */
char *bg_question(const void *state, TurfSide side, const BotTime *time);
/* The position of a question, with the bot as the first side. */
bool bg_read_question(const json_t *question, void *state, TurfError *error);

#endif
