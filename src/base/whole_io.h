/* Reading and writing files whole: goes on after short reads and writes, and after signals. */
#ifndef TURF_BASE_WHOLE_IO_H
#define TURF_BASE_WHOLE_IO_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

/* Reads until the room is full or the file ends; -1 with errno. */
static inline ssize_t read_whole(int file, void *bytes, size_t room)
{
    size_t length = 0;
    while (length < room) {
        ssize_t n = read(file, (char *)bytes + length, room - length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        length += (size_t)n;
    }
    return (ssize_t)length;
}

/* False with errno: not all of it was written. */
static inline bool write_whole(int file, const void *bytes, size_t length)
{
    for (size_t at = 0; at < length;) {
        ssize_t n = write(file, (const char *)bytes + at, length - at);
        if (n < 0 && errno != EINTR)
            return false;
        at += n > 0 ? (size_t)n : 0;
    }
    return true;
}

#endif
