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

/* CPU time of this thread. */
static inline int64_t clock_worked_ns(void)
{
    struct timespec worked;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &worked);
    return (int64_t)worked.tv_sec * 1000000000 + worked.tv_nsec;
}

/* The time by which a wait that began at since_ns exceeded its timeout, if that is more than 100
 * ms: then the program or the machine was suspended, and a bot gets that time back. */
static inline int64_t clock_lost_ns(int64_t since_ns, int64_t timeout_ns)
{
    enum { TOLERANCE_NS = 100000000 };
    int64_t late_ns = clock_ns() - since_ns - timeout_ns;
    return late_ns > TOLERANCE_NS ? late_ns : 0;
}

static inline double clock_seconds_since(int64_t start_ns)
{
    return (double)(clock_ns() - start_ns) / 1e9;
}

#endif
