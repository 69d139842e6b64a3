/* clang-format off */
/* Put between turf and the system (LD_PRELOAD) by './do check-hostile': a system that is as unkind
 * as it may be. What TURF_HOSTILE says is done to turf and to the C tests, and to no other program
 * that they start:
 *
 *   bytes     the pipes and sockets of bots take and give one byte at a time
 *   signals   every system call that a signal can interrupt is, every other time; and a signal
 *             really comes a thousand times a second where bots are run
 *   suspend   while a thread waits, hours may pass: the program was stopped, or its machine slept.
 *             Each thread loses hours of its own, or one that naps would take them from all that
 *             do not wait just then
 *   leaps     hours may pass at any time
 *   wall      the time of day is now this, now that
 *
 * What it does is what POSIX and Linux allow: the monotonic clock never goes back, files are read
 * and written whole. */
/* clang-format on */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- configuration ------------------------------------------------------------------------ */

static bool has_bytes, has_signals, has_suspend, has_leaps, has_wall;

static _Atomic int64_t       ahead_ns;  /* of the monotonic clock */
static _Thread_local int64_t slept_ns;  /* hours lost by this thread while it waited */
static _Atomic uint64_t      n_threads; /* so far; seeds their random numbers */

/* The seed determines each thread's faults, but not the order in which threads start. */
static uint64_t chance(uint64_t n)
{
    static _Thread_local uint64_t state;
    if (!state) {
        const char *seed = getenv("TURF_HOSTILE_SEED");
        state = 0x9e3779b97f4a7c15u * (1 + atomic_fetch_add(&n_threads, 1) +
                                       1000 * strtoull(seed ? seed : "1", NULL, 10));
    }
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 32) % n;
}

/* The real functions. Looked up all at once and early, since a child must not call dlsym between
 * fork and exec; but other libraries may run before us. */
#define REAL(name) static __typeof__(&name) real_##name;
#define FIND(name) *(void **)(void *)&real_##name = dlsym(RTLD_NEXT, #name);
/* clang-format off */
#define FOR_ALL(DO)                                                                                \
    DO(read) DO(write) DO(poll) DO(ppoll) DO(accept4) DO(nanosleep) DO(waitpid) DO(getrandom)      \
    DO(clock_gettime) DO(time) DO(pthread_cond_clockwait)
/* clang-format on */

ssize_t getrandom(void *buffer, size_t length, unsigned flags);
FOR_ALL(REAL)

static void find_all(void) { FOR_ALL(FIND) }

#define CALL(name) (real_##name ? real_##name : (find_all(), real_##name))

static void on_signal(int number) { (void)number; }

/* Without SA_RESTART, so that system calls are interrupted. */
static void send_signals(void)
{
    struct sigaction  action = {.sa_handler = on_signal};
    struct sigevent   event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 3};
    struct itimerspec every = {.it_interval.tv_nsec = 1000000, .it_value.tv_nsec = 1000000};
    timer_t           timer;
    if (sigaction(event.sigev_signo, &action, NULL) == 0 &&
        timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
        timer_settime(timer, 0, &every, NULL);
}

/* Other commands read their input through stdio and install no handlers that could interrupt it. */
static bool runs_bots(const char *name, const char *command)
{
    static const char *const those[] = {"match",  "tournament", "run",
                                        "resume", "check-bot",  "serve"};
    for (size_t i = 0; command && i < sizeof those / sizeof those[0]; i++)
        if (!strcmp(command, those[i]))
            return true;
    return !strncmp(name, "test_", 5);
}

__attribute__((constructor)) static void begin(int argc, char **argv)
{
    const char *wanted = getenv("TURF_HOSTILE"), *name = program_invocation_short_name;
    find_all();
    if (!wanted || (strcmp(name, "turf") && strncmp(name, "test_", 5)))
        return;
    has_bytes = strstr(wanted, "bytes");
    has_signals = strstr(wanted, "signals");
    has_suspend = strstr(wanted, "suspend");
    has_leaps = strstr(wanted, "leaps");
    has_wall = strstr(wanted, "wall");
    if (has_signals && runs_bots(name, argc > 1 ? argv[1] : NULL))
        send_signals();
}

/* ---- interruptions ------------------------------------------------------------------------ */

/* At random rather than alternating: otherwise in a loop of two calls the same one always fails. */
static bool is_interrupted(void)
{
    if (!has_signals || chance(2))
        return false;
    errno = EINTR;
    return true;
}

