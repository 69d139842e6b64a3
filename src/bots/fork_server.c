/* The fork server. It handles one request at a time.
 *
 * Thread safety: `lock` guards `task` and everything in it. The child inherits the lock taken,
 * so `run` must not come back here. */
#include "bots/fork_server.h"

#include "base/background_thread.h"

#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct Task {
    const ForkRequest *request;
    bool               is_done;
    pid_t              pid;
    int                error;
} Task;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t  changed = PTHREAD_COND_INITIALIZER;
static Task           *task; /* NULL: none */
static bool            is_running;

/* A process that is moved into a cgroup later waits for every processor, for milliseconds, so it is
 * made there. Where that cannot be (before Linux 5.7, or in some containers) it moves itself. */
static pid_t fork_into(const ForkRequest *request)
{
    struct clone_args how = {.flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD};
    if (request->cgroup >= 0) {
        how.cgroup = (unsigned)request->cgroup;
        *request->is_inside = true;
        pid_t pid = (pid_t)syscall(SYS_clone3, &how, sizeof how);
        if (pid >= 0)
            return pid;
        *request->is_inside = false;
    }
    return fork();
}

static void *serve(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!task || task->is_done)
            pthread_cond_wait(&changed, &lock);
        pid_t pid = fork_into(task->request);
        if (pid == 0)
            task->request->run(task->request->context);
        task->pid = pid;
        task->error = errno;
        task->is_done = true;
        pthread_cond_broadcast(&changed);
    }
    return NULL;
}

pid_t fork_server_fork(const ForkRequest *request)
{
    Task mine = {.request = request, .pid = -1, .error = EAGAIN};
    pthread_mutex_lock(&lock);
    is_running = is_running || background_thread_start(serve);
    if (is_running) {
        while (task)
            pthread_cond_wait(&changed, &lock);
        task = &mine;
        pthread_cond_broadcast(&changed);
        while (!mine.is_done)
            pthread_cond_wait(&changed, &lock);
        task = NULL;
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&lock);
    errno = mine.error;
    return mine.pid;
}
