#include "bots/process.h"

#include "base/clock.h"
#include "base/error.h"
#include "bots/process_tree.h"
#include "bots/fork_server.h"

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
    MAX_STALE_BYTES = 1 << 20,  /* thrown away before a question; more is a flood */
    MAX_LOGGED_BYTES = 1 << 24, /* of one process */
    GRACE_MS = 200,             /* to end by itself once its input is closed */
    LOOK_UP_MS = 50,            /* to see whether somebody wants to stop */
    ROOM_FOR_ERRORS = 2 * PROCESS_ERRORS_KEPT,
};

/* ---- reading and writing ------------------------------------------------------------------ */

/* As read, but a signal does not end it. */
static ssize_t read_some(int fd, void *bytes, size_t room)
{
    ssize_t length;
    while ((length = read(fd, bytes, room)) < 0 && errno == EINTR)
        ;
    return length;
}

/* Writes what fits: how much, or -1 with errno if nothing does. */
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

/* As write_some, to a bot. That it may be gone must not end a program that uses the library and has
 * not thought of SIGPIPE. */
static ssize_t write_to_bot(int fd, const void *bytes, size_t n_bytes)
{
    sigset_t pipe_signal, before, pending;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    bool    was_pending = sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
    ssize_t length = write_some(fd, bytes, n_bytes);
    int     why = errno;
    if (length < (ssize_t)n_bytes && !was_pending) /* a part may have been written before it went */
        while (sigtimedwait(&pipe_signal, NULL, &(struct timespec){0}) < 0 && errno == EINTR)
            ;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = why;
    return length;
}

/* ---- starting ----------------------------------------------------------------------------- */

typedef struct Pipes {
    int to[2], from[2], errors[2], failure[2]; /* the last tells why exec failed */
} Pipes;

static bool open_pipes(Pipes *pipes)
{
    int(*all[])[2] = {&pipes->to, &pipes->from, &pipes->errors, &pipes->failure};
    for (int i = 0; i < 4; i++)
        if (pipe2(*all[i], O_CLOEXEC) != 0) {
            while (i-- > 0) {
                close((*all[i])[0]);
                close((*all[i])[1]);
            }
            return false;
        }
    return true;
}

/* What a child needs to become a bot. */
typedef struct Birth {
    const Pipes *pipes;
    char *const *words, *const *environment;
    const ProcessTerms *terms;
    bool                has_monitor;
    pid_t               parent;
} Birth;

/* In the child, between fork and exec: only what is safe there in a program with threads. Its
 * memory is limited here only if the warden will not do it: by the kernel's count, which knows no
 * families, programs that reserve much and use little would come off badly. */
static void become(void *context)
{
    const Birth        *birth = context;
    const Pipes        *pipes = birth->pipes;
    const ProcessTerms *terms = birth->terms;
    sigset_t            empty;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != birth->parent)
        _exit(127); /* the arena died in between */
    sigemptyset(&empty);
    sigprocmask(SIG_SETMASK, &empty, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0});
    rlim_t cpu_seconds = (rlim_t)terms->max_cpu_seconds, n_bytes = (rlim_t)terms->max_mib << 20;
    if (cpu_seconds > 0)
        (void)setrlimit(
            RLIMIT_CPU,
            &(struct rlimit){cpu_seconds, cpu_seconds + 1}); /* a signal that tells, first */
    if (n_bytes > 0 && !birth->has_monitor)
        (void)setrlimit(RLIMIT_DATA, &(struct rlimit){n_bytes, n_bytes});
    /* Away from 0 to 2 first, where they may be if the arena itself was started without. */
    int failure = fcntl(pipes->failure[1], F_DUPFD_CLOEXEC, 3),
        ends[3] = {pipes->to[0], pipes->from[1], pipes->errors[1]};
    bool is_good = failure >= 0;
    for (int i = 0; i < 3 && is_good; i++)
        is_good = (ends[i] = fcntl(ends[i], F_DUPFD_CLOEXEC, 3)) >= 0;
    is_good = is_good && (!terms->folder || chdir(terms->folder) == 0);
    for (int i = 0; i < 3 && is_good; i++)
        is_good = dup2(ends[i], i) == i;
    if (is_good)
        execve(birth->words[0], birth->words, birth->environment);
    int why = errno;
    write_some(failure >= 0 ? failure : pipes->failure[1], &why, sizeof why);
    _exit(127);
}

