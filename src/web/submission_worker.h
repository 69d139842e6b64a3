/* The thread that builds and checks what teams hand in, one after another, at a low priority.
 *
 * The queue is the table of submissions, so it survives the server: what was left unfinished is
 * begun again. The thread has a connection of its own to the database. */
#ifndef TURF_WEB_SUBMISSION_WORKER_H
#define TURF_WEB_SUBMISSION_WORKER_H

#include "turf.h"

typedef struct SubmissionWorker SubmissionWorker;

/* `turf` is the path of this program, which builds; both texts must live as long as the worker.
 * NULL: see `error`. */
SubmissionWorker *submission_worker_start(const char *database, const char *turf, TurfError *error);
/* Something was handed in. */
void submission_worker_wake(SubmissionWorker *worker);
/* Ends it; what it was working on waits for the next start. NULL is fine. */
void submission_worker_stop(SubmissionWorker *worker);

#endif
