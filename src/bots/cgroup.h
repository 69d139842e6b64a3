/* Limits that the kernel keeps: a cgroup (version 2) for each bot and everything it starts.
 *
 * The kernel counts memory that no process maps, such as files in /tmp, counts without gaps, and
 * nothing that the bot does takes a process out of its cgroup. Only a program that may make cgroups
 * has them: root, or a user in a delegated scope. Elsewhere the resource monitor does the counting.
 */
#ifndef TURF_BOTS_CGROUP_H
#define TURF_BOTS_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

typedef enum LimitBreach {
    WITHIN_LIMITS,
    TOO_MUCH_MEMORY,
    TOO_MANY_PROCESSES,
    TOO_MUCH_CPU
} LimitBreach;

typedef struct Cgroup {
    int  folder; /* an open descriptor; -1: none */
    char name[24];
} Cgroup;

/* Prepares this program for making cgroups, for which it may have to move into one below its own.
 * For programs that are nothing but an arena: a program that embeds the library is not moved.
 * Returns whether they can be made; later calls return the same. */
bool cgroups_begin(void);
/* Undoes that, and removes what is left. Also in the watchdog, after the program's death: only
 * system calls. */
void cgroups_end(void);
/* In a child that closes its descriptors from `first` + 2 on: keeps those that the end needs. */
void cgroups_keep(int first);

/* Can the processors that a cgroup uses be limited? The cpu controller is handed down less often
 * than the others. After cgroups_begin. */
bool cgroups_limit_cores(void);

/* Limits of a cgroup; 0 is none. */
typedef struct CgroupLimits {
    int64_t max_mib, max_processes;
    int64_t max_cores; /* processors at a time, if cgroups_limit_cores */
} CgroupLimits;

/* False, with folder -1: there are no cgroups here. */
bool cgroup_make(Cgroup *cgroup, const CgroupLimits *limits);
/* Moves the calling process, a child that is about to become a bot, into it. */
bool cgroup_enter(int folder);
/* Which limit was reached: a process was killed for memory, or refused for the number of them. */
LimitBreach cgroup_breach(int folder, int64_t max_cpu_seconds);
/* Kills everything in it. */
void cgroup_kill(int folder);
/* Kills everything in it, waits until that is gone, and removes it. */
void cgroup_remove(Cgroup *cgroup);

#endif
