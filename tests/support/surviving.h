/* Out-of-memory tests: runs a task repeatedly with its 1st, 2nd, ... allocation failing, once alone
 * and once together with all later ones. The result must be that of a run with enough memory, or
 * an error with a text, and nothing may leak. */
#ifndef TURF_TESTS_SURVIVING_H
#define TURF_TESTS_SURVIVING_H

#include "failing_memory.h"
#include "turf.h"

#include <stdio.h>

typedef struct Place Place; /* defined by the test */

/* Writes its result to `out`; false with an error. */
typedef bool Task(const Place *place, const void *detail, FILE *out, TurfError *error);

/* Each of the first `spread` allocations is made to fail; after them, in ever larger steps. */
void survives(Task *task, const Place *place, const void *detail, uint64_t spread);

#endif
