/* Bots as child processes: starting them, talking to them over non-blocking pipes, stopping them.
 *
 * Invariants: `to`, `from`, `errors` and `pid_fd` are open descriptors or -1; while `answer` is
 * PROCESS_PENDING, `from` is open; nothing here blocks but poll, with a timeout. */
#include "bots/process.h"

#include "base/clock.h"
#include "base/error.h"
#include "bots/fork_server.h"
#include "bots/pinning.h"
#include "bots/process_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MAX_STALE_BYTES = 1 << 20, /* thrown away before a question; more is a flood */
    GRACE_MS = 200,            /* to exit by itself once its input is closed */
    POLL_MS = 50,              /* between checks whether to stop */
    ROOM_FOR_ERRORS = 2 * MAX_ERROR_TEXT_BYTES,
};

/* ---- reading and writing ------------------------------------------------------------------ */

/* read, restarted after signals. */
static ssize_t read_some(int fd, void *bytes, size_t room)
{
    ssize_t length;
    while ((length = read(fd, bytes, room)) < 0 && errno == EINTR)
        ;
    return length;
}

/* Writes as much as fits; -1 with errno if that is nothing. */
static ssize_t write_some(int fd, const void *bytes, size_t n_bytes)
{
    size_t n_written = 0;
    while (n_written < n_bytes) {
        ssize_t length = write(fd, (const char *)bytes + n_written, n_bytes - n_written);
        if (length > 0)
            n_written += (size_t)length;
        else if (length == 0 || errno != EINTR)
            break;
    }
    return n_written > 0 || n_bytes == 0 ? (ssize_t)n_written : -1;
}

/* write_some with SIGPIPE blocked: a bot that has exited must not end a program that uses the
 * library with the default action. */
static ssize_t write_to_bot(int fd, const void *bytes, size_t n_bytes)
{
    sigset_t pipe_signal, before, pending;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    bool    was_pending = sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
    ssize_t length = write_some(fd, bytes, n_bytes);
    int     why = errno;
    if (length < (ssize_t)n_bytes && !was_pending) /* it may have exited half-way */
        while (sigtimedwait(&pipe_signal, NULL, &(struct timespec){0}) < 0 && errno == EINTR)
            ;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = why;
    return length;
}

/* ---- starting ----------------------------------------------------------------------------- */

typedef struct Pipes {
    int to[2], from[2], errors[2], failure[2]; /* the last gets the errno of a failed exec */
} Pipes;

enum { N_PIPES = 4 };

static void close_pipes(Pipes *pipes, int n)
{
    int(*all[])[2] = {&pipes->to, &pipes->from, &pipes->errors, &pipes->failure};
    while (n-- > 0) {
        close((*all[n])[0]);
        close((*all[n])[1]);
    }
}

static bool open_pipes(Pipes *pipes)
{
    int(*all[])[2] = {&pipes->to, &pipes->from, &pipes->errors, &pipes->failure};
    for (int i = 0; i < N_PIPES; i++)
        if (pipe2(*all[i], O_CLOEXEC) != 0) {
            int why = errno;
            close_pipes(pipes, i);
            errno = why;
            return false;
        }
    return true;
}

/* What the child needs between fork and exec. */
typedef struct ChildSetup {
    const Pipes *pipes;
    char *const *words, *const *environment;
    const ProcessTerms *terms;
    bool                is_watched; /* its memory, by a cgroup or the resource monitor */
    int                 cgroup;     /* -1: none */
    bool                is_inside;  /* the cgroup */
    int                 processor;  /* -1: any */
    int64_t             max_tasks;  /* of its user; 0: no limit */
    pid_t               parent;
} ChildSetup;

