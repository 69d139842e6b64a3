/* An allocator that fails when it is told to. A test that links failing_memory.c has its own calls,
 * the library's, and those of jansson and SQLite go through it (--wrap in meson.build). */
#ifndef TURF_TESTS_FAILING_MEMORY_H
#define TURF_TESTS_FAILING_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

typedef enum FailingMode {
    FAILING_ONCE, /* only that allocation fails */
    FAILING_ON    /* and so do all that follow */
} FailingMode;

/* To be called first of all, before SQLite does anything. */
void failing_install(void);

/* Jansson's own allocations fail no more, or again: what it reads it gets wrong, or it aborts, when
 * it cannot grow the buffer of a token of more than 15 bytes. */
void failing_spare_json(bool is_spared);

/* From here on, allocation number `nth`, from 1, fails. */
void failing_begin(uint64_t nth, FailingMode mode);
/* Memory is plentiful again. Did any allocation fail? */
bool failing_end(void);

/* Blocks that have been handed out and not given back. */
int64_t failing_n_blocks(void);

#endif
