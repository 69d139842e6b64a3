/* On what terms bots play: the sandbox, limits, logs. */
#ifndef TURF_CMD_BOT_TERMS_H
#define TURF_CMD_BOT_TERMS_H

#include "cmd/command.h"

/* Gives the bots among the players the terms of the options, and says so if there is no sandbox. */
void set_bot_terms(TurfPlayer *const *players, size_t n_players, const Settings *settings);

#endif
