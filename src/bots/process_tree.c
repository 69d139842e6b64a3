/* Process trees, and the watchdog.
 *
 * The watchdog is a child that waits for the end of a pipe that only this program holds open, and
 * then kills everything with this program's token. The tokens of all bots begin with it, so the
 * watchdog need not be told of each bot.
 *
 * process_tree_kill also runs in the watchdog, a fork of a program with threads: it must not
 * allocate memory. */
#include "bots/process_tree.h"

#include "base/clock.h"
#include "bots/cgroup.h"
#include "bots/fork_server.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Does the environment of a process hold a token that begins like this? */
static bool has_token(const char *pid, const char *token)
{
    char   path[64], text[4096];
    size_t n_alike = 0; /* characters of this entry that match the token */
    bool   is_other = false;
    (void)snprintf(path, sizeof path, "/proc/%.20s/environ", pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    for (ssize_t length; token[n_alike] && (length = read(file, text, sizeof text)) != 0;) {
        if (length < 0 && errno != EINTR)
            break;
        for (ssize_t i = 0; i < length && token[n_alike]; i++) {
            is_other = text[i] && (is_other || text[i] != token[n_alike]);
            n_alike = text[i] && !is_other ? n_alike + 1 : 0;
        }
    }
    close(file);
    return !token[n_alike];
}

/* Kills the listed processes that carry the token. Returns whether there were any. */
static bool kill_listed(const char *list, ssize_t length, const char *token)
{
    bool is_found = false;
    for (ssize_t at = 0; at < length;) {
        const struct dirent *entry = (const void *)(list + at);
        at += entry->d_reclen;
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9' || !has_token(entry->d_name, token))
            continue;
        is_found = true;
        kill((pid_t)atol(entry->d_name), SIGKILL);
    }
    return is_found;
}

void process_tree_kill(const TreeToken token)
{
    enum { MAX_ROUNDS = 20 };
    _Alignas(struct dirent) char list[8192];
    bool                         is_found = true;
    for (int round = 0; is_found && round < MAX_ROUNDS; round++) {
        int folder = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        is_found = false;
        for (ssize_t length;
             folder >= 0 && (length = syscall(SYS_getdents64, folder, list, sizeof list)) > 0;)
            is_found = kill_listed(list, length, token) || is_found;
        if (folder >= 0)
            close(folder);
        is_found = process_tree_kill_loose() || is_found;
        if (is_found)
            nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL); /* until they are gone */
    }
}

/* ---- processes that came loose ------------------------------------------------------------ */

static char children_of_main[64]; /* a path under /proc; empty: nobody is adopted */

/* Not if there are children already, which somebody else has made. */
void process_tree_adopt(void)
{
    char path[64], byte;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)getpid(), (int)getpid());
    int  file = open(path, O_RDONLY | O_CLOEXEC);
    bool is_childless = file >= 0 && read(file, &byte, 1) == 0;
    if (file >= 0)
        close(file);
    if (is_childless && prctl(PR_SET_CHILD_SUBREAPER, 1) == 0)
        memcpy(children_of_main, path, sizeof path);
}

/* The children of the main thread are adopted ones, since the fork server's thread forks all
 * others. */
bool process_tree_kill_loose(void)
{
    bool    is_found = false;
    char    text[4096], *end;
    int     file = *children_of_main ? open(children_of_main, O_RDONLY | O_CLOEXEC) : -1;
    ssize_t length = file >= 0 ? read(file, text, sizeof text - 1) : 0;
    if (file >= 0)
        close(file);
    text[length > 0 ? length : 0] = '\0';
    for (char *at = text; *at; at = end) {
        pid_t pid = (pid_t)strtol(at, &end, 10);
        if (end == at || *end != ' ') /* a number may be cut off */
            break;
        kill(pid, SIGKILL);
        is_found = waitpid(pid, NULL, WNOHANG) == 0 || is_found;
    }
    return is_found;
}

/* ---- the watchdog ------------------------------------------------------------------------- */

static pthread_once_t is_begun = PTHREAD_ONCE_INIT;
static TreeToken      common; /* the beginning of all tokens */
static pid_t          watchdog;
static int            lifeline[2]; /* never written to; it ends when this program does */

static uint64_t any_number(void)
{
    uint64_t number = 0;
    if (getentropy(&number, sizeof number) != 0) /* bots with one token would be killed together */
        number = (uint64_t)getpid() << 40 ^ (uint64_t)clock_ns();
    return number;
}

/* Runs in a child without exec. Signals are blocked, as in the fork server's thread. It closes all
 * descriptors, since others may wait for them to be closed. */
static void run_watchdog(void *unused)
{
    (void)unused;
    char byte;
    setsid();                   /* the terminal's signals are not for this process */
    children_of_main[0] = '\0'; /* they are not ours */
    dup2(lifeline[0], 0);
    close(lifeline[1]);
    cgroups_keep(1);
    if (syscall(SYS_close_range, 3, ~0U, 0) != 0) /* a kernel before 5.9 */
        for (int fd = 3; fd < 4096 && fd < (int)sysconf(_SC_OPEN_MAX); fd++)
            close(fd);
    while (read(0, &byte, 1) < 0 && errno == EINTR)
        ;
    process_tree_kill(common);
    cgroups_end();
    _exit(0);
}

static void start_watchdog(void)
{
    snprintf(common, sizeof common, "TURF_BOT=%016llx", (unsigned long long)any_number());
    if (pipe2(lifeline, O_CLOEXEC) == 0) {
        watchdog = fork_server_fork(&(ForkRequest){.run = run_watchdog, .cgroup = -1});
        close(lifeline[0]);
    }
}

__attribute__((destructor)) static void stop_watchdog(void)
{
    if (watchdog > 0) {
        close(lifeline[1]);
        while (waitpid(watchdog, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    cgroups_end();
}

void process_tree_token(TreeToken token)
{
    pthread_once(&is_begun, start_watchdog);
    snprintf(token, sizeof(TreeToken), "%.26s.%08x", common, (unsigned)any_number());
}
