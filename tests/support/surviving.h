/* Short of memory: a task is done again and again, with its first allocation failing, its second,
 * and so on, once alone and once with all that follow. Whatever fails, the answer is the one that
 * plentiful memory gives, or an error with its sentence, and nothing is lost. */
#ifndef TURF_TESTS_SURVIVING_H
#define TURF_TESTS_SURVIVING_H

#include "failing_memory.h"
#include "turf.h"

#include <stdio.h>

typedef struct Place Place; /* of the test's making */

/* Writes what came of it to `out`; false with an error. */
typedef bool Task(const Place *place, const void *detail, FILE *out, TurfError *error);

/* `spread` is how many allocations are looked at closely: beyond them, ever larger steps are taken.
 */
void survives(Task *task, const Place *place, const void *detail, uint64_t spread);

#endif
