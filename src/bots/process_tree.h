/* The process tree of a bot: the bot and everything it starts, found by a token in their
 * environment, so also processes that left its process group. */
#ifndef TURF_BOTS_PROCESS_TREE_H
#define TURF_BOTS_PROCESS_TREE_H

enum { TREE_TOKEN_BYTES = 48 };
typedef char TreeToken[TREE_TOKEN_BYTES];

/* A new token, to be put into the environment of a bot. The first call starts the watchdog, a
 * process that kills all process trees if this program dies without doing so, even by kill -9. */
void process_tree_token(TreeToken token);

/* Kills all processes that carry the token. */
void process_tree_kill(const TreeToken token);

#endif
