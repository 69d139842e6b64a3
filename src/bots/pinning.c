/* Which processor belongs to which bot. `lock` guards both sets. */
#include "bots/pinning.h"

#include <pthread.h>
#include <sched.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cpu_set_t       ours, are_free; /* for bots: all of them, and those without one */

int pinning_count(void)
{
    cpu_set_t all;
    return sched_getaffinity(0, sizeof all, &all) == 0 ? CPU_COUNT(&all) : 1;
}

void pinning_begin(int n_bots)
{
    cpu_set_t all;
    pthread_mutex_lock(&lock);
    CPU_ZERO(&ours);
    if (sched_getaffinity(0, sizeof all, &all) == 0) {
        for (size_t i = CPU_SETSIZE; i-- > 0 && CPU_COUNT(&ours) < n_bots;)
            if (CPU_ISSET(i, &all))
                CPU_SET(i, &ours);
        CPU_XOR(&all, &all, &ours);
        if (CPU_COUNT(&all) > 0)
            (void)sched_setaffinity(0, sizeof all, &all);
    }
    are_free = ours;
    pthread_mutex_unlock(&lock);
}

int pinning_take(void)
{
    int taken = -1;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < CPU_SETSIZE && taken < 0; i++)
        if (CPU_ISSET(i, &are_free)) {
            CPU_CLR(i, &are_free);
            taken = (int)i;
        }
    pthread_mutex_unlock(&lock);
    return taken;
}

void pinning_give_back(int processor)
{
    pthread_mutex_lock(&lock);
    if (processor >= 0 && CPU_ISSET((size_t)processor, &ours))
        CPU_SET((size_t)processor, &are_free);
    pthread_mutex_unlock(&lock);
}

bool pinning_apply(int processor)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)processor, &one);
    return sched_setaffinity(0, sizeof one, &one) == 0;
}
