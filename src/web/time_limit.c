/* Time limits for searches; see time_limit.h. */
#include "web/time_limit.h"

#include "base/clock.h"

#include <stddef.h>

TimeLimit *time_limit_begin(TimeLimits *all, int64_t until_ns)
{
    size_t i = 0;
    pthread_mutex_lock(&all->lock);
    while (i + 1 < N_CHOOSERS && all->limits[i].until_ns) /* there is one for each thread */
        i++;
    TimeLimit *limit = &all->limits[i];
    limit->until_ns = until_ns;
    atomic_store(&limit->is_up, all->is_stopped);
    pthread_mutex_unlock(&all->lock);
    return limit;
}

void time_limit_end(TimeLimits *all, TimeLimit *limit)
{
    pthread_mutex_lock(&all->lock);
    limit->until_ns = 0;
    pthread_mutex_unlock(&all->lock);
}

void time_limits_check(TimeLimits *all)
{
    pthread_mutex_lock(&all->lock);
    for (size_t i = 0; i < N_CHOOSERS; i++) {
        int64_t until_ns = all->limits[i].until_ns;
        if (until_ns && (all->is_stopped || clock_ns() > until_ns))
            atomic_store(&all->limits[i].is_up, true);
    }
    pthread_mutex_unlock(&all->lock);
}

void time_limits_stop(TimeLimits *all)
{
    pthread_mutex_lock(&all->lock);
    all->is_stopped = true;
    pthread_mutex_unlock(&all->lock);
    time_limits_check(all);
}
