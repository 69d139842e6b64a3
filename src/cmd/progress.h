/* What is shown of a run while it is played: at a terminal, the table as it fills and a bar, drawn
 * on standard error and cleared at the end; in a pipe, finished games line by line. */
#ifndef TURF_CMD_PROGRESS_H
#define TURF_CMD_PROGRESS_H

#include "arena/workers.h"
#include "cmd/command.h"

typedef struct Progress {
    const TurfPairing *pairings;
    const Run         *swiss;     /* the run of a Swiss tournament, else NULL */
    uint64_t           n_games;   /* of all pairings */
    uint64_t           n_before;  /* games played before a resume; they say nothing about speed */
    char               note[320]; /* a line below the bar; may be empty */
    int64_t            begin_ns;
    bool               is_shown;
    int                n_lines; /* on the screen now */
} Progress;

Progress progress_begin(const TurfPairing *pairings, size_t n_pairings, bool is_quiet);
/* For TurfRunOptions.progress: draws, and asks for a stop after Ctrl-C. */
bool progress_update(void *progress, const TurfTotals *totals, size_t n_pairings);
void progress_end(Progress *progress);

/* Prints finished games: single ones as sentences on standard error, or with --json-lines all of
 * them as JSON on standard output. */
void progress_print_results(const Run *run, const Settings *settings, const BatchResult *results);

#endif
