/* What ranks send each other: plain structures, since all run the same program. */
#ifndef TURF_MPI_WIRE_H
#define TURF_MPI_WIRE_H

#include "store/game_set.h"
#include "turf.h"

#include <mpi.h>

enum {
    TAG_PLAN = 1, /* from rank 0: the plan, as text */
    TAG_WORK,     /* from rank 0: a WorkOrder */
    TAG_STOP,     /* from rank 0: nobody wants the rest */
    TAG_HOME,     /* from rank 0: it is over */
    TAG_RESULT,   /* to rank 0: a PlayedBatch */
    TAG_DONE, /* to rank 0: an order is done with; a TurfError, whose text is empty if all is well
               */
};

/* Games of one pairing; whoever plays them need not know the others. */
typedef struct WorkOrder {
    GameRange games;
    size_t    first, second; /* entrants */
    uint64_t  n_games;
    bool      swaps_sides;
} WorkOrder;

typedef struct PlayedBatch {
    GameRange  games;
    TurfTotals totals[2];
} PlayedBatch;

/* MPI's own waiting keeps a processor busy, which others on the machine need. */
static inline bool wire_has_message(MPI_Status *status)
{
    int is_there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, status);
    return is_there != 0;
}

#endif