/* Whatever the arena was started with stays with it, and is not the bot's to read or write. */
static void keep_only_standard(int inherited)
{
    if (syscall(SYS_close_range, 3U, ~0U, 1U << 2 /* CLOSE_RANGE_CLOEXEC */) != 0) {
        int n_files = (int)sysconf(_SC_OPEN_MAX); /* a kernel before 5.11 */
        for (int fd = 3; fd < n_files && fd < 65536; fd++)
            (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    if (inherited > 0)
        (void)fcntl(inherited, F_SETFD, 0);
}

static void lower_limit(int resource, rlim_t limit)
{
    struct rlimit now;
    if (getrlimit((__rlimit_resource_t)resource, &now) == 0 && now.rlim_max > limit)
        (void)setrlimit((__rlimit_resource_t)resource, &(struct rlimit){limit, limit});
}

/* Memory is limited here only if nothing better does it: the kernel counts single processes, and
 * also memory that is reserved and not used. */
static void set_limits(const ChildSetup *setup)
{
    enum { MAX_FILES = 1024 };
    rlim_t cpu_seconds = (rlim_t)setup->terms->max_cpu_seconds,
           n_bytes = (rlim_t)setup->terms->max_mib << 20;
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0});
    lower_limit(RLIMIT_NOFILE, MAX_FILES);
    lower_limit(RLIMIT_RTPRIO, 0);
    lower_limit(RLIMIT_NICE, 0);
    if (setup->max_tasks > 0)
        lower_limit(RLIMIT_NPROC, (rlim_t)setup->max_tasks);
    if (cpu_seconds > 0)
        (void)setrlimit(RLIMIT_CPU, &(struct rlimit){cpu_seconds,
                                                     cpu_seconds + 1}); /* SIGXCPU before SIGKILL */
    if (n_bytes > 0 && !setup->is_watched)
        (void)setrlimit(RLIMIT_DATA, &(struct rlimit){n_bytes, n_bytes});
}

static void reset_signals(void)
{
    sigset_t empty;
    sigemptyset(&empty);
    sigprocmask(SIG_SETMASK, &empty, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
}

/* Runs in the child between fork and exec, so only async-signal-safe functions are allowed. */
static void exec_bot(void *context)
{
    const ChildSetup   *setup = context;
    const Pipes        *pipes = setup->pipes;
    const ProcessTerms *terms = setup->terms;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* or its daemons would leave the tree that is limited */
    if (getppid() != setup->parent)
        _exit(127); /* the arena died meanwhile */
    reset_signals();
    set_limits(setup);
    /* Move them above 2 first: the arena may have been started with 0 to 2 closed. */
    int failure = fcntl(pipes->failure[1], F_DUPFD_CLOEXEC, 3),
        ends[3] = {pipes->to[0], pipes->from[1], pipes->errors[1]};
    bool is_good = failure >= 0 &&
                   (setup->cgroup < 0 || setup->is_inside || cgroup_enter(setup->cgroup)) &&
                   (setup->processor < 0 || pinning_apply(setup->processor));
    for (int i = 0; i < 3 && is_good; i++)
        is_good = (ends[i] = fcntl(ends[i], F_DUPFD_CLOEXEC, 3)) >= 0;
    is_good = is_good && (!terms->folder || chdir(terms->folder) == 0);
    for (int i = 0; i < 3 && is_good; i++)
        is_good = dup2(ends[i], i) == i;
    if (is_good)
        keep_only_standard(terms->inherited);
    if (is_good)
        execve(setup->words[0], setup->words, setup->environment);
    int why = errno;
    write_some(failure >= 0 ? failure : pipes->failure[1], &why, sizeof why);
    _exit(127);
}

/* An environment and the token by which the process tree can be found. The caller frees the array
 * alone. */
static char **environment_with(const char *const *given, char *token)
{
    const char *const *from = given ? given : (const char *const *)environ;
    size_t             n = 0;
    while (from[n])
        n++;
    char **copy = calloc(n + 2, sizeof *copy);
    if (copy) {
        memcpy(copy, from, n * sizeof *copy);
        copy[n] = token;
    }
    return copy;
}

static void set_nonblocking(int fd) { fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK); }

/* The errno of a failed exec; 0 if it succeeded. */
static int read_failure(int fd)
{
    int    why = 0;
    size_t n_read = 0;
    for (ssize_t length; n_read < sizeof why &&
                         (length = read_some(fd, (char *)&why + n_read, sizeof why - n_read)) > 0;)
        n_read += (size_t)length;
    return n_read < sizeof why ? 0 : why;
}

static void abandon(Process *process)
{
    process_stop(process);
    free(process->error_text);
    process->error_text = NULL;
}

/* What to do about a shortage, to be added to an error's text. */
static const char *remedy(int why)
{
    if (why == EAGAIN)
        return "; allow more processes with 'ulimit -u'";
    return why == EMFILE || why == ENFILE ? "; allow more files with 'ulimit -n'" : "";
}

