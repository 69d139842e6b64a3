/* The question that AI Battleground's wire puts to a bot. */
#ifndef TURF_CMD_BOT_QUESTION_H
#define TURF_CMD_BOT_QUESTION_H

#include "games/battleground.h"

#include <jansson.h>

/* The position, with the bot as the first side: its own cells are '#', the enemy's 'O'. */
bool bot_question_read(const json_t *question, BgState *state, TurfError *error);

#endif
