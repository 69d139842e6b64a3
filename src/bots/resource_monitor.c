/* The resource monitor.
 *
 * Thread safety: one thread serves all bots; `lock` guards the list of entries and their fields.
 * The thread holds it while it looks at /proc, so an entry that is released is never killed later.
 */
#include "bots/resource_monitor.h"

#include "base/background_thread.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PERIOD_MS = 20, MAX_PENDING = 4096 };

struct MonitorEntry {
    pid_t         pid;
    int64_t       max_bytes, max_processes;
    LimitBreach   breach;
    MonitorEntry *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t  has_entries = PTHREAD_COND_INITIALIZER;
static MonitorEntry   *entries;
static bool            is_running;

/* ---- what a process tree uses ------------------------------------------------------------- */

typedef struct ProcessTree {
    pid_t   pending[MAX_PENDING]; /* not yet looked at */
    size_t  n_pending;
    int64_t n_processes, n_bytes; /* threads count as processes */
} ProcessTree;

/* The text of a small file under /proc; false if it is gone. */
static bool read_small(const char *path, char *text, size_t room)
{
    int     fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd >= 0 ? read(fd, text, room - 1) : -1;
    if (fd >= 0)
        close(fd);
    if (length < 0)
        return false;
    text[length] = '\0';
    return true;
}

static void add_children_of_thread(ProcessTree *tree, pid_t pid, const char *thread)
{
    char path[80], text[8192], *at = text, *end;
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", (int)pid, thread);
    if (!read_small(path, text, sizeof text))
        return;
    for (long child;
         (child = strtol(at, &end, 10)) > 0 && end > at && tree->n_pending < MAX_PENDING; at = end)
        tree->pending[tree->n_pending++] = (pid_t)child;
}

static void add_children(ProcessTree *tree, pid_t pid)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *threads = opendir(path);
    for (struct dirent *thread; threads && (thread = readdir(threads));)
        if (isdigit((unsigned char)thread->d_name[0]))
            add_children_of_thread(tree, pid, thread->d_name);
    if (threads)
        closedir(threads);
}

static int64_t number_after(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    return at ? strtoll(at + strlen(name), NULL, 10) : 0;
}

/* Counts a process: its threads, and the memory that is its own or shared with others of its tree,
 * but not what is in files anyway. One that is gone counts for nothing. */
static void add_process(ProcessTree *tree, pid_t pid)
{
    char path[40], text[8192];
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    if (!read_small(path, text, sizeof text))
        return;
    tree->n_processes += number_after(text, "\nThreads:");
    tree->n_bytes += (number_after(text, "\nRssAnon:") + number_after(text, "\nRssShmem:")) * 1024;
}

static LimitBreach breach_of(const MonitorEntry *entry, ProcessTree *tree)
{
    *tree = (ProcessTree){.pending[0] = entry->pid, .n_pending = 1};
    while (tree->n_pending > 0) {
        pid_t pid = tree->pending[--tree->n_pending];
        add_process(tree, pid);
        if (entry->max_bytes > 0 && tree->n_bytes > entry->max_bytes)
            return TOO_MUCH_MEMORY;
        if (entry->max_processes > 0 && tree->n_processes > entry->max_processes)
            return TOO_MANY_PROCESSES;
        add_children(tree, pid);
    }
    return WITHIN_LIMITS;
}

/* ---- the thread --------------------------------------------------------------------------- */

static void *monitor(void *unused)
{
    static ProcessTree tree;
    (void)unused;
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!entries)
            pthread_cond_wait(&has_entries, &lock);
        for (MonitorEntry *entry = entries; entry; entry = entry->next) {
            if (entry->breach == WITHIN_LIMITS)
                entry->breach = breach_of(entry, &tree);
            if (entry->breach != WITHIN_LIMITS) {
                kill(-entry->pid, SIGKILL);
                kill(entry->pid, SIGKILL);
            }
        }
        pthread_mutex_unlock(&lock);
        nanosleep(&(struct timespec){.tv_nsec = PERIOD_MS * 1000000}, NULL);
        pthread_mutex_lock(&lock);
    }
    return NULL;
}

bool resource_monitor_works(void)
{
    char path[80];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)getpid(), (int)getpid());
    return access(path, R_OK) == 0;
}

MonitorEntry *resource_monitor_watch(pid_t pid, int64_t max_mib, int64_t max_processes)
{
    MonitorEntry *entry = (max_mib > 0 || max_processes > 0) && resource_monitor_works()
                              ? calloc(1, sizeof *entry)
                              : NULL;
    if (!entry)
        return NULL;
    entry->pid = pid;
    entry->max_bytes = max_mib << 20;
    entry->max_processes = max_processes;
    pthread_mutex_lock(&lock);
    is_running = is_running || background_thread_start(monitor);
    bool is_good = is_running;
    if (is_good) {
        entry->next = entries;
        entries = entry;
        pthread_cond_signal(&has_entries);
    }
    pthread_mutex_unlock(&lock);
    if (!is_good)
        free(entry);
    return is_good ? entry : NULL;
}

LimitBreach resource_monitor_release(MonitorEntry *entry)
{
    if (!entry)
        return WITHIN_LIMITS;
    pthread_mutex_lock(&lock);
    for (MonitorEntry **at = &entries; *at; at = &(*at)->next)
        if (*at == entry) {
            *at = entry->next;
            break;
        }
    pthread_mutex_unlock(&lock);
    LimitBreach breach = entry->breach;
    free(entry);
    return breach;
}
