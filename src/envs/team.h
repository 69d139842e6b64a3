/* A team of threads that share out one piece of work at a time, for batches. The caller is a member
 * and does the first part itself; the others wait for the next piece in between.
 *
 * One thread at a time may call these. After fork() the child's team is its caller alone. */
#ifndef TURF_ENVS_TEAM_H
#define TURF_ENVS_TEAM_H

#include <stddef.h>

typedef struct Team Team;

/* Does part `part`, from 0, of the work. */
typedef void TeamWork(void *context, size_t part);

/* A team with n_members, the caller included, at least 2. NULL: out of memory or threads. */
Team *team_new(size_t n_members);
void  team_free(Team *team); /* accepts NULL */

/* Does all parts, one for each member; returns when all are done. */
void team_run(Team *team, TeamWork *work, void *context);

#endif