static void clear(Process *process)
{
    memset(process, 0, sizeof *process);
    process->to = process->from = process->errors = process->pid_fd = -1;
    process->cgroup.folder = process->processor = -1;
}

/* Closes the child's ends of the pipes and keeps ours. */
static void keep_ends(Process *process, const Pipes *pipes)
{
    close(pipes->to[0]);
    close(pipes->from[1]);
    close(pipes->errors[1]);
    close(pipes->failure[1]);
    process->to = pipes->to[1];
    process->from = pipes->from[0];
    process->errors = pipes->errors[0];
}

static bool is_short(Process *process, char **environment, TurfError *error)
{
    int why = errno;
    free(environment);
    abandon(process);
    return error_system(error, why, "a bot cannot be started: %s%s", strerror(why), remedy(why));
}

static pid_t fork_bot(Process *process, ChildSetup *setup)
{
    const ProcessTerms *terms = setup->terms;
    CgroupLimits        limits = {terms->max_mib, terms->max_processes, terms->max_cores};
    setup->is_watched = cgroup_make(&process->cgroup, &limits) || resource_monitor_works();
    setup->cgroup = process->cgroup.folder;
    setup->processor = process->processor;
    setup->max_tasks = terms->is_wrapped ? 0 : resource_monitor_task_limit(terms->max_processes);
    setup->parent = getpid();
    return fork_server_fork(&(ForkRequest){.run = exec_bot,
                                           .context = setup,
                                           .cgroup = setup->cgroup,
                                           .is_inside = &setup->is_inside});
}

bool process_start(Process *process, char *const *words, const ProcessTerms *terms,
                   TurfError *error)
{
    Pipes pipes;
    clear(process);
    process_tree_token(process->token);
    process->inbox = malloc(MAX_LINE_BYTES + 1);
    process->error_text = malloc(ROOM_FOR_ERRORS + 1);
    char **environment = environment_with(terms->environment, process->token);
    if (!process->inbox || !process->error_text || !environment || !open_pipes(&pipes))
        return is_short(process, environment, error);
    process->error_text[0] = '\0';
    process->log = (BotLog){.file = terms->log, .max_bytes = terms->max_log_bytes};
    if (terms->is_pinned && (process->processor = pinning_take()) < 0) {
        close_pipes(&pipes, N_PIPES);
        errno = EAGAIN;
        return is_short(process, environment, error);
    }
    ChildSetup setup = {
        .pipes = &pipes, .words = words, .environment = environment, .terms = terms};
    pid_t pid = fork_bot(process, &setup);
    int   why = errno;
    free(environment);
    process->pid = pid;
    keep_ends(process, &pipes);
    if (pid > 0) {
        setpgid(pid, pid);
        process->pid_fd =
            (int)syscall(SYS_pidfd_open, pid, 0); /* glibc has no wrapper before 2.36 */
        set_nonblocking(process->to);
        set_nonblocking(process->from);
        set_nonblocking(process->errors);
        why = read_failure(pipes.failure[0]);
    }
    close(pipes.failure[0]);
    if (pid > 0 && why == 0) {
        process->monitor =
            resource_monitor_watch(&(MonitorTerms){.pid = pid,
                                                   .cgroup = setup.cgroup,
                                                   .max_mib = terms->max_mib,
                                                   .max_processes = terms->max_processes,
                                                   .max_cpu_seconds = terms->max_cpu_seconds});
        return true;
    }
    abandon(process);
    if (terms->folder)
        return error_system(error, why, "%s cannot be run in %s: %s%s", words[0], terms->folder,
                            strerror(why), remedy(why));
    return error_system(error, why, "%s cannot be run: %s%s", words[0], strerror(why), remedy(why));
}

/* A connection accepted before the deadline; -1 with errno, which is 0 if there was none. */
static int accept_before(int listener, int64_t deadline_ns, const atomic_bool *stop)
{
    for (int64_t now_ns; (now_ns = clock_ns()) < deadline_ns && !(stop && atomic_load(stop));) {
        struct pollfd waiting = {.fd = listener, .events = POLLIN};
        if (poll(&waiting, 1, POLL_MS) > 0) {
            int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
            if (connection >= 0 || (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED))
                return connection;
        }
        deadline_ns += clock_lost_ns(now_ns, POLL_MS * INT64_C(1000000));
    }
    errno = 0;
    return -1;
}

