/* What was played is committed to the store. */
#ifndef TURF_ARENA_COMMIT_H
#define TURF_ARENA_COMMIT_H

#include "arena/batch.h"

/* Writes a list of results to the run's store in one transaction. */
bool results_commit(const Run *run, BatchResult *results, size_t n_results, TurfError *error);

/* Commits and counts the result of games that were played elsewhere, of this run, without threads.
 */
bool run_commit(Run *run, BatchResult *result, TurfError *error);

#endif
