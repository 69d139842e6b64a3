/* Playing pairings for a command: options, progress, Ctrl-C. */
#ifndef TURF_CMD_RUN_H
#define TURF_CMD_RUN_H

#include "cmd/command.h"

/* False if the run was interrupted; the totals hold the games that were finished. */
bool run_pairings(const TurfGame *game, const TurfPairing *pairings, size_t n_pairings, const Settings *settings,
                  TurfTotals *totals);

/* One pairing, and its result printed. Returns the exit status. */
int run_match(const TurfGame *game, const TurfPairing *pairing, const Settings *settings);

/* The exit status of a command that ran them. */
int run_status(const Settings *settings, bool is_whole, const TurfTotals *totals, size_t n_pairings);

/* Opens the strategies that take part when nobody is named, and returns how many. */
size_t open_strategies(const TurfGame *game, TurfPlayer **players, size_t room);

/* Every ordered pair of the players. Freed by the caller. */
TurfPairing *all_ordered_pairs(TurfPlayer *const *players, size_t n_players, uint64_t n_games);

#endif
