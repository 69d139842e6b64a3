/* The bracket of a knock-out, round by round. */
#ifndef TURF_REPORT_BRACKET_H
#define TURF_REPORT_BRACKET_H

#include "arena/run.h"

#include <jansson.h>
#include <stdio.h>

/* {"rounds":[{"name":"semi-finals","pairs":[{"names":["a","b"],"seeds":[1,4],"points":[1.5,0.5],
 * "winner":"a"}]}],"winner":"a"}: names are null where a winner is not known yet, and the second is
 * false for a bye. NULL when out of memory. */
json_t *bracket_json(const Run *run);
/* The same as text. */
void bracket_print(const Run *run, FILE *out);

#endif
