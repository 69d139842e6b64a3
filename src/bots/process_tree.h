/* The process tree of a bot: the bot and everything it starts, found by a token in their
 * environment, so also processes that left its process group. */
#ifndef TURF_BOTS_PROCESS_TREE_H
#define TURF_BOTS_PROCESS_TREE_H

#include <stdbool.h>

enum { TREE_TOKEN_BYTES = 48 };
typedef char TreeToken[TREE_TOKEN_BYTES];

/* A new token, to be put into the environment of a bot. The first call starts the watchdog, a
 * process that kills all process trees if this program dies without doing so, even by kill -9. */
void process_tree_token(TreeToken token);

/* Makes this program the parent of processes that come loose: those whose parents have exited, and
 * that the bot, which is their first choice, does not get. For programs that have no children but
 * bots. Call it in the main thread, before bots are started. */
void process_tree_adopt(void);
/* Kills and reaps those. Returns whether some are still dying. Nothing happens without
 * process_tree_adopt. */
bool process_tree_kill_loose(void);

/* Kills all processes that carry the token, and those that came loose. */
void process_tree_kill(const TreeToken token);

#endif
