/* The resource monitor: a thread that adds up, fifty times a second, what the process tree of each
 * bot uses, and kills those above their limits. The kernel's own limits are for single processes,
 * or need privileges. */
#ifndef TURF_BOTS_RESOURCE_MONITOR_H
#define TURF_BOTS_RESOURCE_MONITOR_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef enum LimitBreach { WITHIN_LIMITS, TOO_MUCH_MEMORY, TOO_MANY_PROCESSES } LimitBreach;

typedef struct MonitorEntry MonitorEntry;

/* Can it see process trees here? It needs /proc with lists of children. */
bool resource_monitor_works(void);

/* Monitors the tree of a process, a leader of its own group, until it is released. A limit of 0 is
 * none. NULL: it is not monitored. */
MonitorEntry *resource_monitor_watch(pid_t pid, int64_t max_mib, int64_t max_processes);

/* Must come before the process is reaped, after which its number may be reused. NULL is fine. */
LimitBreach resource_monitor_release(MonitorEntry *entry);

#endif
