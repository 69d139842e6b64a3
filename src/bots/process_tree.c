#include "bots/process_tree.h"

#include "base/clock.h"
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
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What follows is also called by the guard, in a child of a program with threads, where no memory
 * may be asked for. */

/* Does a process carry a token that begins like this in its environment? */
static bool is_of_tree(const char *pid, const char *token)
{
    char   path[64], text[4096];
    size_t n_alike = 0; /* characters of this entry that are the token's */
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

/* Kills those of the family that are in this part of the list of processes. Returns whether there
 * were any. */
static bool kill_listed(const char *list, ssize_t length, const char *token)
{
    bool is_found = false;
    for (ssize_t at = 0; at < length;) {
        const struct dirent *entry = (const void *)(list + at);
        at += entry->d_reclen;
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9' || !is_of_tree(entry->d_name, token))
            continue;
        is_found = true;
        kill((pid_t)atol(entry->d_name), SIGKILL);
    }
    return is_found;
}

void process_tree_end(const TreeToken token)
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
        if (is_found)
            nanosleep(&(struct timespec){.tv_nsec = 2000000},
                      NULL); /* the dying still have an environment */
    }
}

/* ---- the guard ---------------------------------------------------------------------------- */

/* One for the whole program. The tokens of all its bots begin alike, so that the guard need not be
 * told of each. */
static pthread_once_t is_begun = PTHREAD_ONCE_INIT;
static TreeToken      common;
static pid_t          watchdog;
static int            lifeline[2]; /* nobody writes to it; its end is that of the program */

static uint64_t any_number(void)
{
    uint64_t number = 0;
    if (getentropy(&number, sizeof number) !=
        0) /* never the same twice: families with one token end together */
        number = (uint64_t)getpid() << 40 ^ (uint64_t)clock_ns();
    return number;
}

/* In a child that lives on without exec: signals are blocked, as in the thread it comes from. It
 * keeps nothing open that somebody may wait to see closed. */
static void stand_guard(void *unused)
{
    (void)unused;
    char byte;
    setsid(); /* what is meant for the terminal's processes is not for this one */
    dup2(lifeline[0], 0);
    close(lifeline[1]);
    if (syscall(SYS_close_range, 1, ~0U, 0) != 0) /* a kernel before 5.9 */
        for (int fd = (int)sysconf(_SC_OPEN_MAX) < 4096 ? (int)sysconf(_SC_OPEN_MAX) : 4096; fd > 0;
             fd--)
            close(fd);
    while (read(0, &byte, 1) < 0 && errno == EINTR)
        ;
    process_tree_end(common);
    _exit(0);
}

static void begin(void)
{
    snprintf(common, sizeof common, "TURF_BOT=%016llx", (unsigned long long)any_number());
    if (pipe2(lifeline, O_CLOEXEC) == 0) {
        watchdog = fork_server_fork(stand_guard, NULL);
        close(lifeline[0]);
    }
}

__attribute__((destructor)) static void dismiss(void)
{
    if (watchdog > 0) {
        close(lifeline[1]);
        while (waitpid(watchdog, NULL, 0) < 0 && errno == EINTR)
            ;
    }
}

void process_tree_begin(TreeToken token)
{
    pthread_once(&is_begun, begin);
    snprintf(token, sizeof(TreeToken), "%.26s.%08x", common, (unsigned)any_number());
}
