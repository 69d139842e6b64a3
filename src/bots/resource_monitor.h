/* The warden: a thread that looks, fifty times a second, at what each bot uses up with its whole
 * family of processes, and ends those that use more than they may. The kernel's own limits are for
 * single processes, or need rights that an ordinary user does not have. */
#ifndef TURF_BOTS_RESOURCE_MONITOR_H
#define TURF_BOTS_RESOURCE_MONITOR_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef enum LimitBreach { WITHIN_LIMITS, TOO_MUCH_MEMORY, TOO_MANY_PROCESSES } LimitBreach;

typedef struct Ward Ward;

/* Can it see families of processes here? It needs /proc. */
bool resource_monitor_works(void);

/* Watches a process, a leader of its own group, until it is released. A limit of 0 is none. NULL if
 * it cannot. */
Ward *resource_monitor_watch(pid_t pid, int64_t max_mib, int64_t max_processes);

/* Must come before the process is waited for, after which its number may be another's. NULL is
 * fine. */
LimitBreach resource_monitor_release(Ward *ward);

#endif
