/* On what terms bots play: the sandbox, limits, logs. */
#ifndef TURF_CMD_BOT_TERMS_H
#define TURF_CMD_BOT_TERMS_H

#include "cmd/command.h"
#include "players/player.h"

/* The terms that the options set for all bots alike; says so if there are bots and no sandbox. */
BotTerms read_bot_terms(const Settings *settings, bool has_bots);
/* Gives the bots among the players the terms of the options, and says so if there is no sandbox. */
void set_bot_terms(TurfPlayer *const *players, size_t n_players, const Settings *settings);

#endif