/* Our environment and the token, by which the whole family can be found. Only the array is to be
 * freed. */
static char **environment_with(char *token)
{
    size_t n = 0;
    while (environ[n])
        n++;
    char **copy = calloc(n + 2, sizeof *copy);
    if (copy) {
        memcpy(copy, environ, n * sizeof *copy);
        copy[n] = token;
    }
    return copy;
}

static void set_nonblocking(int fd) { fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK); }

/* Why the child could not become the bot; 0 if it did. */
static int read_failure(int fd)
{
    int    why = 0;
    size_t n_read = 0;
    for (ssize_t length; n_read < sizeof why &&
                         (length = read_some(fd, (char *)&why + n_read, sizeof why - n_read)) > 0;)
        n_read += (size_t)length;
    return n_read < sizeof why ? 0 : why;
}

/* There is no process, or there is no use for it. */
static void give_up(Process *process)
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
    process->to = process->from = process->errors = process->death = -1;
}

/* The ends that are ours, of pipes whose others a process has now. */
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

bool process_start(Process *process, char *const *words, const ProcessTerms *terms,
                   TurfError *error)
{
    Pipes pipes;
    clear(process);
    process_tree_begin(process->token);
    process->inbox = malloc(PROCESS_MAX_LINE + 1);
    process->error_text = malloc(ROOM_FOR_ERRORS + 1);
    char **environment = environment_with(process->token);
    if (!process->inbox || !process->error_text || !environment || !open_pipes(&pipes)) {
        int why = errno;
        free(environment);
        give_up(process);
        return error_system(error, why, "a bot cannot be started: %s%s", strerror(why),
                            remedy(why));
    }
    process->error_text[0] = '\0';
    process->log = terms->log;
    Birth birth = {.pipes = &pipes,
                   .words = words,
                   .environment = environment,
                   .terms = terms,
                   .has_monitor = resource_monitor_works(),
                   .parent = getpid()};
    pid_t pid = fork_server_fork(become, &birth);
    int   why = errno;
    free(environment);
    process->pid = pid;
    keep_ends(process, &pipes);
    if (pid > 0) {
        setpgid(pid, pid);
        process->death =
            (int)syscall(SYS_pidfd_open, pid, 0); /* not every C library has it by name */
        set_nonblocking(process->to);
        set_nonblocking(process->from);
        set_nonblocking(process->errors);
        why = read_failure(pipes.failure[0]);
    }
    close(pipes.failure[0]);
    if (pid > 0 && why == 0) {
        process->ward = resource_monitor_watch(pid, terms->max_mib, terms->max_processes);
        return true;
    }
    give_up(process);
    return error_system(error, why, "%s cannot be run%s%s: %s%s", words[0],
                        terms->folder ? " in " : "", terms->folder ? terms->folder : "",
                        strerror(why), remedy(why));
}

/* Somebody who knocks until then, or -1 with errno; 0 there: nobody did. */
static int wait_at_door(int listener, int64_t deadline_ns, const atomic_bool *stop)
{
    for (int64_t now_ns; (now_ns = clock_ns()) < deadline_ns && !(stop && atomic_load(stop));) {
        struct pollfd door = {.fd = listener, .events = POLLIN};
        if (poll(&door, 1, LOOK_UP_MS) > 0) {
            int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
            if (connection >= 0 || (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED))
                return connection;
        }
        deadline_ns += clock_lost_ns(now_ns, LOOK_UP_MS * INT64_C(1000000));
    }
    errno = 0;
    return -1;
}