bool process_accept(Process *process, int listener, int64_t deadline_ns, const atomic_bool *stop,
                    TurfError *error)
{
    clear(process);
    /* Reserve memory and descriptors first: a connection that cannot be kept would be lost. */
    process->inbox = malloc(MAX_LINE_BYTES + 1);
    if (process->inbox)
        process->to = fcntl(listener, F_DUPFD_CLOEXEC, 3);
    if (process->to >= 0)
        process->from = accept_before(listener, deadline_ns, stop);
    if (process->from >= 0 && dup3(process->from, process->to, O_CLOEXEC) >= 0)
        return true;
    int why = errno;
    process_stop(process);
    if (stop && atomic_load(stop))
        return error_set(error, TURF_ERROR_INTERRUPTED, "stopped while waiting for a connection");
    if (why == 0)
        return error_io(error, "no bot connected in time");
    return error_system(error, why, "a connection cannot be accepted: %s%s", strerror(why),
                        remedy(why));
}

bool process_adopt(Process *process, int socket, TurfError *error)
{
    clear(process);
    process->inbox = malloc(MAX_LINE_BYTES + 1);
    process->from = socket;
    if (process->inbox)
        return true;
    process_stop(process);
    return error_no_memory(error);
}

/* ---- talking ------------------------------------------------------------------------------ */

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void cut_to_tail(Process *process)
{
    size_t overflow = process->n_error_text > MAX_ERROR_TEXT_BYTES
                          ? process->n_error_text - MAX_ERROR_TEXT_BYTES
                          : 0;
    memmove(process->error_text, process->error_text + overflow, process->n_error_text - overflow);
    process->n_error_text -= overflow;
    process->error_text[process->n_error_text] = '\0';
}

/* Keeps the tail of a text of any length. The buffer has twice the room, so that the text is moved
 * rarely even if it comes byte by byte. */
static void keep_tail(Process *process, const char *text, size_t length)
{
    if (process->n_error_text + length > ROOM_FOR_ERRORS)
        cut_to_tail(process);
    memcpy(process->error_text + process->n_error_text, text, length);
    process->n_error_text += length;
}

/* Reads one chunk of standard error, so that a flood there delays neither the other pipes nor the
 * deadline. False if there was none. */
static bool read_errors(Process *process)
{
    char    text[4096];
    ssize_t length = read_some(process->errors, text, sizeof text);
    if (length > 0) {
        keep_tail(process, text, (size_t)length);
        bot_log_write(&process->log, text, (size_t)length);
        process->n_logged += (size_t)length;
    }
    if (length == 0 || (length < 0 && errno != EAGAIN))
        close_end(&process->errors);
    return length > 0;
}

static void settle(Process *process, ProcessAnswer answer)
{
    process->answer = answer;
    process->answered_ns = clock_ns();
}

static void read_output(Process *process)
{
    ssize_t length = read_some(process->from, process->inbox + process->n_inbox,
                               MAX_LINE_BYTES - process->n_inbox);
    if (length < 0 && errno == EAGAIN)
        return;
    if (length <= 0) {
        close_end(&process->from);
        settle(process, PROCESS_GONE);
        return;
    }
    char *end = memchr(process->inbox + process->n_inbox, '\n', (size_t)length);
    process->n_inbox += (size_t)length;
    if (end && process->n_question > 0) {
        process->n_inbox = 0; /* the question is not written yet: this is no answer to it */
    } else if (end) {
        *end = '\0';
        process->n_line = (size_t)(end - process->inbox);
        settle(process, clock_ns() <= process->deadline_ns ? PROCESS_ANSWERED : PROCESS_TIMED_OUT);
    } else if (process->n_inbox >= MAX_LINE_BYTES) {
        settle(process, PROCESS_FLOODED);
    }
}

static void write_question(Process *process)
{
    ssize_t length = write_to_bot(process->to, process->question, process->n_question);
    if (length > 0) {
        process->n_question -= (size_t)length;
        memmove(process->question, process->question + length, process->n_question);
    } else if (length < 0 && errno != EAGAIN) {
        close_end(&process->to); /* its exit is noticed when its output is read */
    }
}

