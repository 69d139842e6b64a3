/* A detached thread that runs as long as the program, with all signals blocked: they go to the
 * other threads. */
#ifndef TURF_BASE_BACKGROUND_THREAD_H
#define TURF_BASE_BACKGROUND_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

static inline bool background_thread_start(void *(*run)(void *unused))
{
    pthread_t thread;
    sigset_t  all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool is_started = pthread_create(&thread, NULL, run, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (is_started)
        pthread_detach(thread);
    return is_started;
}

#endif
