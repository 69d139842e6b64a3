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

enum { LOOK_EVERY_MS = 20, MAX_PENDING = 4096 };

struct Ward {
    pid_t       pid;
    int64_t     max_bytes, max_processes;
    LimitBreach breach;
    Ward       *next;
};

/* One thread serves all bots of the program, so what it shares with them is global. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t  has_wards = PTHREAD_COND_INITIALIZER;
static Ward           *wards;
static bool            is_on_duty;

/* ---- what a family uses ------------------------------------------------------------------- */

typedef struct ProcessTree {
    pid_t   pending[MAX_PENDING]; /* not yet looked at */
    size_t  n_pending;
    int64_t n_processes, n_bytes;
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

static int64_t kib_after(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    return at ? strtoll(at + strlen(name), NULL, 10) : 0;
}

/* Memory that is the process's own, and what it shares with others of its family, but not what is
 * in files anyway. */
static int64_t bytes_of(pid_t pid)
{
    char path[40], text[8192];
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    if (!read_small(path, text, sizeof text))
        return 0;
    return (kib_after(text, "\nRssAnon:") + kib_after(text, "\nRssShmem:")) * 1024;
}

static LimitBreach breach_of(const Ward *ward, ProcessTree *tree)
{
    *tree = (ProcessTree){.pending[0] = ward->pid, .n_pending = 1};
    while (tree->n_pending > 0) {
        pid_t pid = tree->pending[--tree->n_pending];
        tree->n_processes++;
        tree->n_bytes += bytes_of(pid);
        if (ward->max_bytes > 0 && tree->n_bytes > ward->max_bytes)
            return TOO_MUCH_MEMORY;
        if (ward->max_processes > 0 && tree->n_processes > ward->max_processes)
            return TOO_MANY_PROCESSES;
        add_children(tree, pid);
    }
    return WITHIN_LIMITS;
}

/* ---- the thread --------------------------------------------------------------------------- */

static void *stand_guard(void *unused)
{
    static ProcessTree tree;
    (void)unused;
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!wards)
            pthread_cond_wait(&has_wards, &lock);
        for (Ward *ward = wards; ward; ward = ward->next) {
            if (ward->breach == WITHIN_LIMITS)
                ward->breach = breach_of(ward, &tree);
            if (ward->breach != WITHIN_LIMITS) {
                kill(-ward->pid, SIGKILL);
                kill(ward->pid, SIGKILL);
            }
        }
        pthread_mutex_unlock(&lock);
        nanosleep(&(struct timespec){.tv_nsec = LOOK_EVERY_MS * 1000000}, NULL);
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

Ward *resource_monitor_watch(pid_t pid, int64_t max_mib, int64_t max_processes)
{
    Ward *ward = (max_mib > 0 || max_processes > 0) && resource_monitor_works()
                     ? calloc(1, sizeof *ward)
                     : NULL;
    if (!ward)
        return NULL;
    ward->pid = pid;
    ward->max_bytes = max_mib << 20;
    ward->max_processes = max_processes;
    pthread_mutex_lock(&lock);
    is_on_duty = is_on_duty || quiet_thread_start(stand_guard);
    bool is_good = is_on_duty;
    if (is_good) {
        ward->next = wards;
        wards = ward;
        pthread_cond_signal(&has_wards);
    }
    pthread_mutex_unlock(&lock);
    if (!is_good)
        free(ward);
    return is_good ? ward : NULL;
}

LimitBreach resource_monitor_release(Ward *ward)
{
    if (!ward)
        return WITHIN_LIMITS;
    pthread_mutex_lock(&lock);
    for (Ward **at = &wards; *at; at = &(*at)->next)
        if (*at == ward) {
            *at = ward->next;
            break;
        }
    pthread_mutex_unlock(&lock);
    LimitBreach breach = ward->breach;
    free(ward);
    return breach;
}
