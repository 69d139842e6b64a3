/* The warden: a thread that looks, fifty times a second, at what each bot uses up with its whole family of processes,
 * and ends those that use more than they may. The kernel's own limits are for single processes, or need rights that an
 * ordinary user does not have. */
#ifndef TURF_BOTS_WARDEN_H
#define TURF_BOTS_WARDEN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef enum WardenVerdict { WARDEN_CONTENT, WARDEN_TOO_MUCH_MEMORY, WARDEN_TOO_MANY_PROCESSES } WardenVerdict;

typedef struct Ward Ward;

/* Can it see families of processes here? It needs /proc. */
bool warden_works(void);

/* Watches a process, a leader of its own group, until it is released. A limit of 0 is none. NULL if it cannot. */
Ward *warden_watch(pid_t pid, int64_t most_mib, int64_t most_processes);

/* Must come before the process is waited for, after which its number may be another's. NULL is fine. */
WardenVerdict warden_release(Ward *ward);

#endif