void process_ask(Process *process, char *question, int64_t deadline_ns, const atomic_bool *stop)
{
    char   stale[4096];
    size_t n_stale = 0;
    process->n_stale_lines = process_n_extra_lines(process);
    process->answer = PROCESS_PENDING;
    process->n_inbox = 0;
    process->asked_ns = clock_ns();
    process->deadline_ns = deadline_ns;
    process->stop = stop;
    for (ssize_t length; n_stale < MAX_STALE_BYTES && process->from >= 0 &&
                         (length = read_some(process->from, stale, sizeof stale)) > 0;) {
        n_stale += (size_t)length;
        process->n_stale_lines += memchr(stale, '\n', (size_t)length) != NULL;
    }
    if (n_stale >= MAX_STALE_BYTES)
        settle(process, PROCESS_FLOODED);
    free(process->question);
    process->question = question;
    process->n_question = strlen(question);
    if (process->from < 0)
        settle(process, PROCESS_GONE);
    else if (process->to >= 0)
        write_question(process);
}

/* The descriptors to poll for one process; returns how many. */
static nfds_t poll_set(const Process *process, struct pollfd *fds)
{
    nfds_t n = 0;
    fds[n++] = (struct pollfd){.fd = process->from, .events = POLLIN};
    if (process->errors >= 0)
        fds[n++] = (struct pollfd){.fd = process->errors, .events = POLLIN};
    if (process->to >= 0 && process->n_question > 0)
        fds[n++] = (struct pollfd){.fd = process->to, .events = POLLOUT};
    if (process->pid_fd >= 0)
        fds[n++] = (struct pollfd){.fd = process->pid_fd, .events = POLLIN};
    return n;
}

/* It has exited. What it wrote before still counts; a child of its may keep the pipe open, but
 * cannot answer for it. */
static void note_exit(Process *process)
{
    size_t before;
    do {
        before = process->n_inbox;
        read_output(process);
    } while (process->answer == PROCESS_PENDING && process->n_inbox > before);
    if (process->answer == PROCESS_PENDING)
        settle(process, PROCESS_GONE);
}

static void handle_events(Process *process, const struct pollfd *fds, nfds_t n)
{
    for (nfds_t i = 0; i < n && process->answer == PROCESS_PENDING; i++) {
        if (!fds[i].revents)
            continue;
        if (fds[i].fd == process->from)
            read_output(process);
        else if (fds[i].fd == process->errors)
            read_errors(process);
        else if (fds[i].fd == process->pid_fd)
            note_exit(process);
        else
            write_question(process);
    }
    bool is_stopped = process->stop && atomic_load_explicit(process->stop, memory_order_relaxed);
    if (process->answer == PROCESS_PENDING && (is_stopped || clock_ns() >= process->deadline_ns))
        settle(process, PROCESS_TIMED_OUT);
}

/* Time for which the arena was suspended does not count against the bot. */
static void extend_deadline(Process *process, int64_t lost_ns)
{
    process->asked_ns += lost_ns;
    if (process->deadline_ns < INT64_MAX - lost_ns)
        process->deadline_ns += lost_ns;
}

void process_wait(Process *const *processes, size_t n_processes)
{
    enum { MAX = 2, FDS_EACH = 4, POLL_NS = POLL_MS * 1000000 };
    for (;;) {
        struct pollfd fds[MAX * FDS_EACH];
        nfds_t        n_fds = 0, first[MAX], count[MAX];
        int64_t       nearest_ns = INT64_MAX;
        for (size_t i = 0; i < n_processes && i < MAX; i++) {
            first[i] = n_fds;
            count[i] =
                processes[i]->answer == PROCESS_PENDING ? poll_set(processes[i], fds + n_fds) : 0;
            n_fds += count[i];
            if (count[i] && processes[i]->deadline_ns < nearest_ns)
                nearest_ns = processes[i]->deadline_ns;
        }
        if (n_fds == 0)
            return;
        int64_t now_ns = clock_ns(), left_ns = nearest_ns - now_ns;
        if (left_ns > POLL_NS)
            left_ns = POLL_NS;
        if (left_ns < 0)
            left_ns = 0;
        if (ppoll(fds, n_fds, &(struct timespec){.tv_nsec = (long)left_ns}, NULL) < 0)
            for (nfds_t i = 0; i < n_fds; i++)
                fds[i].revents = 0; /* interrupted: only check the time */
        int64_t lost_ns = clock_lost_ns(now_ns, left_ns);
        for (size_t i = 0; i < n_processes && i < MAX; i++)
            if (count[i]) {
                extend_deadline(processes[i], lost_ns);
                handle_events(processes[i], fds + first[i], count[i]);
            }
    }
}

