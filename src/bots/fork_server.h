/* Where bots are born: a thread that lives as long as the program. The kernel ends a bot with its
 * parent (PR_SET_PDEATHSIG), and takes the thread that forked for the parent; a worker of a run
 * ends long before the bot that others play on with. */
#ifndef TURF_BOTS_FORK_SERVER_H
#define TURF_BOTS_FORK_SERVER_H

#include <sys/types.h>

/* As fork, but the child calls `live`, which does not return. -1 with errno if it cannot be. */
pid_t fork_server_fork(void (*live)(void *context), void *context);

#endif
