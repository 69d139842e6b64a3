/* Fault injection for malloc. In a test that links failing_memory.c, all allocations of the test,
 * the library, jansson and SQLite go through it (--wrap in meson.build). */
#ifndef TURF_TESTS_FAILING_MEMORY_H
#define TURF_TESTS_FAILING_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

typedef enum FailingMode {
    FAILING_ONCE, /* only that allocation fails */
    FAILING_ON    /* that one and all later ones fail */
} FailingMode;

/* To be called before any use of SQLite. */
void failing_install(void);

/* Exempts jansson's own allocations, or stops exempting them. (jansson misreads its input or aborts
 * when it cannot grow the buffer of a token longer than 15 bytes.) */
void failing_spare_json(bool is_spared);

/* Makes allocation number `nth` from now on fail, counting from 1. */
void failing_begin(uint64_t nth, FailingMode mode);
/* Stops failing; true if any allocation failed. */
bool failing_end(void);

/* The number of blocks allocated and not freed. */
int64_t failing_n_blocks(void);

#endif
