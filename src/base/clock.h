/* The monotonic clock, in nanoseconds. */
#ifndef TURF_BASE_CLOCK_H
#define TURF_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* How long this thread has worked so far. */
static inline int64_t clock_worked_ns(void)
{
    struct timespec worked;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &worked);
    return (int64_t)worked.tv_sec * 1000000000 + worked.tv_nsec;
}

/* How much longer a wait took than it could have. The program was stopped, its machine slept, or
 * the clock leapt: nobody else can be blamed for that time. A little is usual and does not count.
 */
static inline int64_t clock_lost_ns(int64_t since_ns, int64_t longest_ns)
{
    enum { DEFAULT_NS = 100000000 };
    int64_t late_ns = clock_ns() - since_ns - longest_ns;
    return late_ns > DEFAULT_NS ? late_ns : 0;
}

static inline double clock_seconds_since(int64_t start_ns)
{
    return (double)(clock_ns() - start_ns) / 1e9;
}

#endif
