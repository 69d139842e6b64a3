/* A bot and everything it starts, found by a token in their environment: also those that left its
 * process group. */
#ifndef TURF_BOTS_PROCESS_TREE_H
#define TURF_BOTS_PROCESS_TREE_H

enum { TREE_TOKEN_BYTES = 48 };
typedef char TreeToken[TREE_TOKEN_BYTES];

/* A new token, to be put into the environment of a bot. From the first one on a process of its own
 * stands by, which ends all families should this program end without doing so, even by kill -9. */
void process_tree_begin(TreeToken token);

/* Ends all who carry the token. */
void process_tree_end(const TreeToken token);

#endif
