/* Games played by the ranks of an MPI job.
 *
 * Rank 0 (coordinator.c) takes games from the run's workers, sends them out as work orders and
 * delivers the results to the writer; the other ranks (rank_worker.c) play. A batch counts when it
 * is committed, so a dead rank loses only its uncommitted batch.
 *
 * Messages are plain structures, since all ranks run the same program. */
#ifndef TURF_MPI_RANKS_H
#define TURF_MPI_RANKS_H

#include "arena/workers.h"

#include <mpi.h>

enum {
    TAG_PLAN = 1, /* from rank 0: the plan, as JSON */
    TAG_WORK,     /* from rank 0: a WorkOrder */
    TAG_STOP,     /* from rank 0: the run was stopped */
    TAG_EXIT,     /* from rank 0: no more runs */
    TAG_RESULT,   /* to rank 0: a WorkResult */
    TAG_DONE,     /* to rank 0: an order is done; a TurfError, whose code is 0 if all is well */
};

/* Games of one pairing, which is described here: ranks do not know the schedule. */
typedef struct WorkOrder {
    GameRange games;
    size_t    first, second; /* entrants */
    uint64_t  n_games;
    bool      swaps_sides;
} WorkOrder;

typedef struct WorkResult {
    GameRange  games;
    TurfTotals totals[2];
} WorkResult;

/* Rank 0. */
extern const RemoteWorkers ranks_workers;
void                       ranks_init(int n_ranks);
/* Tells the other ranks to exit. */
void ranks_dismiss(void);

/* The other ranks: plays work orders until told to exit. */
void rank_work(void);

/* A probe that can be followed by a short sleep: blocking in MPI keeps a processor busy. */
static inline bool ranks_have_message(MPI_Status *status)
{
    int is_there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, status);
    return is_there != 0;
}

#endif
