/* Timed waits are short, with -Wl,--wrap=pthread_cond_timedwait: a server under a fuzz target has
 * nothing to wait for. */
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

int __real_pthread_cond_timedwait(pthread_cond_t *changed, pthread_mutex_t *lock,
                                  const struct timespec *until);
int __wrap_pthread_cond_timedwait(pthread_cond_t *changed, pthread_mutex_t *lock,
                                  const struct timespec *until);

int __wrap_pthread_cond_timedwait(pthread_cond_t *changed, pthread_mutex_t *lock,
                                  const struct timespec *until)
{
    enum { MAX_NS = 2000000, SECOND_NS = 1000000000 };
    struct timespec soon;
    clock_gettime(CLOCK_MONOTONIC, &soon);
    soon.tv_nsec += MAX_NS;
    soon.tv_sec += soon.tv_nsec / SECOND_NS;
    soon.tv_nsec %= SECOND_NS;
    bool is_sooner = until->tv_sec < soon.tv_sec ||
                     (until->tv_sec == soon.tv_sec && until->tv_nsec < soon.tv_nsec);
    return __real_pthread_cond_timedwait(changed, lock, is_sooner ? until : &soon);
}
