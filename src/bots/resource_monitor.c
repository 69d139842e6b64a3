/* The resource monitor.
 *
 * Thread safety: one thread serves all bots; `lock` guards the list of entries and their fields.
 * The thread holds it while it looks at /proc, so an entry that is released is never killed later.
 */
#include "bots/resource_monitor.h"

#include "base/background_thread.h"
#include "bots/process_tree.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PERIOD_MS = 20, MAX_PENDING = 4096 };

struct MonitorEntry {
    MonitorTerms  terms;
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
 * in memory or swapped out, and the page tables for it, but not what is in files anyway. One that
 * is gone counts for nothing. */
static void add_process(ProcessTree *tree, pid_t pid)
{
    static const char *const kinds[] = {
        "\nRssAnon:", "\nRssShmem:", "\nVmSwap:", "\nVmPTE:", "\nHugetlbPages:"};
    char path[40], text[8192];
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    if (!read_small(path, text, sizeof text))
        return;
    tree->n_processes += number_after(text, "\nThreads:");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        tree->n_bytes += number_after(text, kinds[i]) * 1024;
}

static LimitBreach breach_of(const MonitorTerms *terms, ProcessTree *tree)
{
    if (terms->cgroup >= 0)
        return cgroup_breach(terms->cgroup, terms->max_cpu_seconds);
    *tree = (ProcessTree){.pending[0] = terms->pid, .n_pending = 1};
    while (tree->n_pending > 0) {
        pid_t pid = tree->pending[--tree->n_pending];
        add_process(tree, pid);
        if (terms->max_mib > 0 && tree->n_bytes > terms->max_mib << 20)
            return TOO_MUCH_MEMORY;
        if (terms->max_processes > 0 && tree->n_processes > terms->max_processes)
            return TOO_MANY_PROCESSES;
        add_children(tree, pid);
    }
    return WITHIN_LIMITS;
}

int64_t resource_monitor_task_limit(int64_t max_processes)
{
    enum { MARGIN = 1000 };
    DIR    *all = max_processes > 0 && geteuid() != 0 ? opendir("/proc") : NULL;
    int64_t n_tasks = 0;
    if (!all)
        return 0;
    for (struct dirent *entry; (entry = readdir(all));) {
        char        path[300], text[8192];
        struct stat about;
        (void)snprintf(path, sizeof path, "/proc/%s/status", entry->d_name);
        if (isdigit((unsigned char)entry->d_name[0]) && stat(path, &about) == 0 &&
            about.st_uid == geteuid() && read_small(path, text, sizeof text))
            n_tasks += number_after(text, "\nThreads:");
    }
    closedir(all);
    return n_tasks + max_processes + MARGIN;
}

/* ---- the thread --------------------------------------------------------------------------- */

static void kill_tree(const MonitorTerms *terms)
{
    if (terms->cgroup >= 0)
        cgroup_kill(terms->cgroup);
    kill(-terms->pid, SIGKILL);
    kill(terms->pid, SIGKILL);
}

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
                entry->breach = breach_of(&entry->terms, &tree);
            if (entry->breach != WITHIN_LIMITS)
                kill_tree(&entry->terms);
        }
        (void)process_tree_kill_loose();
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

MonitorEntry *resource_monitor_watch(const MonitorTerms *terms)
{
    bool          has_limits = terms->max_mib > 0 || terms->max_processes > 0;
    bool          can_look = terms->cgroup >= 0 || resource_monitor_works();
    MonitorEntry *entry = has_limits && can_look ? calloc(1, sizeof *entry) : NULL;
    if (!entry)
        return NULL;
    entry->terms = *terms;
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
    if (breach == WITHIN_LIMITS && entry->terms.cgroup >= 0) /* since the last look */
        breach = cgroup_breach(entry->terms.cgroup, entry->terms.max_cpu_seconds);
    free(entry);
    return breach;
}
