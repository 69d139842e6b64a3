/* A thread that serves the whole program for as long as it runs. Signals are for the others. */
#ifndef TURF_BASE_BACKGROUND_THREAD_H
#define TURF_BASE_BACKGROUND_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

static inline bool quiet_thread_start(void *(*serve)(void *unused))
{
    pthread_t thread;
    sigset_t  all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool is_started = pthread_create(&thread, NULL, serve, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (is_started)
        pthread_detach(thread);
    return is_started;
}

#endif
