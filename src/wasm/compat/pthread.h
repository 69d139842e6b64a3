/* Threads for a machine without them: locks are free, and no thread can be started. The code that
 * starts threads goes on without. */
#ifndef TURF_WASM_PTHREAD_H
#define TURF_WASM_PTHREAD_H

#include <errno.h>
#include <sys/types.h> /* the types are there */
#include <time.h>

#define PTHREAD_MUTEX_INITIALIZER                                                                  \
    {                                                                                              \
        {                                                                                          \
            {                                                                                      \
                0                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }
#define PTHREAD_COND_INITIALIZER                                                                   \
    {                                                                                              \
        {                                                                                          \
            {                                                                                      \
                0                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }
#define PTHREAD_CREATE_DETACHED 1

#define pthread_mutex_init(lock, attr) ((void)(lock), 0)
#define pthread_mutex_lock(lock) ((void)(lock), 0)
#define pthread_mutex_unlock(lock) ((void)(lock), 0)
#define pthread_mutex_destroy(lock) ((void)(lock), 0)
#define pthread_cond_init(cond, attr) ((void)(cond), 0)
#define pthread_cond_signal(cond) ((void)(cond), 0)
#define pthread_cond_broadcast(cond) ((void)(cond), 0)
#define pthread_cond_destroy(cond) ((void)(cond), 0)
/* Nobody else could end a wait. */
#define pthread_cond_wait(cond, lock) ((void)(cond), (void)(lock), EINVAL)
#define pthread_cond_timedwait(cond, lock, until)                                                  \
    ((void)(cond), (void)(lock), (void)(until), ETIMEDOUT)
#define pthread_condattr_init(attr) ((void)(attr), 0)
#define pthread_condattr_setclock(attr, clock) ((void)(attr), 0)
#define pthread_condattr_destroy(attr) ((void)(attr), 0)
#define pthread_attr_init(attr) ((void)(attr), 0)
#define pthread_attr_setdetachstate(attr, state) ((void)(attr), 0)
#define pthread_attr_destroy(attr) ((void)(attr), 0)
#define pthread_create(thread, attr, run, argument)                                                \
    ((void)(thread), (void)(attr), (void)(run), (void)(argument), EAGAIN)
#define pthread_join(thread, result) ((void)(thread), (void)(result), EINVAL)
#define pthread_sigmask(how, set, old) 0

#endif
