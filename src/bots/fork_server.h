/* The fork server: a thread that forks all bots and lives as long as the program. The kernel kills
 * a bot when the thread that forked it ends (PR_SET_PDEATHSIG), and a worker of a run ends long
 * before the bots that it started and others play on with. */
#ifndef TURF_BOTS_FORK_SERVER_H
#define TURF_BOTS_FORK_SERVER_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct ForkRequest {
    void (*run)(void *context); /* called in the child; it must not return */
    void *context;
    int   cgroup;    /* an open folder, in which the child begins if the kernel can; -1: none */
    bool *is_inside; /* set before the fork, so that the child knows; may be NULL without cgroup */
} ForkRequest;

/* As fork, but the child calls `run`. -1 with errno on failure. */
pid_t fork_server_fork(const ForkRequest *request);

#endif
