/* Wall-clock time: as milliseconds since 1970, and in JSON as ISO 8601 to the second. */
#ifndef TURF_WEB_MOMENT_H
#define TURF_WEB_MOMENT_H

#include <jansson.h>
#include <stdint.h>
#include <time.h>

static inline int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static inline json_t *moment_json(int64_t ms)
{
    time_t    seconds = (time_t)(ms / 1000);
    struct tm parts;
    char      text[32];
    if (!gmtime_r(&seconds, &parts) ||
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
        return json_null();
    return json_string(text);
}

/* What moment_json wrote, in the past; else now. */
static inline int64_t moment_read(const json_t *json)
{
    const char *text = json_string_value(json), *end = NULL;
    struct tm   parts = {0};
    if (text)
        end = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    int64_t ms = end && !*end ? (int64_t)timegm(&parts) * 1000 : -1;
    return ms >= 0 && ms < now_ms() ? ms : now_ms();
}

#endif