const char *process_line(const Process *process, size_t *length)
{
    *length = process->n_line;
    return process->inbox;
}

size_t process_n_extra_lines(const Process *process)
{
    bool has_more = process->answer == PROCESS_ANSWERED && process->n_inbox > process->n_line + 1;
    return process->n_stale_lines + has_more;
}

ssize_t process_write(const Process *process, const void *bytes, size_t n_bytes)
{
    return write_to_bot(process->to, bytes, n_bytes);
}

void process_tell(Process *process, const char *text)
{
    while (!process->has_been_told && process->errors >= 0 && read_errors(process))
        ;
    if (!process->has_been_told)
        process->n_before_told = process->n_logged;
    process->has_been_told = true;
    if (process->to >= 0)
        write_to_bot(process->to, text, strlen(text));
}

/* ---- stopping ----------------------------------------------------------------------------- */

/* Waits for a process to exit, without reaping it; reads its standard error meanwhile. */
static bool exits_within(Process *process, int64_t patience_ms)
{
    enum { NAP_NS = 1000000 };
    int64_t now_ns = clock_ns(), until_ns = now_ns + patience_ms * INT64_C(1000000);
    do {
        siginfo_t about = {.si_pid = 0};
        if (waitid(P_PID, (id_t)process->pid, &about, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            about.si_pid > 0)
            return true;
        if (process->errors < 0 || !read_errors(process))
            nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
        until_ns += clock_lost_ns(now_ns, NAP_NS);
    } while ((now_ns = clock_ns()) < until_ns);
    return false;
}

static bool reap(Process *process, int patience_ms, int *status)
{
    pid_t ended = -1;
    if (!exits_within(process, patience_ms))
        return false;
    do {
        ended = waitpid(process->pid, status, WNOHANG);
    } while (ended < 0 && errno == EINTR);
    return ended == process->pid;
}

bool process_exits_at_end_of_input(Process *process, int64_t patience_ms)
{
    close_end(&process->to);
    return exits_within(process, patience_ms);
}

bool process_has_exited(const Process *process)
{
    struct pollfd end = {.fd = process->from, .events = POLLRDHUP};
    if (process->from < 0)
        return true;
    if (process->pid > 0)
        end = (struct pollfd){.fd = process->pid_fd, .events = POLLIN};
    return end.fd >= 0 && poll(&end, 1, 0) > 0;
}

int process_stop(Process *process)
{
    enum { MAX_LAST_CHUNKS = 256, PATIENCE_AFTER_KILL_MS = 1000 };
    int status = -1;
    process->breach = resource_monitor_release(process->monitor);
    process->monitor = NULL;
    close_end(&process->to);
    if (process->pid > 0) {
        bool may_exit = process->answer != PROCESS_TIMED_OUT && process->answer != PROCESS_FLOODED;
        bool is_done = may_exit && reap(process, GRACE_MS, &status);
        kill(-process->pid, SIGKILL);
        if (!is_done) {
            kill(process->pid, SIGKILL); /* it may have left its process group */
            reap(process, PATIENCE_AFTER_KILL_MS, &status);
            status = -1;
        }
        for (int i = 0; i < MAX_LAST_CHUNKS && process->errors >= 0 && read_errors(process); i++)
            ;
        process_tree_kill(process->token);
    }
    cgroup_remove(&process->cgroup);
    pinning_give_back(process->processor);
    process->processor = -1;
    if (process->error_text && process->has_been_told) {
        size_t n_after = process->n_logged - process->n_before_told;
        process->n_error_text -= n_after < process->n_error_text ? n_after : process->n_error_text;
    }
    if (process->error_text)
        cut_to_tail(process);
    close_end(&process->from);
    close_end(&process->errors);
    close_end(&process->pid_fd);
    free(process->question);
    free(process->inbox);
    process->question = process->inbox = NULL;
    process->pid = 0;
    return status;
}
