/* The resource monitor: a thread that looks, fifty times a second, at what the process tree of each
 * bot uses, and kills those above their limits. Where bots have cgroups (bots/cgroup.h) the kernel
 * keeps the limits, and the monitor only reads whether one was reached; elsewhere it adds up what
 * /proc says of the tree.
 *
 * It also kills what has come loose from a bot, where process_tree_adopt has been called. */
#ifndef TURF_BOTS_RESOURCE_MONITOR_H
#define TURF_BOTS_RESOURCE_MONITOR_H

#include "bots/cgroup.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct MonitorEntry MonitorEntry;

typedef struct MonitorTerms {
    pid_t   pid;                    /* a leader of its own group */
    int     cgroup;                 /* an open folder; -1: none */
    int64_t max_mib, max_processes; /* 0: no limit */
    int64_t max_cpu_seconds;        /* with a cgroup only */
} MonitorTerms;

/* Can it see process trees here? It needs /proc with lists of children. */
bool resource_monitor_works(void);

/* Monitors the tree of a process until it is released. NULL: it is not monitored. */
MonitorEntry *resource_monitor_watch(const MonitorTerms *terms);

/* Must come before the process is reaped, after which its number may be reused, and before its
 * cgroup is removed. NULL is fine. */
LimitBreach resource_monitor_release(MonitorEntry *entry);

/* For a bot that shares its user with other programs: how many processes and threads that user may
 * have before the kernel refuses the bot more. It is no precise limit, since other programs come
 * and go, but one for a bot that forks faster than anybody looks. 0: none, as for root. */
int64_t resource_monitor_task_limit(int64_t max_processes);

#endif
