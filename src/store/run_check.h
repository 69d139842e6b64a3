/* Cross-checks of a stored run: do its rows fit together? Whoever uses more of a run than its row
 * calls this first, since a database may be damaged or made by somebody else. */
#ifndef TURF_STORE_RUN_CHECK_H
#define TURF_STORE_RUN_CHECK_H

#include "store/runs.h"

/* Compares the plan with the run, its entrants and pairings, and these with its games. The bounds
 * of single values are checked where rows are read. */
bool run_check(Store *store, const RunRecord *run, const EntrantRecord *entrants, size_t n_entrants,
               const PairingRecord *pairings, size_t n_pairings, TurfError *error);

#endif
