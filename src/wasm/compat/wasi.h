/* What Linux has and WASI lacks, included before everything else. Nothing here is ever reached: a
 * page has no files to lock, no huge pages and no signals. */
#ifndef TURF_WASM_WASI_H
#define TURF_WASM_WASI_H

#define F_WRLCK 1
#define F_UNLCK 2
#define F_OFD_GETLK 36
#define F_OFD_SETLK 37
#define F_DUPFD_CLOEXEC 1030
#define MADV_HUGEPAGE 14
#include <sys/mman.h>
#define madvise(address, length, advice) ((void)(address), 0)

#endif
