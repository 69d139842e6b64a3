/* What one sees of a run while it goes on: on a terminal, the table as it fills and a bar; in a
 * pipe, nothing until the end. It is drawn on standard error and cleared away afterwards. */
#ifndef TURF_CMD_PROGRESS_H
#define TURF_CMD_PROGRESS_H

#include "turf.h"

typedef struct Progress {
    const TurfPairing *pairings;
    uint64_t           n_games;  /* of all pairings */
    uint64_t           n_before; /* of them, were played before: they say nothing about the speed */
    char               note[320]; /* a line to be shown below the bar; may be empty */
    int64_t            begin_ns;
    bool               is_shown;
    int                n_lines; /* on the screen now */
} Progress;

Progress progress_begin(const TurfPairing *pairings, size_t n_pairings, bool is_quiet);
/* For TurfRunOptions.progress: draws, and asks for a stop after Ctrl-C. */
bool progress_update(void *progress, const TurfTotals *totals, size_t n_pairings);
void progress_end(Progress *progress);

#endif
