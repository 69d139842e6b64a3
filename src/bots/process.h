/* A bot as a child process, or as a TCP connection: one line in, one line out.
 *
 * A bot cannot hold the arena up: every wait has an absolute deadline that no output extends, its
 * output is bounded, its standard input is never waited for, and stopping it kills its whole
 * process tree.
 *
 * Thread safety: a Process belongs to one thread at a time; different threads may use different
 * ones. */
#ifndef TURF_BOTS_PROCESS_H
#define TURF_BOTS_PROCESS_H

#include "bots/bot_log.h"
#include "bots/cgroup.h"
#include "bots/process_tree.h"
#include "bots/resource_monitor.h"
#include "turf.h"

#include <stdatomic.h>
#include <sys/types.h>

enum { MAX_LINE_BYTES = 64 * 1024, MAX_ERROR_TEXT_BYTES = 64 * 1024 };

/* What became of a question. */
typedef enum ProcessAnswer {
    PROCESS_PENDING,   /* asked, no answer yet */
    PROCESS_ANSWERED,  /* one whole line */
    PROCESS_TIMED_OUT, /* the deadline passed */
    PROCESS_GONE,      /* it closed its output or exited */
    PROCESS_FLOODED    /* a line too long, or output without end */
} ProcessAnswer;

/* How a bot runs. A limit of 0 is none. */
typedef struct ProcessTerms {
    const char        *folder;          /* its working directory; NULL: the arena's */
    int                log;             /* a descriptor that gets its standard error; 0: none */
    int64_t            max_log_bytes;   /* of that file */
    int64_t            max_mib;         /* memory of its process tree */
    int64_t            max_processes;   /* in its process tree */
    int64_t            max_cpu_seconds; /* of each process; with cgroups of all together */
    int64_t            max_cores;       /* processors at a time; with cgroups only */
    bool               is_pinned;       /* on a processor of its own (bots/pinning.h) */
    bool               is_wrapped;      /* in a sandbox, which limits its processes, too */
    int                inherited; /* a descriptor besides 0 to 2 that the command keeps; 0: none */
    const char *const *environment; /* NULL: that of the arena */
} ProcessTerms;

typedef struct Process {
    pid_t         pid;              /* 0: a TCP connection, or not running */
    int           to, from, errors; /* its standard input, output and error; -1 when closed */
    int           pid_fd;           /* readable once it has exited; -1: not available */
    TreeToken     token;            /* in the environment of its process tree */
    Cgroup        cgroup;           /* its folder is -1: none */
    int           processor;        /* that no other bot has; -1: none */
    MonitorEntry *monitor;          /* NULL: not monitored */
    LimitBreach   breach;           /* after process_stop: the limit for which it was killed */

    char              *question; /* the part that is not yet written */
    size_t             n_question;
    int64_t            asked_ns, deadline_ns;
    int64_t            answered_ns; /* when `answer` was decided */
    const atomic_bool *stop;        /* ends a wait when it is set; may be NULL */
    ProcessAnswer      answer;

    char  *inbox; /* its output since the question; an answer is a line of this */
    size_t n_inbox, n_line;
    char  *error_text; /* the tail of its standard error; survives process_stop, then the caller
                          frees it */
    size_t n_error_text;
    BotLog log;
    size_t n_logged;      /* bytes of standard error so far */
    bool   has_been_told; /* by process_tell, after n_before_told of them */
    size_t n_before_told;
    size_t n_stale_lines; /* discarded when the next question was asked */
} Process;

/* Starts a program; words[0] is its path. An error that error_is_shortage is the arena's; any other
 * is the bot's. */
bool process_start(Process *process, char *const *words, const ProcessTerms *terms,
                   TurfError *error);
/* Waits until the deadline for a bot to connect to a listening socket. It is used and stopped like
 * a child process, but cannot be killed. */
bool process_accept(Process *process, int listener, int64_t deadline_ns, const atomic_bool *stop,
                    TurfError *error);

/* Takes over a socket from which the answers of a bot elsewhere are read; nothing is written to it.
 */
bool process_adopt(Process *process, int socket, TurfError *error);

/* Sends a question, which the process frees. Output from before it is discarded: it is no answer.
 */
void process_ask(Process *process, char *question, int64_t deadline_ns, const atomic_bool *stop);
/* Waits until no process is PROCESS_PENDING any more. Each is timed by itself. At most two. */
void process_wait(Process *const *processes, size_t n_processes);
/* The line of an answer, without its newline; valid until the next question. It may hold NUL bytes.
 */
const char *process_line(const Process *process, size_t *length);
/* Writes text that needs no answer, as far as there is room for it, after the last question. What
 * the process writes to standard error from then on is only logged: it may choke on the text. */
void process_tell(Process *process, const char *text);
/* Writes bytes to its standard input, as many as fit, for a program that is not asked questions. -1
 * with errno if that is none; there is no SIGPIPE. */
ssize_t process_write(const Process *process, const void *bytes, size_t n_bytes);
/* Whole lines that it wrote besides its answers, as far as they were seen. */
size_t process_n_extra_lines(const Process *process);

/* Has it exited by itself? */
bool process_has_exited(const Process *process);
/* Closes its input and waits: does it exit by itself? It must still be stopped. */
bool process_exits_at_end_of_input(Process *process, int64_t patience_ms);
/* Ends its process tree and releases everything but error_text. Returns what waitpid says, or -1 if
 * it had to be killed. */
int process_stop(Process *process);

#endif
