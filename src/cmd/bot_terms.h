/* The limits of bots from the command line: sandbox, memory, processes, logs. */
#ifndef TURF_CMD_BOT_TERMS_H
#define TURF_CMD_BOT_TERMS_H

#include "cmd/command.h"
#include "players/player.h"

/* The terms for all bots. Warns if there are bots and no sandbox. */
BotTerms read_bot_terms(const Settings *settings, bool has_bots, bool serves_strangers);
/* Sets the terms of the bots among the players. Warns if there is no sandbox. */
void set_bot_terms(TurfPlayer *const *players, size_t n_players, const Settings *settings);

/* How they run, for people: in the sandbox or not, and who keeps their limits. */
const char *describe_bot_terms(const BotTerms *terms);
/* Who keeps their limits, for programs: cgroup, monitor or none. */
const char *limits_of_bots(void);

#endif