static void suspend(void)
{
    if (has_suspend && chance(8) == 0)
        slept_ns += (int64_t)(1 + chance(7200)) * 1000000000;
}

static int64_t all_ahead_ns(void) { return atomic_load(&ahead_ns) + slept_ns; }

int poll(struct pollfd *fds, nfds_t n_fds, int timeout)
{
    if (is_interrupted())
        return -1;
    int n = CALL(poll)(fds, n_fds, timeout);
    suspend();
    return n;
}

int ppoll(struct pollfd *fds, nfds_t n_fds, const struct timespec *timeout, const sigset_t *mask)
{
    if (is_interrupted())
        return -1;
    int n = CALL(ppoll)(fds, n_fds, timeout, mask);
    suspend();
    return n;
}

int nanosleep(const struct timespec *time_wanted, struct timespec *left)
{
    if (is_interrupted()) {
        if (left)
            *left = *time_wanted;
        return -1;
    }
    int result = CALL(nanosleep)(time_wanted, left);
    suspend();
    return result;
}

int accept4(int fd, __SOCKADDR_ARG address, socklen_t *length, int flags)
{
    return is_interrupted() ? -1 : CALL(accept4)(fd, address, length, flags);
}

pid_t waitpid(pid_t pid, int *status, int options)
{
    return is_interrupted() ? -1 : CALL(waitpid)(pid, status, options);
}

ssize_t getrandom(void *buffer, size_t length, unsigned flags)
{
    return is_interrupted() ? -1 : CALL(getrandom)(buffer, length, flags);
}

/* ---- one byte at a time ------------------------------------------------------------------- */

/* Not recv and send, which libmicrohttpd uses: with edge-triggered polling it may treat a short
 * read as the end of the available data. */
static size_t bite(int fd, size_t length)
{
    struct stat about;
    if (!has_bytes || length <= 1 || fstat(fd, &about) != 0)
        return length;
    return S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode) ? 1 : length;
}

/* Large output in larger pieces, or it would take minutes. */
static size_t mouthful(int fd, size_t length)
{
    enum { FLOOD = 4096, MOUTHFUL = 512 };
    int n_waiting = 0;
    if (bite(fd, length) == length || ioctl(fd, FIONREAD, &n_waiting) != 0 || n_waiting < FLOOD)
        return bite(fd, length);
    return length < MOUTHFUL ? length : MOUTHFUL;
}

ssize_t read(int fd, void *buffer, size_t length)
{
    return is_interrupted() ? -1 : CALL(read)(fd, buffer, mouthful(fd, length));
}

/* An eventfd, which libmicrohttpd uses, never waits, so no signal interrupts it. */
static bool never_waits(int fd)
{
    struct stat about;
    return fstat(fd, &about) == 0 && (about.st_mode & S_IFMT) == 0;
}

ssize_t write(int fd, const void *buffer, size_t length)
{
    return is_interrupted() && !never_waits(fd) ? -1 : CALL(write)(fd, buffer, bite(fd, length));
}

/* ---- clocks ------------------------------------------------------------------------------- */

static void add_ns(struct timespec *moment, int64_t ns)
{
    int64_t all_ns = moment->tv_nsec + ns % 1000000000;
    moment->tv_sec += ns / 1000000000 + (all_ns >= 1000000000) - (all_ns < 0);
    moment->tv_nsec = (all_ns + 1000000000) % 1000000000;
}

/* A random offset of up to ten years either way, different on each call. */
static int64_t off_by_seconds(void)
{
    enum { TEN_YEARS_S = 315360000 };
    return has_wall ? (int64_t)chance(2 * TEN_YEARS_S) - TEN_YEARS_S : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int result = CALL(clock_gettime)(clock, now);
    if (clock == CLOCK_REALTIME)
        now->tv_sec += off_by_seconds();
    if (clock != CLOCK_MONOTONIC)
        return result;
    if (has_leaps && chance(64) == 0)
        atomic_fetch_add(&ahead_ns, (int64_t)(1 + chance(7200)) * 1000000000);
    add_ns(now, all_ahead_ns());
    return result;
}

time_t time(time_t *now)
{
    time_t there = CALL(time)(NULL) + off_by_seconds();
    if (now)
        *now = there;
    return there;
}

/* All timed waits of turf use the monotonic clock: converts to the system's own time. */
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                           const struct timespec *until)
{
    struct timespec there = *until;
    add_ns(&there, -all_ahead_ns());
    return CALL(pthread_cond_clockwait)(condition, mutex, CLOCK_MONOTONIC, &there);
}
