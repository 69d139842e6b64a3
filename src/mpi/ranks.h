/* Games played by the ranks of an MPI job. Rank 0 hands out batches, plays some itself, and keeps
 * what comes back; the others play. A batch counts when it is on disk, so whoever dies takes no
 * more with him than what he was at. */
#ifndef TURF_MPI_RANKS_H
#define TURF_MPI_RANKS_H

#include "arena/run.h"

typedef struct Ranks {
    int  n_ranks;
    bool has_plan; /* the others know what is played */
} Ranks;

/* For rank 0: an RemotePlay, whose context is a Ranks. */
bool ranks_play(void *ranks, const Run *run, const WorkerJob *job, TurfTotals (*totals)[2],
                TurfError *error);
/* Sends the others home. */
void ranks_dismiss(Ranks *ranks);

/* For the others: plays until sent home. */
void ranks_serve(void);

#endif
