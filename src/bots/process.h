/* A bot as a child process: lines in, lines out, and nothing it does can hold the arena up. Every
 * wait has an absolute deadline that no output extends; what it writes is bounded; its standard
 * input is never waited for; and when it is stopped, its whole family goes. */
#ifndef TURF_BOTS_PROCESS_H
#define TURF_BOTS_PROCESS_H

#include "bots/process_tree.h"
#include "bots/resource_monitor.h"
#include "turf.h"

#include <stdatomic.h>
#include <sys/types.h>

enum { PROCESS_MAX_LINE = 64 * 1024, PROCESS_ERRORS_KEPT = 64 * 1024 };

/* What came of a question. */
typedef enum ProcessAnswer {
    PROCESS_WAITS,    /* asked, and nothing yet */
    PROCESS_ANSWERED, /* one whole line */
    PROCESS_LATE,     /* the deadline passed */
    PROCESS_GONE,     /* it closed its output or ended */
    PROCESS_FLOODS    /* a line too long, or output without end */
} ProcessAnswer;

/* On what terms it runs. A limit of 0 is none. */
typedef struct ProcessTerms {
    const char *folder; /* where; NULL: where the arena is */
    int         log; /* a descriptor that gets what it writes to standard error; 0: nobody does */
    int64_t     max_mib; /* of memory, and processes, in its whole family */
    int64_t     max_processes;
    int64_t     max_cpu_seconds; /* in each process */
} ProcessTerms;

typedef struct Process {
    pid_t       pid;
    int         to, from, errors; /* its standard input, output and error; -1 when closed */
    int         death;            /* becomes readable when it ends; -1 if there is no such thing */
    TreeToken   token;            /* in the environment of its whole family */
    Ward       *ward;             /* NULL if nobody watches what it uses */
    LimitBreach breach;           /* once it is stopped: whether the warden ended it */

    char   *question; /* what is still to be written of it */
    size_t  n_question;
    int64_t asked_ns, deadline_ns, answered_ns; /* the last: when it answered or was given up */
    const atomic_bool *stop;                    /* gives up waiting when it is set; may be NULL */
    ProcessAnswer      answer;

    char  *inbox; /* what it has written so far; an answer is a line of this */
    size_t n_inbox, n_line;
    char  *error_text; /* the last of what it wrote to standard error; kept when it is stopped, and
                          freed by the caller */
    size_t n_error_text;
    int    log;
    size_t n_logged;
} Process;

/* An error that error_is_shortage is the arena's; any other is the bot's. */
bool process_start(Process *process, char *const *words, const ProcessTerms *terms,
                   TurfError *error);
/* Has it ended by itself? */
bool process_has_ended(const Process *process);
/* Closes its input, and waits so long for it to end. It is still to be stopped. */
bool process_leaves(Process *process, int64_t patience_ms);
/* A bot that connects by TCP instead: waits for it at a listening socket, no longer than to the
 * deadline. It is talked to and stopped in the same way, but cannot be killed. */
bool process_accept(Process *process, int listener, int64_t deadline_ns, const atomic_bool *stop,
                    TurfError *error);
/* Sends a question, which the process frees. Output from before it is discarded: it is no answer.
 */
void process_ask(Process *process, char *question, int64_t deadline_ns, const atomic_bool *stop);
/* Waits until all of them have answered, or have not in time. Each is timed by itself. */
void process_wait(Process *const *processes, size_t n_processes);
/* The line of an answer, without its end; valid until the next question. It may hold NUL bytes. */
const char *process_line(const Process *process, size_t *length);
/* Tells it something and expects nothing. */
void process_tell(Process *process, const char *text);
/* Ends it and everything it started. How it ended: what waitpid says, or -1 if it had to be killed.
 */
int process_stop(Process *process);

#endif
