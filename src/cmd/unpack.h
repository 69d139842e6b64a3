/* Unpacking an archive of a stranger; only to be called inside of a sandbox. */
#ifndef TURF_CMD_UNPACK_H
#define TURF_CMD_UNPACK_H

#include "turf.h"

enum { MAX_UNPACKED_FILES = 1000, MAX_UNPACKED_BYTES = 64 << 20 };

/* Is it a zip, a tar, or either of these compressed by gzip? By its first bytes. */
bool is_archive(const char *bytes, size_t n_bytes);

/* Unpacks it into the current folder, which is empty. False: it holds something else than files and
 * folders of its own, or too much, or is damaged. */
bool unpack(const char *bytes, size_t n_bytes, TurfError *error);

/* Writes one file below the current folder, and makes the folders above it. */
bool unpack_file(const char *path, bool is_executable, const char *bytes, size_t n_bytes,
                 TurfError *error);

#endif
