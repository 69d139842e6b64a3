/* The fork server. It handles one request at a time.
 *
 * Thread safety: `lock` guards `request` and everything in it. The child inherits the lock taken,
 * so `run` must not come back here. */
#include "bots/fork_server.h"

#include "base/background_thread.h"

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

typedef struct Request {
    void (*run)(void *context);
    void *context;
    bool  is_done;
    pid_t pid;
    int   error;
} Request;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t  changed = PTHREAD_COND_INITIALIZER;
static Request        *request; /* NULL: none */
static bool            is_running;

static void *serve(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!request || request->is_done)
            pthread_cond_wait(&changed, &lock);
        pid_t pid = fork();
        if (pid == 0)
            request->run(request->context);
        request->pid = pid;
        request->error = errno;
        request->is_done = true;
        pthread_cond_broadcast(&changed);
    }
    return NULL;
}

pid_t fork_server_fork(void (*run)(void *context), void *context)
{
    Request mine = {.run = run, .context = context, .pid = -1, .error = EAGAIN};
    pthread_mutex_lock(&lock);
    is_running = is_running || background_thread_start(serve);
    if (is_running) {
        while (request)
            pthread_cond_wait(&changed, &lock);
        request = &mine;
        pthread_cond_broadcast(&changed);
        while (!mine.is_done)
            pthread_cond_wait(&changed, &lock);
        request = NULL;
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&lock);
    errno = mine.error;
    return mine.pid;
}