bool process_accept(Process *process, int listener, int64_t deadline_ns, const atomic_bool *stop,
                    TurfError *error)
{
    clear(process);
    /* All that may be wanting is there before the door is opened: whoever came in would be lost. */
    process->inbox = malloc(PROCESS_MAX_LINE + 1);
    process->to = process->inbox ? fcntl(listener, F_DUPFD_CLOEXEC, 3) : -1;
    process->from = process->to >= 0 ? wait_at_door(listener, deadline_ns, stop) : -1;
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

/* ---- talking ------------------------------------------------------------------------------ */

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void cut_to_tail(Process *process)
{
    size_t overflow = process->n_error_text > PROCESS_ERRORS_KEPT
                          ? process->n_error_text - PROCESS_ERRORS_KEPT
                          : 0;
    memmove(process->error_text, process->error_text + overflow, process->n_error_text - overflow);
    process->n_error_text -= overflow;
    process->error_text[process->n_error_text] = '\0';
}

/* Keeps the last of a text that may be without end, and come byte by byte: there is room for twice
 * as much, so that it is moved seldom. */
static void keep_tail(Process *process, const char *text, size_t length)
{
    if (process->n_error_text + length > ROOM_FOR_ERRORS)
        cut_to_tail(process);
    memcpy(process->error_text + process->n_error_text, text, length);
    process->n_error_text += length;
}

/* One helping, so that a flood on one pipe cannot keep us from the others or from the clock. False
 * if there was nothing. */
static bool read_errors(Process *process)
{
    char    text[4096];
    ssize_t length = read_some(process->errors, text, sizeof text);
    if (length > 0) {
        keep_tail(process, text, (size_t)length);
        if (process->log > 0 && process->n_logged < MAX_LOGGED_BYTES)
            write_some(process->log, text, (size_t)length);
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
                               PROCESS_MAX_LINE - process->n_inbox);
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
        process->n_inbox = 0; /* the question is not even written yet, so this is no answer to it */
    } else if (end) {
        *end = '\0';
        process->n_line = (size_t)(end - process->inbox);
        settle(process, clock_ns() <= process->deadline_ns ? PROCESS_ANSWERED : PROCESS_LATE);
    } else if (process->n_inbox >= PROCESS_MAX_LINE) {
        settle(process, PROCESS_FLOODS);
    }
}

static void write_question(Process *process)
{
    ssize_t length = write_to_bot(process->to, process->question, process->n_question);
    if (length > 0) {
        process->n_question -= (size_t)length;
        memmove(process->question, process->question + length, process->n_question);
    } else if (length < 0 && errno != EAGAIN) {
        close_end(&process->to); /* that it has ended is seen where it is read */
    }
}

void process_ask(Process *process, char *question, int64_t deadline_ns, const atomic_bool *stop)
{
    char   stale[4096];
    size_t n_stale = 0;
    process->answer = PROCESS_WAITS;
    process->n_inbox = 0;
    process->asked_ns = clock_ns();
    process->deadline_ns = deadline_ns;
    process->stop = stop;
    for (ssize_t length; n_stale < MAX_STALE_BYTES && process->from >= 0 &&
                         (length = read_some(process->from, stale, sizeof stale)) > 0;)
        n_stale += (size_t)length;
    if (n_stale >= MAX_STALE_BYTES)
        settle(process, PROCESS_FLOODS);
    free(process->question);
    process->question = question;
    process->n_question = strlen(question);
    if (process->from < 0)
        settle(process, PROCESS_GONE);
    else if (process->to >= 0)
        write_question(process);
}

/* The descriptors of one process; returns how many. */
static nfds_t watch(const Process *process, struct pollfd *fds)
{
    nfds_t n = 0;
    fds[n++] = (struct pollfd){.fd = process->from, .events = POLLIN};
    if (process->errors >= 0)
        fds[n++] = (struct pollfd){.fd = process->errors, .events = POLLIN};
    if (process->to >= 0 && process->n_question > 0)
        fds[n++] = (struct pollfd){.fd = process->to, .events = POLLOUT};
    if (process->death >= 0)
        fds[n++] = (struct pollfd){.fd = process->death, .events = POLLIN};
    return n;
}

/* It has ended. A child of it may keep its output open, but will not answer for it; what it wrote
 * before still counts. */
static void note_death(Process *process)
{
    size_t before;
    do {
        before = process->n_inbox;
        read_output(process);
    } while (process->answer == PROCESS_WAITS && process->n_inbox > before);
    if (process->answer == PROCESS_WAITS)
        settle(process, PROCESS_GONE);
}

static void attend(Process *process, const struct pollfd *fds, nfds_t n)
{
    for (nfds_t i = 0; i < n && process->answer == PROCESS_WAITS; i++) {
        if (!fds[i].revents)
            continue;
        if (fds[i].fd == process->from)
            read_output(process);
        else if (fds[i].fd == process->errors)
            read_errors(process);
        else if (fds[i].fd == process->death)
            note_death(process);
        else
            write_question(process);
    }
    bool is_stopped = process->stop && atomic_load_explicit(process->stop, memory_order_relaxed);
    if (process->answer == PROCESS_WAITS && (is_stopped || clock_ns() >= process->deadline_ns))
        settle(process, PROCESS_LATE);
}

