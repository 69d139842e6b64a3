#include "bots/fork_server.h"

#include "base/background_thread.h"

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

typedef struct Order {
    void (*live)(void *context);
    void *context;
    bool  is_done;
    pid_t pid;
    int   error;
} Order;

/* One thread serves the whole program, so what it shares with the others is global. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t  changed = PTHREAD_COND_INITIALIZER;
static Order          *order; /* one at a time */
static bool            is_open;

static void *attend(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!order || order->is_done)
            pthread_cond_wait(&changed, &lock);
        pid_t pid = fork();
        if (pid == 0)
            order->live(order->context);
        order->pid = pid;
        order->error = errno;
        order->is_done = true;
        pthread_cond_broadcast(&changed);
    }
    return NULL;
}

pid_t fork_server_fork(void (*live)(void *context), void *context)
{
    Order mine = {.live = live, .context = context, .pid = -1, .error = EAGAIN};
    pthread_mutex_lock(&lock);
    is_open = is_open || quiet_thread_start(attend);
    if (is_open) {
        while (order)
            pthread_cond_wait(&changed, &lock);
        order = &mine;
        pthread_cond_broadcast(&changed);
        while (!mine.is_done)
            pthread_cond_wait(&changed, &lock);
        order = NULL;
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&lock);
    errno = mine.error;
    return mine.pid;
}
