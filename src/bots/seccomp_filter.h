/* The system calls that a sandboxed bot may not make.
 *
 * Namespaces hide things; this filter takes away the kernel's rarely used doors, through which
 * sandboxes have been left before: mounts, namespaces, keyrings, tracing, bpf, io_uring and so on.
 * It is a deny-list over an allow-all filter: interpreters and virtual machines use so many calls
 * that a list of allowed ones would break bots with every new release of a language. */
#ifndef TURF_BOTS_SECCOMP_FILTER_H
#define TURF_BOTS_SECCOMP_FILTER_H

#include <stdbool.h>
#include <stddef.h>

/* The filter as a BPF program in a file in memory, for `bwrap --seccomp FD`. It is made once; the
 * caller closes the descriptor, which is closed on exec unless the caller changes that. -1 with
 * errno. A pinned bot may not choose other processors. */
int seccomp_filter_open(bool is_pinned);

/* Filters the calling thread, for good. Only the tests do this to themselves. */
bool seccomp_filter_install(bool is_pinned);

/* The denied system calls by name, with the errno each one gets, for tests; false past the end. */
bool seccomp_filter_at(size_t index, const char **name, int *error);

#endif