/* Time in which the arena did not run is not the bot's. */
static void give_back(Process *process, int64_t lost_ns)
{
    process->asked_ns += lost_ns;
    if (process->deadline_ns < INT64_MAX - lost_ns)
        process->deadline_ns += lost_ns;
}

void process_wait(Process *const *processes, size_t n_processes)
{
    enum { MAX = 2, FDS_EACH = 4, LOOK_UP_NS = LOOK_UP_MS * 1000000 };
    for (;;) {
        struct pollfd fds[MAX * FDS_EACH];
        nfds_t        n_fds = 0, first[MAX], count[MAX];
        int64_t       nearest_ns = INT64_MAX;
        for (size_t i = 0; i < n_processes && i < MAX; i++) {
            first[i] = n_fds;
            count[i] = processes[i]->answer == PROCESS_WAITS ? watch(processes[i], fds + n_fds) : 0;
            n_fds += count[i];
            if (count[i] && processes[i]->deadline_ns < nearest_ns)
                nearest_ns = processes[i]->deadline_ns;
        }
        if (n_fds == 0)
            return;
        int64_t now_ns = clock_ns(), left_ns = nearest_ns - now_ns;
        left_ns = left_ns < 0 ? 0 : left_ns < LOOK_UP_NS ? left_ns : LOOK_UP_NS;
        if (ppoll(fds, n_fds, &(struct timespec){.tv_nsec = (long)left_ns}, NULL) < 0)
            for (nfds_t i = 0; i < n_fds; i++)
                fds[i].revents = 0; /* interrupted: only the clock counts */
        int64_t lost_ns = clock_lost_ns(now_ns, left_ns);
        for (size_t i = 0; i < n_processes && i < MAX; i++)
            if (count[i]) {
                give_back(processes[i], lost_ns);
                attend(processes[i], fds + first[i], count[i]);
            }
    }
}

const char *process_line(const Process *process, size_t *length)
{
    *length = process->n_line;
    return process->inbox;
}

void process_tell(Process *process, const char *text)
{
    if (process->to >= 0)
        write_to_bot(process->to, text, strlen(text));
}

/* ---- stopping ----------------------------------------------------------------------------- */

/* Waits for a process to end, so long and no longer; what it still says on standard error is read
 * meanwhile. */
static bool ends_within(Process *process, int64_t patience_ms)
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

static bool has_ended(Process *process, int patience_ms, int *status)
{
    pid_t ended = -1;
    if (!ends_within(process, patience_ms))
        return false;
    do {
        ended = waitpid(process->pid, status, WNOHANG);
    } while (ended < 0 && errno == EINTR);
    return ended == process->pid;
}

bool process_leaves(Process *process, int64_t patience_ms)
{
    close_end(&process->to);
    return ends_within(process, patience_ms);
}

bool process_has_ended(const Process *process)
{
    bool          is_child = process->pid > 0;
    struct pollfd end = {.fd = is_child ? process->death : process->from,
                         .events = is_child ? POLLIN : POLLRDHUP};
    return process->from < 0 || (end.fd >= 0 && poll(&end, 1, 0) > 0);
}

int process_stop(Process *process)
{
    enum { MAX_LAST_HELPINGS = 256, PATIENCE_AFTER_KILL_MS = 1000 };
    int status = -1;
    process->breach = resource_monitor_release(process->ward);
    process->ward = NULL;
    close_end(&process->to);
    if (process->pid > 0) {
        bool may_end = process->answer != PROCESS_LATE && process->answer != PROCESS_FLOODS;
        bool is_done = may_end && has_ended(process, GRACE_MS, &status);
        kill(-process->pid, SIGKILL);
        if (!is_done) {
            kill(process->pid, SIGKILL); /* it may have left its group for another */
            has_ended(process, PATIENCE_AFTER_KILL_MS, &status);
            status = -1;
        }
        for (int i = 0; i < MAX_LAST_HELPINGS && process->errors >= 0 && read_errors(process); i++)
            ;
        process_tree_end(process->token);
    }
    if (process->error_text)
        cut_to_tail(process);
    close_end(&process->from);
    close_end(&process->errors);
    close_end(&process->death);
    free(process->question);
    free(process->inbox);
    process->question = process->inbox = NULL;
    process->pid = 0;
    return status;
}
