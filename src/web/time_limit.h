/* Time limits for the searches that answer /api/choose.
 *
 * Each of its threads takes a limit before a search and passes `is_up` to the player as its stop
 * flag; web_tick sets the flag when the time is over. The lock guards `until_ns`; `is_up` is read
 * without it. */
#ifndef TURF_WEB_TIME_LIMIT_H
#define TURF_WEB_TIME_LIMIT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { N_CHOOSERS = 3 }; /* threads that answer /api/choose */

typedef struct TimeLimit {
    int64_t     until_ns; /* 0: not in use */
    atomic_bool is_up;
} TimeLimit;

typedef struct TimeLimits {
    pthread_mutex_t lock;
    TimeLimit       limits[N_CHOOSERS];
    bool            is_stopped; /* the server is leaving: all limits are up, later ones too */
} TimeLimits;

TimeLimit *time_limit_begin(TimeLimits *all, int64_t until_ns);
void       time_limit_end(TimeLimits *all, TimeLimit *limit);
void       time_limits_check(TimeLimits *all); /* sets the flags of those that are over */
void       time_limits_stop(TimeLimits *all);  /* sets all flags, and those of later limits */

#endif
