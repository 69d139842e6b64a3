/* The fork server: a thread that forks all bots and lives as long as the program. The kernel kills
 * a bot when the thread that forked it ends (PR_SET_PDEATHSIG), and a worker of a run ends long
 * before the bots that it started and others play on with. */
#ifndef TURF_BOTS_FORK_SERVER_H
#define TURF_BOTS_FORK_SERVER_H

#include <sys/types.h>

/* As fork, but the child calls `run`, which must not return. -1 with errno on failure. */
pid_t fork_server_fork(void (*run)(void *context), void *context);

#endif
